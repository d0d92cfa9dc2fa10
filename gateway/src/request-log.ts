import { AppError, type Logger, operationSeconds } from '@swim/platform';

/** What is told of every request: its route, never its path, query, headers or body. */
export interface AnsweredRequest {
  requestId: string;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  accountId: string | undefined;
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

  /** Tells of what is not a refusal; what lies behind an outage is told to those who debug one. */
  failed(requestId: string, error: unknown): void {
    if (!(error instanceof AppError)) this.logger.error({ err: error, requestId }, 'request failed');
    else if (error.cause !== undefined) this.logger.debug({ err: error, requestId }, 'request refused');
  }
}
