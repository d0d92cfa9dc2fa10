import type {
  AuthenticationDetails,
  AuthorizationDetails,
  ConflictDetails,
  NotFoundDetails,
  RateLimitExceededDetails,
  ServerDetails,
  ValidationDetails,
} from './generated/models.js';

/** Every error that the client throws. */
export class SwimError extends Error {
  override readonly name: string = 'SwimError';
}

/** No answer came: the connection failed or was closed. Whether the request took effect is not known. */
export class ConnectionError extends SwimError {
  override readonly name: string = 'ConnectionError';
}

/** No answer came within `timeoutMs`. Whether the request took effect is not known. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** An answer that is not the API's, for instance the HTML page of a proxy. */
export class UnexpectedAnswerError extends SwimError {
  override readonly name = 'UnexpectedAnswerError';

  constructor(
    message: string,
    /** HTTP status of the answer. */
    readonly status: number,
  ) {
    super(message);
  }
}

/** What an error of the API consists of, beside its class. */
export interface ErrorFacts<D> {
  readonly code: string;
  readonly message: string;
  readonly details: D;
  readonly status: number;
  readonly requestId: string | null;
  /** Seconds of the header Retry-After. */
  readonly retryAfterSeconds: number | null;
}

/** An error that the API answered. Branch on its class and on `details.reason`, which are stable; the message may change. */
export class ApiError<D extends { reason: string } = { reason: string }> extends SwimError {
  override readonly name: string = 'ApiError';
  /** One of the seven codes of the API. */
  readonly code: string;
  /** The stable reason, and what belongs to it. */
  readonly details: D;
  /** HTTP status. */
  readonly status: number;
  /** Identifier of the request, for logs and support; null where the answer has none. */
  readonly requestId: string | null;
  /** Seconds after which a retry makes sense; null where the answer names none. */
  readonly retryAfterSeconds: number | null;

  constructor({ code, message, details, status, requestId, retryAfterSeconds }: ErrorFacts<D>) {
    super(requestId === null ? message : `${message} (${requestId})`);
    this.code = code;
    this.details = details;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 401: the key is missing, malformed, unknown, expired or revoked. */
export class AuthenticationError extends ApiError<AuthenticationDetails> {
  override readonly name = 'AuthenticationError';
}

/** 403: the key lacks the scope in `details.scope`, or the account is another one. */
export class AuthorizationError extends ApiError<AuthorizationDetails> {
  override readonly name = 'AuthorizationError';
}

/** 400, 402, 413, 415, 422, 431: bad input; `details.errors` names every field. A declined card is one too (402). */
export class ValidationError extends ApiError<ValidationDetails> {
  override readonly name = 'ValidationError';
}

/** 404: the object does not exist, or the key may not see it. */
export class NotFoundError extends ApiError<NotFoundDetails> {
  override readonly name = 'NotFoundError';
}

/** 409: the time is taken, or the object's state does not allow it. */
export class ConflictError extends ApiError<ConflictDetails> {
  override readonly name = 'ConflictError';
}

/** 429: the limit of the hour or the minute is reached. */
export class RateLimitError extends ApiError<RateLimitExceededDetails> {
  override readonly name = 'RateLimitError';
}

/** 5xx: something failed at the service. A write with an idempotency key is safe to repeat. */
export class ServerError extends ApiError<ServerDetails> {
  override readonly name = 'ServerError';
}

const CLASSES = {
  AUTHENTICATION_ERROR: AuthenticationError,
  AUTHORIZATION_ERROR: AuthorizationError,
  VALIDATION_ERROR: ValidationError,
  NOT_FOUND: NotFoundError,
  CONFLICT: ConflictError,
  RATE_LIMIT_EXCEEDED: RateLimitError,
  SERVER_ERROR: ServerError,
} as Record<string, new (facts: ErrorFacts<never>) => ApiError>;

/** The error of an answer, by its code; of a code that this version does not know, an ApiError. */
export function errorOf(facts: ErrorFacts<{ reason: string }>): ApiError {
  const Class = CLASSES[facts.code];
  return Class ? new Class(facts as ErrorFacts<never>) : new ApiError(facts);
}
