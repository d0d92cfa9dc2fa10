import type { Operation } from '@swim/contracts';
import type { AppError } from '@swim/platform';
import type { Answer } from './answer.js';
import type { Call } from './call.js';

/** Stands between the door and the story of every write; the idempotency record lives in one. */
export interface ServeInterceptor {
  /** `run` executes the story with the call it is given and resolves to its answer, refusals included. */
  intercept(operation: Operation, call: Call, run: (call: Call) => Promise<Answer>): Promise<Answer>;
  /** What a failure below the story means to callers: `unavailable` for storage out of reach; null when it is just a failure. */
  explain(error: unknown): AppError | null;
}
