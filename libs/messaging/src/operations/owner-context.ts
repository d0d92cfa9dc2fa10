import { findActing } from '@swim/contracts';
import { AppError, type RequestContext } from '@swim/platform';
import type { RpcClient } from './rpc-client.js';

/**
 * The context of the account to which something belongs: its own, or that of a school that acts for it; null for all others. A write
 * for a closing account is `account_closing`.
 */
export async function ownerContext(
  rpc: RpcClient,
  accountId: string,
  context: RequestContext,
  { reads = false } = {},
): Promise<RequestContext | null> {
  if (accountId === context.principal.accountId) return context;
  if (context.principal.kind !== 'school') return null;
  const { principal } = await rpc.call(findActing, { accountId }, context);
  if (principal?.closing && !reads)
    throw new AppError('account_closing', { details: { erases_at: principal.closing } });
  return principal && { ...context, principal };
}
