/** First pause before a retry, in milliseconds; each later one is twice as long. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** A longer Retry-After is not waited for: the error names it. */
const LONGEST_RETRY_AFTER_SECONDS = 60;

/** The outcome of a try that failed. `status` is null where no answer came. */
export interface Failure {
  readonly status: number | null;
  readonly reason: string | null;
  readonly retryAfterSeconds: number | null;
}

/** A 409 of one of these says that another change is in progress: the same request may succeed a moment later. */
const PASSING: ReadonlySet<string | null> = new Set(['idempotency_in_progress', 'change_in_progress', 'busy_retry']);

/**
 * Whether a try may be repeated. A request that is not repeatable (a write without idempotency key) is repeated only where
 * the service has certainly not begun with it.
 */
export function isRetried({ status, reason, retryAfterSeconds }: Failure, isRepeatable: boolean): boolean {
  if (retryAfterSeconds !== null && retryAfterSeconds > LONGEST_RETRY_AFTER_SECONDS) return false;
  if (status === 429) return true;
  if (status === 409) return retryAfterSeconds !== null || PASSING.has(reason);
  return isRepeatable && (status === null || status >= 500);
}

/**
 * Milliseconds to wait before retry number `retry`, from 0: exponential, half of it random, so that clients that failed
 * together do not return together; never less than Retry-After. `random` is from 0 to 1.
 */
export function pauseMs(retry: number, retryAfterSeconds: number | null, random: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry);
  const pause = longest * (0.5 + random / 2);
  return retryAfterSeconds === null ? pause : retryAfterSeconds * 1_000 + (random * FIRST_PAUSE_MS) / 2;
}

/** Resolves after a time; rejects with the reason of the signal when that is aborted before. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
