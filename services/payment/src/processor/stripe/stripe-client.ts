import { AppError, type Logger } from '@swim/platform';
import Stripe from 'stripe';
import type { Config } from '../../config.js';

/** The version whose shapes the adapter reads: an upgrade of the SDK must not change it unnoticed. */
const API_VERSION = '2026-10-28.endive';

const RETRY_AFTER_SECONDS = 5;

/** The public error of a request that the processor has not answered usably. */
export const processorUnavailable = (): AppError =>
  new AppError('unavailable', {
    message: 'The payment processor is unavailable. Retry the request.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** An error by which Stripe has rejected a request for good: it did nothing, and a repetition would do nothing. */
export type Rejection = Stripe.errors.StripeError;

/** The SDK repeats a request, once and under the same key, when the code of its error says that the connection was closed. */
async function send(url: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'manual' });
  } catch (error) {
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    if (!cause) throw error;
    throw Object.assign(error as Error, { code: cause.code === 'UND_ERR_SOCKET' ? 'ECONNRESET' : cause.code });
  }
}

/**
 * A client of Stripe's API. It retries nothing by itself: the steps of payments and refunds do, which query the outcome first. With
 * `fetch` the time-out is that of the whole request, and ends its connection; the SDK's other client lets each byte prolong it.
 */
export function stripeClient(secretKey: string, { STRIPE_API_URL, PROCESSOR_TIMEOUT_MS }: Config): Stripe {
  const { protocol, hostname, port } = new URL(STRIPE_API_URL);
  const isPlain = protocol === 'http:';
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: 0,
    timeout: PROCESSOR_TIMEOUT_MS,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(send),
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
  });
}

/**
 * The rejection that an error of the SDK is. Throws `unavailable` for all other errors: whether Stripe has done what was
 * requested is not known then. Texts of Stripe are neither logged nor returned.
 */
export function rejectionFrom(error: unknown, logger: Logger): Rejection {
  const { StripeError, StripeCardError, StripeInvalidRequestError, ...others } = Stripe.errors;
  if (error instanceof StripeCardError || error instanceof StripeInvalidRequestError) return error;
  if (error instanceof others.StripeAuthenticationError || error instanceof others.StripePermissionError)
    logger.error({ code: error.code ?? error.type }, 'Stripe rejects the secret key: no payments until it is replaced');
  else {
    const code = error instanceof StripeError ? (error.code ?? error.type) : (error as Error).name;
    logger.warn({ code }, 'no usable response from Stripe');
  }
  throw processorUnavailable();
}

/** Whether Stripe repeats the stored response to an earlier request with the same idempotency key. */
export const isReplayed = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.headers?.['idempotent-replayed'] === 'true';
