import { type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';
import { requestContext } from './request-context.js';

/**
 * The only fields that reach a log. Anything else is dropped, so that a request body or a document logged by mistake
 * shows nothing personal.
 */
const ALLOWED = new Set([
  'account', 'accountId', 'address', 'attempt', 'bookingId', 'bytes', 'claimId', 'code', 'count', 'database', 'delayMs',
  'durationMs', 'env', 'err', 'eventId', 'eventType', 'how', 'inFlight', 'method', 'name', 'objectId', 'operation', 'paymentId',
  'pid', 'port', 'reason', 'requestId', 'route', 'seed', 'service', 'sessionId', 'signal', 'state', 'status', 'step', 'stream',
  'subject', 'target', 'version',
]);

const allowListed = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => ALLOWED.has(key)));

// A duplicate-key message quotes the stored value, which may be a name or an address.
const withoutValues = (text: string): string => text.replace(/dup key:.*/s, 'dup key');

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: withoutValues(String(error)) };
  const { name, message, stack } = error;
  return {
    name,
    message: withoutValues(message),
    ...('code' in error ? { code: error.code } : {}),
    stack: withoutValues(stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

const OPTIONS: LoggerOptions = {
  base: { pid: process.pid },
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }), log: allowListed },
  serializers: { err: describeError },
  mixin: () => ({ ...requestContext() }),
};

/** One JSON line per entry on stdout, with the request's id and operation, of allow-listed fields only. */
export const createLogger = (service: string, level = process.env.LOG_LEVEL ?? 'info'): Logger =>
  pino({ ...OPTIONS, level, base: { ...OPTIONS.base, service } });

export type { Logger };
