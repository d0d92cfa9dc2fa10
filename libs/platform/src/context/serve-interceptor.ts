import type { Operation } from '@swim/contracts';
import type { Answer } from '../errors/answer.js';
import type { AppError } from '../errors/app-error.js';
import type { RequestContext } from './request-context.js';

/** Runs around the handler of every write; idempotency is implemented as one. */
export interface ServeInterceptor {
  /** `run` executes the handler with its context argument and resolves to its answer, errors included. */
  intercept(
    operation: Operation,
    context: RequestContext,
    run: (context: RequestContext) => Promise<Answer>,
  ): Promise<Answer>;
  /** Returns the AppError for a failure: `unavailable` for an unreachable database, null for any other failure. */
  explain(error: unknown): AppError | null;
}
