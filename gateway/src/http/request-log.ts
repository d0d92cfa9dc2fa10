import { AppError, type Logger, operationSeconds } from '@swim/platform';

/** The log entry of a request: its route, never its path, query, headers or body. */
export interface AnsweredRequest {
  requestId: string;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  accountId: string | undefined;
  /** The key that was presented, whether or not it was accepted; undefined without a well-formed one. */
  keyId: string | undefined;
  /** The client's network, /24 or /64. */
  network: string;
  /** The W3C trace context of the client, or of the request's span. */
  traceparent: string | undefined;
}

/** The members of an entry that the metric contains. */
type Answered = Pick<AnsweredRequest, 'method' | 'route' | 'status' | 'durationMs'>;

/** Writes a log line and a metric for each answer. */
export class RequestLog {
  constructor(private readonly logger: Logger) {}

  /** Counts an answer, and logs it; `describe` is only called when the log has the line. */
  answered(answer: Answered, describe: () => Omit<AnsweredRequest, keyof Answered>): void {
    const { method, route, status, durationMs } = answer;
    operationSeconds.observe({ operation: `${method} ${route}`, outcome: String(status) }, durationMs / 1000);
    if (this.logger.isLevelEnabled('info')) this.logger.info({ ...answer, ...describe() }, 'answered');
  }

  /** Logs that an answer has ended before it was whole: the client has a status of success, and no error. */
  brokenOff(requestId: string, error: unknown): void {
    this.logger.warn({ err: error, requestId }, 'answer broken off');
  }

  /** Logs unexpected errors, also those of services, whose logs have the cause; the cause of an expected one at `debug`. */
  failed(requestId: string, error: unknown): void {
    if (!(error instanceof AppError) || error.reason === 'internal')
      this.logger.error({ err: error, requestId }, 'request failed');
    else if (error.cause !== undefined) this.logger.debug({ err: error, requestId }, 'request rejected');
  }
}
