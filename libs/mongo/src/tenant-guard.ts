import type { Environment } from '@swim/contracts';
import type { Query, Schema } from 'mongoose';

/** Documents that anyone with a key may read carry this among their readers. */
export const PUBLIC = 'public';

/** Whose eyes a query has: an account's, or the service's own with the reason written down. */
export type Scope =
  | { readonly env: Environment; readonly accountId: string }
  | { readonly env: Environment; readonly system: string };

/** The service's own eyes, for sweeps, recovery and what has no tenant. `reason` says why in the code. */
export const asSystem = (env: Environment, reason: string): Scope => ({ env, system: reason });

const GUARDED = [
  'find', 'findOne', 'findOneAndUpdate', 'findOneAndDelete', 'findOneAndReplace', 'countDocuments', 'distinct',
  'updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany',
] as const;

/** Refuses every query that names neither a reader nor a system reason: a forgotten tenant is a bug, never a leak. */
export function tenantGuard(schema: Schema): void {
  schema.pre([...GUARDED], function guard(this: Query<unknown, unknown>) {
    const named = this.getFilter().readers !== undefined || 'asSystem' in this.getOptions();
    if (!named) throw new Error(`A query of ${this.model.modelName} names no reader.`);
  });
}

/** Whose documents a query may touch, as a filter. */
export const readableBy = (scope: Scope, includePublic = false): Record<string, unknown> => {
  if ('system' in scope) return {};
  return { readers: includePublic ? { $in: [scope.accountId, PUBLIC] } : scope.accountId };
};
