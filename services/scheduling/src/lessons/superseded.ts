import { AppError } from '@swim/platform';

const PATIENCE_MS = 300;

/** The error of a change to a session that another move has superseded since the session was read. */
export const superseded = (): AppError => new AppError('change_in_progress', { retryAfterSeconds: 1 });

/**
 * Repeats a change that reads its session, while moves supersede it. Fails with `change_in_progress` 300 ms after it was first
 * superseded; each try checks the deadline of its request.
 */
export async function repeatSuperseded<T>(change: () => Promise<T>): Promise<T> {
  let endsAtMs: number | undefined;
  for (;;) {
    try {
      return await change();
    } catch (error) {
      const isSuperseded = error instanceof AppError && error.reason === 'change_in_progress';
      endsAtMs ??= performance.now() + PATIENCE_MS;
      if (!isSuperseded || performance.now() >= endsAtMs) throw error;
    }
  }
}
