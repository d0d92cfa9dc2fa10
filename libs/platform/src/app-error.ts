import { type ErrorBody, type ErrorCode, type ErrorDetails, REASONS, type Reason } from '@swim/contracts';

/** Optional parts of an error beside its reason. */
export interface ErrorExtras {
  /** Name of the offending field, dotted. */
  field?: string;
  /** Replaces the reason's own message; public. */
  message?: string;
  /** Further members of `error.details`; public. */
  details?: Record<string, unknown>;
  /** Seconds after which a retry makes sense. */
  retryAfterSeconds?: number;
  /** Never leaves the process. */
  cause?: unknown;
}

/** A public error: one of the seven codes with a stable reason. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly reason: Reason,
    extras: ErrorExtras = {},
  ) {
    super(extras.message ?? REASONS[reason].message, { cause: extras.cause });
    this.name = 'AppError';
    this.code = REASONS[reason].code;
    this.details = { ...(extras.field === undefined ? {} : { field: extras.field }), reason, ...extras.details };
    if (this.code === 'VALIDATION_ERROR') this.details.errors ??= [{ field: extras.field ?? '', reason }];
    this.retryAfterSeconds = extras.retryAfterSeconds;
  }

  /** The `error` member of the public envelope. */
  toBody(): ErrorBody {
    return { code: this.code, message: this.message, details: this.details };
  }

  /** Rebuilds the error of another process, keeping every member of its details. */
  static fromBody(body: ErrorBody, retryAfterSeconds?: number): AppError {
    const reason = (body.details.reason in REASONS ? body.details.reason : 'internal') as Reason;
    const error = new AppError(reason, { message: body.message, ...(retryAfterSeconds ? { retryAfterSeconds } : {}) });
    Object.assign(error, { code: body.code, details: body.details });
    return error;
  }
}

/** Whether this failure is the service's own fault and leaves open whether the work was done. */
export const isServerFault = (error: unknown): boolean => !(error instanceof AppError) || error.code === 'SERVER_ERROR';
