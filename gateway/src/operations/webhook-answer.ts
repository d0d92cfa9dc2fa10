import { isUtf8 } from 'node:buffer';
import { AppError, BUDGET_MS, Deadline, makeRequestContext, sharedClock } from '@swim/platform';
import { clientAddress, networkOf } from '../authentication/addresses.js';
import { GATEWAY_PRINCIPALS } from '../calls/gateway-principals.js';
import type { Exchange } from '../exchange.js';
import { readRawBody } from '../requests/raw-body.js';
import type { Webhook } from '../routes.js';

const unsigned = () => new AppError('invalid_signature', { field: 'Stripe-Signature' });

/** The body as it was received: a signature covers its bytes. */
async function readPayload({ request }: Exchange): Promise<string> {
  const bytes = await readRawBody(request);
  if (!isUtf8(bytes)) throw unsigned();
  return bytes.toString('utf8');
}

/**
 * Passes a processor's webhook on to its service, which verifies the signature, and answers with the result. A network that
 * sends wrong signatures waits its turn, and is then rejected with `authentication_attempts`.
 */
export async function answerWebhook(exchange: Exchange, { operation, signatureHeader }: Webhook): Promise<void> {
  // Deadlines are instants of the shared clock.
  if (!sharedClock.isSet) throw new AppError('unavailable', { retryAfterSeconds: 1 });
  const { request, dependencies, requestId } = exchange;
  const { attempts, turns } = dependencies.webhookSenders;
  const network = networkOf(clientAddress(request, dependencies.trustedProxies));
  const signature = request.headers[signatureHeader];
  const payload = await readPayload(exchange);
  if (typeof signature !== 'string' || signature === '') {
    attempts.note(network);
    throw unsigned();
  }
  const context = makeRequestContext({
    requestId,
    principal: GATEWAY_PRINCIPALS.live,
    deadline: new Deadline(BUDGET_MS[operation.kind]),
    network: exchange.network,
    traceparent: exchange.traceparent,
  });
  const input = JSON.stringify({ payload, signature });
  const send = () => dependencies.calls.request(operation, input, context);
  const { answer, error } = await turns.run(network, send, (reply) => reply.error !== null);
  if (!error) return exchange.succeed(200, answer.body, null);
  attempts.note(network);
  exchange.reject(error, answer.retryAfterSeconds);
}
