import type { IndexOptions, Model, PipelineStage, Schema } from 'mongoose';
import { answeredByTurn } from '../engine/ferretdb/turn-loaders.js';
import { quietLookFor } from './quiet-looks.js';

// On the offline engine the time for each grows beyond twelve.
const MOST_AT_ONCE = 8;
// Timers that were set for the same millisecond may expire one or two apart.
const GATHER_MS = 5;
// Longer than a process may go without looking: what becomes due meanwhile is known.
const AHEAD_MS = 4_000;
const AS_SYSTEM = { asSystem: 'whether anything is due, of whichever account' } as object;

/**
 * Declares the index of a field that has a date only while something is due. Documents without a date are not in the index, so
 * that their updates do not write it. `expireAfterSeconds` removes documents so long after the date.
 */
export function indexDue<D>(
  schema: Schema<D>,
  field: keyof D & string,
  options: Pick<IndexOptions, 'expireAfterSeconds'> = {},
): void {
  schema.index({ [field]: 1 }, { ...options, partialFilterExpression: { [field]: { $type: 'date' } } });
}

/**
 * The condition that the date of such a field is this instant or earlier. It names the type: MongoDB and the offline engine use
 * a partial index only for a query that states the index's own condition, and read the whole collection for any other.
 */
export const dueBy = (instant: Date): { $type: 'date'; $lte: Date } => ({ $type: 'date', $lte: instant });

/** Whether a document of a collection is due: the date in its field is this instant or earlier. */
interface DueCheck {
  readonly model: Model<unknown>;
  readonly field: string;
  readonly by: Date;
  /** Whether it is answered by a command also when it is alone. */
  readonly needsAnswer: boolean;
}

const checkByTurn = answeredByTurn(check, MOST_AT_ONCE, GATHER_MS);

/**
 * Whether any document's date in a field may be this instant or earlier. The checks of the same milliseconds in collections of one
 * database share a command: sweeps with the same interval run at the same time, and nearly always nothing is due. One that is
 * alone is answered yes without a command, since the query for the documents takes no more. Where nothing becomes due for the next
 * seconds, the answer is no for three of them, unless this process writes to the collection (see `quiet-looks.ts`).
 */
export async function mayBeDue<D>(model: Model<D>, field: string, by: Date): Promise<boolean> {
  const look = quietLookFor(model, field);
  if (look.isQuiet(by)) return false;
  const isDue = (instant: Date, needsAnswer: boolean) =>
    checkByTurn(model.db, { model: model as unknown as Model<unknown>, field, by: instant, needsAnswer });
  const ahead = new Date(by.getTime() + AHEAD_MS);
  if (look.isBusy()) look.noteWrites();
  else if (!(await look.note(() => isDue(ahead, true), ahead))) return false;
  return isDue(by, false);
}

async function check(checks: readonly DueCheck[]): Promise<boolean[]> {
  const [first, ...others] = checks;
  if (others.length === 0 && !first!.needsAnswer) return [true];
  const pipelineOf = ({ field, by }: DueCheck, index: number) => [
    { $match: { [field]: dueBy(by) } },
    { $limit: 1 },
    { $project: { _id: 0, check: { $literal: index } } },
  ];
  const elsewhere = others.map((each, index) => ({
    $unionWith: { coll: each.model.collection.name, pipeline: pipelineOf(each, index + 1) },
  }));
  const pipeline = [...pipelineOf(first!, 0), ...elsewhere] as PipelineStage[];
  const found = await first!.model.aggregate<{ check: number }>(pipeline, AS_SYSTEM);
  const due = new Set(found.map(({ check: index }) => index));
  return checks.map((_, index) => due.has(index));
}
