import { AppError, type Logger, operationSeconds } from '@swim/platform';

/** What is logged of every request: its route, never its path, query, headers or body. */
export interface AnsweredRequest {
  requestId: string;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  accountId: string | undefined;
  /** The key that was presented, whether or not it was let in; undefined where none, or none that is well-formed. */
  keyId: string | undefined;
  /** Where it came from, to the /24 or /64. */
  network: string;
  /** W3C trace context that the client sent. */
  traceparent: string | undefined;
}

/** One line and one observation for each answer. */
export class RequestLog {
  constructor(private readonly logger: Logger) {}

  answered(request: AnsweredRequest): void {
    operationSeconds.observe(
      { operation: `${request.method} ${request.route}`, outcome: String(request.status) },
      request.durationMs / 1000,
    );
    if (this.logger.isLevelEnabled('info')) this.logger.info(request, 'answered');
  }

  /** Logs what is not an expected error; the cause of an outage is logged at `debug`. */
  failed(requestId: string, error: unknown): void {
    if (!(error instanceof AppError)) this.logger.error({ err: error, requestId }, 'request failed');
    else if (error.cause !== undefined) this.logger.debug({ err: error, requestId }, 'request rejected');
  }
}
