import { nextRandomBytes } from '@swim/platform';
import type { Model, Query, Schema } from 'mongoose';
import { valueIf } from '../../commands/conditional-writes.js';
import { castFilterOf } from '../../guard/tenant-guard.js';

/** The field of a document with the tokens of its latest updates that shared a command. */
export const TOKENS = 'w';
const TOKENS_KEPT = 16;

/** A conditional update of one document, cast by its schema and checked by the tenant guard. */
export interface UpdateStatement {
  readonly filter: Readonly<Record<string, unknown>>;
  /** An update document or a pipeline. */
  readonly update: object;
  /** The expression by which the pipeline itself decides whether to change anything; absent: the filter alone decides. */
  readonly condition?: object | undefined;
}

// What mongoose does with an update before it executes it. It has no public method that casts one.
interface Castable {
  _castUpdate(update: unknown): object | undefined;
}

/** A statement as mongoose would execute it. Throws for a filter without a tenant or a field that is not in the schema. */
export function castStatement<D>(
  model: Model<D>,
  { filter, update, condition }: UpdateStatement,
  options: object,
): UpdateStatement {
  const pipeline = Array.isArray(update) ? { updatePipeline: true } : {};
  const query = model.updateOne(filter as object, update, { ...options, ...pipeline });
  const cast = castFilterOf(query as unknown as Query<unknown, unknown>);
  return { filter: cast, update: (query as unknown as Castable)._castUpdate(query.getUpdate()) ?? {}, condition };
}

/** The id of the only document that a statement can match; null when it may match any. */
export const idOf = ({ filter }: UpdateStatement): string | null =>
  typeof filter._id === 'string' ? filter._id : null;

/** Whether a statement changes nothing, since the schema has none of its fields. */
export const isEmpty = ({ update }: UpdateStatement): boolean => Object.keys(update).length === 0;

/** Whether a statement may share a command with others. One that replaces its document leaves no field to it. */
export const canShare = (statement: UpdateStatement): boolean =>
  idOf(statement) !== null &&
  !isEmpty(statement) &&
  !(Array.isArray(statement.update) && statement.update.some((stage: object) => '$replaceWith' in stage));

/** A token of one execution of a statement, also of a repeated one. */
export const newToken = (): string => nextRandomBytes(9).toString('base64url');

/** The update of a statement, which stores a token in the same write. */
export function withToken({ update, condition }: UpdateStatement, token: string): object {
  if (!Array.isArray(update)) {
    const { $push = {}, ...rest } = update as { $push?: object };
    return { ...rest, $push: { ...$push, [TOKENS]: { $each: [token], $slice: -TOKENS_KEPT } } };
  }
  const tokens = { $slice: [{ $concatArrays: [{ $ifNull: [`$${TOKENS}`, []] }, [token]] }, -TOKENS_KEPT] };
  if (!condition) return [...update, { $set: { [TOKENS]: tokens } }];
  const [{ $set }] = update as [{ $set: object }];
  return [{ $set: { ...$set, [TOKENS]: valueIf(condition, tokens, TOKENS) } }];
}

/** Adds the tokens to a schema; no query returns them. */
export function tokensOfUpdates(schema: Schema): void {
  schema.add({ [TOKENS]: { type: [String], default: undefined, select: false } });
}

/** The tokens in these documents. */
export async function readTokens<D>(model: Model<D>, ids: string[]): Promise<Set<string>> {
  const found = await model.collection
    .find<{ [TOKENS]?: string[] }>({ _id: { $in: ids } } as object, { projection: { [TOKENS]: 1 } })
    .batchSize(ids.length + 1)
    .toArray();
  return new Set(found.flatMap((document) => document[TOKENS] ?? []));
}
