import { AppError } from '@swim/platform';

const PATIENCE_MS = 300;

/** The error of a change to a session that another move has superseded since the session was read. */
export const superseded = (): AppError => new AppError('change_in_progress', { retryAfterSeconds: 1 });

/** Repeats a change that reads its session, while moves supersede it; after 300 ms it fails with `change_in_progress`. */
export async function repeatSuperseded<T>(change: () => Promise<T>): Promise<T> {
  const endsAtMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await change();
    } catch (error) {
      const isSuperseded = error instanceof AppError && error.reason === 'change_in_progress';
      if (!isSuperseded || performance.now() > endsAtMs) throw error;
    }
  }
}
