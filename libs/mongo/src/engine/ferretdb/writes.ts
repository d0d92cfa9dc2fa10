import { nextRandomBytes } from '@swim/platform';
import type { Model, Schema } from 'mongoose';
import { valueIf } from '../../commands/conditional-writes.js';
import { idOf, isEmpty, type UpdateStatement } from '../../commands/update-statements.js';
import { executeAll } from '../../commands/write-command.js';

/** The field of a document with the tokens of its latest updates that shared a command. */
const TOKENS = 'w';
const TOKENS_KEPT = 16;
// Half of its tokens.
export const MOST_OF_DOCUMENT = TOKENS_KEPT / 2;

export const HIDDEN_FIELDS = [TOKENS];

export function addTokens(schema: Schema): void {
  schema.add({ [TOKENS]: { type: [String], default: undefined, select: false } });
}

// A statement that replaces its document leaves no field to a token.
export const canShare = (statement: UpdateStatement): boolean =>
  idOf(statement) !== null &&
  !isEmpty(statement) &&
  !(Array.isArray(statement.update) && statement.update.some((stage: object) => '$replaceWith' in stage));

/** What is known of updates that shared a command. */
export interface Applied {
  /** For each statement, whether it was applied; null when nobody knows. */
  readonly outcomes: readonly (boolean | null)[];
  /** The errors of those that failed, by their index. */
  readonly errors: ReadonlyMap<number, Error>;
}

/**
 * The answer of a command tells only how many updates were applied. So each execution stores a token of its own in its document, and
 * where some were applied and some not, one read of the tokens tells which.
 */
export async function applyTogether<D>(model: Model<D>, statements: readonly UpdateStatement[]): Promise<Applied> {
  const tokens = statements.map(() => nextRandomBytes(9).toString('base64url'));
  const updates = statements.map((statement, index) => ({
    q: statement.filter,
    u: withToken(statement, tokens[index]!),
  }));
  const { modified, errors } = await executeAll(model, 'update', updates, { areMeasured: true });
  const executed = [...statements.keys()].filter((index) => !errors.has(index));
  // Each applied statement has modified its document: it has stored its token.
  if (modified === executed.length || modified === 0)
    return { outcomes: statements.map((_, index) => modified > 0 && !errors.has(index)), errors };
  const stored = await readTokens(model, [...new Set(executed.map((index) => idOf(statements[index]!)!))]);
  const found = executed.filter((index) => stored.has(tokens[index]!)).length;
  // The tokens of later writes may have pushed one out: then nobody knows the outcome of those that are not found.
  const otherwise = found < modified ? null : false;
  return { outcomes: tokens.map((token) => stored.has(token) || otherwise), errors };
}

/**
 * Not by `deleteOne`: the engine then leaves a document that another write changes at the same moment, although it matches before and
 * after.
 */
export async function removeMatching<D>(model: Model<D>, filter: object, guard: object): Promise<number> {
  return (await model.deleteMany(filter as never, guard)).deletedCount;
}

function withToken({ update, condition }: UpdateStatement, token: string): object {
  if (!Array.isArray(update)) {
    const { $push = {}, ...rest } = update as { $push?: object };
    return { ...rest, $push: { ...$push, [TOKENS]: { $each: [token], $slice: -TOKENS_KEPT } } };
  }
  const tokens = { $slice: [{ $concatArrays: [{ $ifNull: [`$${TOKENS}`, []] }, [token]] }, -TOKENS_KEPT] };
  if (!condition) return [...update, { $set: { [TOKENS]: tokens } }];
  const [{ $set }] = update as [{ $set: object }];
  return [{ $set: { ...$set, [TOKENS]: valueIf(condition, tokens, TOKENS) } }];
}

async function readTokens<D>(model: Model<D>, ids: string[]): Promise<Set<string>> {
  const found = await model.collection
    .find<{ [TOKENS]?: string[] }>({ _id: { $in: ids } } as object, { projection: { [TOKENS]: 1 } })
    .batchSize(ids.length + 1)
    .toArray();
  return new Set(found.flatMap((document) => document[TOKENS] ?? []));
}
