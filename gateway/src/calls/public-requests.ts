import type { Environment, Operation } from '@swim/contracts';
import { BUDGET_MS, Deadline, makeRequestContext, type RequestContext } from '@swim/platform';
import type { Exchange } from '../exchange.js';
import { GATEWAY_PRINCIPALS } from './gateway-principals.js';

/** The context of a request to a service that a client makes without a key. */
export const publicContext = (
  { requestId, network, traceparent }: Exchange,
  { kind }: Operation,
  env: Environment,
): RequestContext =>
  makeRequestContext({
    requestId,
    network,
    traceparent,
    principal: GATEWAY_PRINCIPALS[env],
    deadline: new Deadline(BUDGET_MS[kind]),
  });
