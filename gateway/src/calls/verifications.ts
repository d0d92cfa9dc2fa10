import { type Environment, type Operation, type OutputOf, verifyKey, verifyUserSession } from '@swim/contracts';
import { Deadline, makeRequestContext, newId, type PresentedKey, resultOf } from '@swim/platform';
import { GATEWAY_PRINCIPALS } from './gateway-principals.js';
import type { ServiceCalls } from './service-calls.js';

async function request<O extends Operation>(
  calls: ServiceCalls,
  operation: O,
  input: object,
  { env, budgetMs }: { env: Environment; budgetMs: number },
) {
  const context = makeRequestContext({
    requestId: newId('req'),
    principal: GATEWAY_PRINCIPALS[env],
    deadline: new Deadline(budgetMs),
  });
  const { answer } = await calls.request(operation, JSON.stringify(input), context);
  return resultOf(operation, answer);
}

/** Requests the principal of an API key from people. */
export const verifyKeyBy =
  (calls: ServiceCalls) =>
  (key: PresentedKey, budgetMs: number): Promise<OutputOf<typeof verifyKey>> =>
    request(calls, verifyKey, key, { env: key.env, budgetMs });

/** Requests the principal of a session of the dashboard from people; `keyId` is that of the session. */
export const verifySessionBy =
  (calls: ServiceCalls) =>
  ({ keyId: sessionId, digest, env }: PresentedKey, budgetMs: number): Promise<OutputOf<typeof verifyUserSession>> =>
    request(calls, verifyUserSession, { sessionId, digest, env }, { env, budgetMs });
