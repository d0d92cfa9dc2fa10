import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields of every log line of a request. No decision depends on them: rights and deadlines are passed as arguments. */
export interface LogContext {
  requestId: string;
  operation: string;
  accountId?: string;
  /** W3C trace context of the work. */
  traceparent?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** Runs `work` with this context on all log lines below it. */
export const withLogContext = <T>(context: LogContext, work: () => T): T => storage.run(context, work);

/** Context of the current request, if any. */
export const logContext = (): LogContext | undefined => storage.getStore();
