import {
  type Bindings,
  type ChildLoggerOptions,
  destination,
  type Logger,
  type LoggerOptions,
  pino,
  stdTimeFunctions,
} from 'pino';
import { requestContext } from './request-context.js';

/**
 * The only fields that reach a log. Anything else is dropped, so that a request body or a document logged by mistake
 * shows nothing personal.
 */
const ALLOWED = new Set([
  'account',
  'accountId',
  'address',
  'attempt',
  'bookingId',
  'bytes',
  'claimId',
  'code',
  'count',
  'database',
  'delayMs',
  'durationMs',
  'env',
  'err',
  'eventId',
  'eventType',
  'how',
  'inFlight',
  'method',
  'name',
  'objectId',
  'operation',
  'paymentId',
  'pid',
  'port',
  'reason',
  'requestId',
  'route',
  'seed',
  'service',
  'sessionId',
  'signal',
  'state',
  'status',
  'step',
  'stream',
  'subject',
  'target',
  'version',
]);

// A value that is itself an object could hold anything; only what describes an error is made of several.
const isTold = (key: string, value: unknown): boolean =>
  ALLOWED.has(key) && (key === 'err' || typeof value !== 'object' || value === null);

// By hand: it makes far less garbage than entries do, and there is a line for every request.
function allowListed(fields: Record<string, unknown>): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) if (isTold(key, fields[key])) told[key] = fields[key];
  return told;
}

const [WRITTEN_BYTES, WRITTEN_WITHIN_MS] = [12_288, 100];
const MAX_CAUSES = 5;

// A duplicate-key message quotes the stored value, which may be a name or an address.
const withoutValues = (text: string): string => text.replace(/dup key:.*/s, 'dup key');

function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: withoutValues(String(error)) };
  const { name, message, stack } = error;
  return {
    name,
    message: withoutValues(message),
    ...('code' in error ? { code: error.code } : {}),
    stack: withoutValues(stack ?? ''),
    ...(error.cause === undefined || depth === MAX_CAUSES ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}

// pino takes the message of an error for the line's own where none is given.
const withoutValuesInText = (message: unknown): unknown =>
  typeof message === 'string' ? withoutValues(message) : message;

const OPTIONS: LoggerOptions = {
  base: { pid: process.pid },
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }), log: allowListed },
  serializers: { err: (error) => describeError(error), msg: withoutValuesInText },
  mixin: () => ({ ...requestContext() }),
};

type MakeChild = (this: Logger, bindings: Bindings, options?: ChildLoggerOptions) => Logger;

// pino writes what is bound to a child as it is: its formatters see only what is logged.
function withAllowedBindings(logger: Logger): Logger {
  // Its own type promises a logger of other custom levels, which this one does not have.
  const makeChild = logger.child as unknown as MakeChild;
  const { setBindings } = logger;
  const guarded: { child: MakeChild; setBindings: (this: Logger, bindings: Bindings) => void } = {
    child(bindings, options) {
      return makeChild.call(this, allowListed(bindings), options);
    },
    setBindings(bindings) {
      setBindings.call(this, allowListed(bindings));
    },
  };
  return Object.assign(logger, guarded);
}

// A write for each line costs a request as much as anything else it does.
const openStdout = () =>
  destination({ dest: 1, sync: false, minLength: WRITTEN_BYTES, periodicFlush: WRITTEN_WITHIN_MS });
let stdout: ReturnType<typeof openStdout> | undefined;

/**
 * One JSON line per entry on stdout, with the request's id and operation, of allow-listed fields only. Nobody waits for the
 * writing: lines leave together, at the latest after 100 ms, and when the process exits.
 */
export function createLogger(service: string, level = process.env.LOG_LEVEL ?? 'info'): Logger {
  const options = { ...OPTIONS, level, base: { ...OPTIONS.base, service } };
  if (level === 'silent') return withAllowedBindings(pino(options));
  stdout ??= openStdout();
  return withAllowedBindings(pino(options, stdout));
}

export type { Logger };
