import {
  type Bindings,
  type ChildLoggerOptions,
  destination,
  type LoggerOptions,
  type Logger as PinoLogger,
  pino,
  stdTimeFunctions,
} from 'pino';
import { findEnvironment } from '../context/environment.js';
import { logContext } from '../context/log-context.js';

/**
 * A log line has these fields only. Other fields do not compile, and are dropped where the type was unknown: a request
 * body or document that is logged by mistake reveals no personal data.
 */
const FIELDS = [
  'account',
  'accountId',
  'attempt',
  'bookingId',
  'bytes',
  'claimId',
  'code',
  'component',
  'count',
  'database',
  'delayMs',
  'durationMs',
  'env',
  'err',
  'eventId',
  'eventType',
  'holdId',
  'how',
  'inFlight',
  'keyId',
  'method',
  'network',
  'objectId',
  'offsetMs',
  'operation',
  'paymentId',
  'pid',
  'port',
  'reason',
  'refundId',
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
  'timezones',
  'traceparent',
  'version',
  'waitlistId',
] as const;
const ALLOWED = new Set<string>(FIELDS);

/** Fields of a log line: plain values, and in `err` the thrown value. */
export type LogFields = {
  [F in Exclude<(typeof FIELDS)[number], 'err'>]?: string | number | boolean | null | undefined;
} & {
  err?: unknown;
};

/** `T`, in which each forbidden field has the type never. */
type Loggable<T> = T & { [F in Exclude<keyof T, keyof LogFields>]: never };

interface LogMethod {
  (message: string): void;
  <T extends LogFields>(fields: Loggable<T>, message: string): void;
}

/** Writes log lines with the allowed fields. */
export interface Logger extends Record<'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace', LogMethod> {
  isLevelEnabled(level: string): boolean;
}

// A nested object could contain anything; only descriptions of errors are objects.
const isAllowed = (key: string, value: unknown): boolean =>
  ALLOWED.has(key) && (key === 'err' || typeof value !== 'object' || value === null);

// A loop creates far less garbage than Object.entries, and every request logs a line.
function allowListed(fields: Record<string, unknown>): Record<string, unknown> {
  const allowed: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) if (isAllowed(key, fields[key])) allowed[key] = fields[key];
  return allowed;
}

const WRITTEN_CHARACTERS = 12_288;
const WRITTEN_WITHIN_MS = 100;
const MAX_CAUSES = 5;

// A duplicate-key message quotes the stored value, which may be personal data.
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

// Without a message, pino uses the error's message for the line.
const withoutValuesInText = (message: unknown): unknown =>
  typeof message === 'string' ? withoutValues(message) : message;

const OPTIONS: LoggerOptions = {
  base: { pid: process.pid },
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }), log: allowListed },
  serializers: { err: (error) => describeError(error), msg: withoutValuesInText },
  mixin: () => {
    const env = findEnvironment();
    return { ...logContext(), ...(env && { env }) };
  },
};

type MakeChild = (this: PinoLogger, bindings: Bindings, options?: ChildLoggerOptions) => PinoLogger;

// pino writes the bindings of a child unchanged: its formatters get only logged fields.
function withAllowedBindings(logger: PinoLogger): PinoLogger {
  // Its type requires custom levels, which this logger does not have.
  const makeChild = logger.child as unknown as MakeChild;
  const { setBindings } = logger;
  const guarded: { child: MakeChild; setBindings: (this: PinoLogger, bindings: Bindings) => void } = {
    child(bindings, options) {
      return makeChild.call(this, allowListed(bindings), options);
    },
    setBindings(bindings) {
      setBindings.call(this, allowListed(bindings));
    },
  };
  return Object.assign(logger, guarded);
}

/** Standard output, written in batches: a write per line would cost a request as much as all its other work. */
function openStdout() {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '' && !isClosed) file.write(lines);
    lines = '';
  };
  // Registered before the listeners of the destination, which flush what it was given until then.
  process.on('beforeExit', write).on('exit', write);
  const file = destination({ dest: 1, sync: false });
  file.once('close', () => {
    isClosed = true;
  });
  return {
    write(line: string) {
      lines += line;
      if (lines.length >= WRITTEN_CHARACTERS) write();
      else timer ??= setTimeout(write, WRITTEN_WITHIN_MS).unref();
    },
    flushSync() {
      write();
      file.flushSync();
    },
  };
}
let stdout: ReturnType<typeof openStdout> | undefined;

/**
 * Logs one JSON line per entry to stdout, with the request's id and operation, with allowed fields only. Writes are
 * asynchronous: lines are written in batches, at the latest after 100 ms, and when the process exits.
 */
export function createLogger(service: string, level = process.env.LOG_LEVEL ?? 'info'): Logger {
  const options = { ...OPTIONS, level, base: { ...OPTIONS.base, service } };
  if (level === 'silent') return withAllowedBindings(pino(options));
  stdout ??= openStdout();
  return withAllowedBindings(pino(options, stdout));
}
