import type { Environment } from '@swim/contracts';
import { currentEnvironment } from '@swim/platform';
import mongoose, { type Aggregate, type Model, type Query, type Schema } from 'mongoose';

/** A reader of documents that every key may read. */
export const PUBLIC = 'public';

/** The scope of a query: an account's, or the system's with a reason. */
export type Scope =
  | { readonly env?: Environment; readonly accountId: string }
  | { readonly env?: Environment; readonly system: string };

/** The system scope, for sweeps, recovery and documents without a tenant. `reason` documents why. */
export function asSystem(reason: string): Scope;
export function asSystem(env: Environment, reason: string): Scope;
export function asSystem(first: string, reason?: string): Scope {
  return reason === undefined ? { system: first } : { env: first as Environment, system: reason };
}

/** The environment that a scope names, or else that of the running work. */
export const environmentOf = ({ env }: Scope): Environment => env ?? currentEnvironment();

const GUARDED = [
  'find',
  'findOne',
  'findOneAndUpdate',
  'findOneAndDelete',
  'findOneAndReplace',
  'countDocuments',
  'estimatedDocumentCount',
  'distinct',
  'updateOne',
  'updateMany',
  'replaceOne',
  'deleteOne',
  'deleteMany',
] as const;

const givesReason = (options: object | undefined): boolean =>
  options !== undefined && 'asSystem' in options && typeof options.asSystem === 'string' && options.asSystem !== '';

function namesReader(filter: object | undefined): boolean {
  const { readers, $nor = [] } = (filter ?? {}) as { readers?: unknown; $nor?: object[] };
  return readers !== undefined || $nor.some(isOfOthers);
}

// The condition of `readableAmongFew`. Any further one beside it would let documents of others through.
function isOfOthers(condition: object): boolean {
  const { readers, ...more } = condition as { readers?: { $nin?: unknown } };
  const { $nin, ...moreOfReaders } = readers ?? {};
  const isAlone = Object.keys(more).length === 0 && Object.keys(moreOfReaders).length === 0;
  return isAlone && Array.isArray($nin) && $nin.every((reader) => typeof reader === 'string');
}

function demand(isNamed: boolean, collection: string): void {
  if (!isNamed) throw new Error(`A query of ${collection} names no reader.`);
}

/** Throws for a query that names neither a reader nor a system reason. */
const requireReader = (query: Query<unknown, unknown>): void =>
  demand(givesReason(query.getOptions()) || namesReader(query.getFilter()), query.model.modelName);

// What mongoose does with the filter of a query before it executes it.
interface Castable {
  _castConditions(): void;
  error(): Error | null | undefined;
}

/**
 * Casts the filter of a query by its schema, and checks it by the tenant guard. Throws for a filter without a tenant, or with a field
 * that is not in the schema.
 */
export function castFilterOf(query: Query<unknown, unknown>): Record<string, unknown> {
  requireReader(query);
  const castable = query as unknown as Castable;
  castable._castConditions();
  const error = castable.error();
  if (error) throw error;
  return query.getFilter();
}

/**
 * Rejects every query that names neither a reader nor a system reason: a forgotten tenant is an error, never a leak. An
 * aggregation names its reader in its first `$match`; a bulk write needs a system reason. It is a plugin of mongoose, whose
 * options it ignores.
 */
export function tenantGuard(schema: Schema, _options?: { deduplicate: boolean }): void {
  schema.pre([...GUARDED], function guard(this: Query<unknown, unknown>) {
    requireReader(this);
  });
  schema.pre('aggregate', function guard(this: Aggregate<unknown>) {
    const [first] = this.pipeline();
    demand(
      givesReason(this.options) || (first !== undefined && '$match' in first && namesReader(first.$match)),
      this.model().modelName,
    );
  });
  schema.pre('bulkWrite', function guard(this: Model<unknown>, _operations: unknown, options?: object) {
    demand(givesReason(options), this.modelName);
  });
}

/** The filter for the documents that a scope may access. */
export const readableBy = (scope: Scope, includePublic = false): Record<string, unknown> => {
  if ('system' in scope) return {};
  return { readers: includePublic ? { $in: [scope.accountId, PUBLIC] } : scope.accountId };
};

/**
 * The filter for the documents that one of these readers may access, among few that an index of another field finds. No index finds
 * them by their readers then: the offline engine would read all of an account's entries in it, to combine both.
 */
export const readableAmongFew = (readers: readonly string[]): { $nor: object[] } => ({
  $nor: [{ readers: mongoose.trusted({ $nin: [...readers] }) }],
});

/** The condition of a filter by which it names its readers. */
export const readersIn = (filter: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(filter).filter(([key]) => key === 'readers' || key === '$nor'));

/** The same rule for a document in memory: whether the scope may see it. */
export function mayRead(document: object, scope: Scope, includePublic = false): boolean {
  if ('system' in scope) return true;
  const { readers = [] } = document as { readers?: readonly string[] };
  return readers.includes(scope.accountId) || (includePublic && readers.includes(PUBLIC));
}
