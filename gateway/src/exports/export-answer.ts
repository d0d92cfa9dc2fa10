import type { Exchange } from '../exchange.js';
import { authorize } from '../operations/operation-answer.js';
import { readRead } from '../operations/operation-input.js';
import type { Endpoint } from '../router.js';
import { accountExport } from './account-export.js';
import { EXPORT_PARTS } from './export-parts.js';

/** Answers with all data of the account. The key needs the scope of each part: an export tells it nothing new. */
export async function answerExport(exchange: Exchange, endpoint: Endpoint, values: readonly string[]): Promise<void> {
  const principal = exchange.principal!;
  authorize(endpoint, values, principal);
  for (const { scope } of EXPORT_PARTS) authorize({ ...endpoint, scope }, values, principal);
  const { input } = readRead(exchange, endpoint, values);
  const { dependencies, requestId, network } = exchange;
  await exchange.stream(
    accountExport({ calls: dependencies.calls, principal, requestId, network }, endpoint.operation, input),
  );
}
