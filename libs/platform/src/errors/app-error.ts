import {
  BOUND_NAMES,
  type Bounds,
  completed,
  type ErrorBody,
  type ErrorCode,
  type ErrorDetails,
  type FieldError,
  grants,
  namingField,
  type Principal,
  REASONS,
  type Reason,
  type Scope,
  WHOLE_BODY,
} from '@swim/contracts';

export interface ErrorExtras {
  /** Name of the offending field, dotted. */
  field?: string;
  /** Replaces the reason's own message; public. */
  message?: string;
  /** Further members of `error.details`; public. */
  details?: Record<string, unknown>;
  /** The limits of the field, which its entry in `details` states. `expected` is also the message when none is given. */
  bounds?: Bounds;
  /** Seconds after which a retry makes sense. */
  retryAfterSeconds?: number;
  /** The cause is logged, and never sent to clients. */
  cause?: unknown;
}

function messageOf(reason: Reason, { message, field, bounds }: ErrorExtras): string {
  const { code, message: usual } = REASONS[reason];
  if (message !== undefined || field === undefined || code !== 'VALIDATION_ERROR') return message ?? usual;
  return bounds?.expected === undefined ? namingField(field, usual) : `${field} must be ${bounds.expected}.`;
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
    super(messageOf(reason, extras), { cause: extras.cause });
    this.name = 'AppError';
    this.code = REASONS[reason].code;
    this.details = { ...(extras.field === undefined ? {} : { field: extras.field }), reason, ...extras.details };
    if (this.code === 'VALIDATION_ERROR') this.details.errors ??= [this.fieldError(extras)];
    this.retryAfterSeconds = extras.retryAfterSeconds;
  }

  private fieldError({ field = WHOLE_BODY, details = {}, bounds = {} }: ErrorExtras): FieldError {
    const stated = BOUND_NAMES.filter((name) => details[name] !== undefined).map((name) => [name, details[name]]);
    return completed({
      field,
      reason: this.reason,
      message: this.message,
      ...Object.fromEntries(stated),
      ...bounds,
    });
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

/** The object has changed since the version that the client sent. */
export const staleVersion = (sent: number, current: number): AppError =>
  new AppError('stale_version', {
    field: 'version',
    message: `version must be ${current}, the current version of the object; you sent ${sent}. Read the object again before you change it.`,
    details: { current_version: current },
  });

/**
 * The object is in a state that does not allow the operation.
 * @param rule - states the allowed states as a main clause: "Only a scheduled session can be cancelled".
 */
export const invalidState = (rule: string, status: string, field?: string): AppError =>
  new AppError('invalid_state', {
    ...(field === undefined ? {} : { field }),
    message: `${rule}; this one is ${status}.`,
    details: { status },
  });

/** The key of the request, or the role of its user, lacks a scope. */
export function missingScope(scope: Scope, { userId }: Pick<Principal, 'userId'>): AppError {
  const whose = userId === undefined ? 'This API key' : 'Your role';
  const remedy = userId === undefined ? 'Use a key that has it.' : 'Ask an owner of the account.';
  const message = `${whose} lacks the scope ${scope}. ${remedy}`;
  return new AppError('missing_scope', { message, details: { scope } });
}

/** Throws `missing_scope` when the key, or the user's role, lacks this scope. */
export function requireScope(scope: Scope, { principal }: { readonly principal: Principal }): void {
  if (!grants(principal.scopes, scope)) throw missingScope(scope, principal);
}

/** A server fault leaves open whether the work was done. */
export const isServerFault = (error: unknown): boolean => !(error instanceof AppError) || error.code === 'SERVER_ERROR';
