import { findActing, grants, id, type OutputOf, type Principal } from '@swim/contracts';
import { AppError, BUDGET_MS, Deadline, makeRequestContext } from '@swim/platform';
import type { Exchange } from '../exchange.js';
import type { Endpoint } from '../router.js';

const accountId = id('acct');

/** Whether the path names an account that a school may act for. Keys are excepted: nobody but the account itself makes them. */
function namesOther({ accountParam, scope }: Endpoint, values: readonly string[], principal: Principal): boolean {
  if (principal.kind !== 'school' || accountParam < 0 || values[accountParam] === principal.accountId) return false;
  if (scope === null || scope.startsWith('keys:') || !grants(principal.scopes, scope)) return false;
  return accountId.safeParse(values[accountParam]).success;
}

/**
 * The principal of a request: that of an account which the path names, where its school acts for it; else that of the key. It is requested
 * each time, since the right of the school ends once somebody has claimed the account.
 */
export async function actingPrincipal(
  exchange: Exchange,
  endpoint: Endpoint,
  values: readonly string[],
  own: Principal,
): Promise<Principal> {
  if (!namesOther(endpoint, values, own)) return own;
  const deadline = new Deadline(BUDGET_MS[findActing.kind]);
  const { requestId, network, traceparent, dependencies } = exchange;
  const context = makeRequestContext({ requestId, principal: own, deadline, network, traceparent });
  const input = JSON.stringify({ accountId: values[endpoint.accountParam] });
  const { answer, error } = await dependencies.calls.request(findActing, input, context);
  if (error) throw AppError.fromBody(error);
  const { principal } = JSON.parse(Buffer.from(answer.body).toString()) as OutputOf<typeof findActing>;
  return principal ?? own;
}
