import { AsyncLocalStorage } from 'node:async_hooks';

/** What every log line of a request carries. Nothing here decides anything: rights and deadlines travel as arguments. */
export interface LogContext {
  requestId: string;
  operation: string;
  accountId?: string;
  env?: string;
  /** W3C traceparent of the client's request. */
  traceparent?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** Runs `work` with this context on all log lines below it. */
export const withLogContext = <T>(context: LogContext, work: () => T): T => storage.run(context, work);

/** Context of the request at hand, if any. */
export const logContext = (): LogContext | undefined => storage.getStore();
