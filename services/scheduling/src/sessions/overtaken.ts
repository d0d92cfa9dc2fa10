import { AppError } from '@swim/platform';

const PATIENCE_MS = 300;

/** The error of a change to a session that another move has overtaken since the session was read. */
export const overtaken = (): AppError => new AppError('change_in_progress', { retryAfterSeconds: 1 });

/** Repeats a change that reads its session, while moves overtake it; after 300 ms it fails with `change_in_progress`. */
export async function repeatOvertaken<T>(change: () => Promise<T>): Promise<T> {
  const endsAtMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await change();
    } catch (error) {
      const isOvertaken = error instanceof AppError && error.reason === 'change_in_progress';
      if (!isOvertaken || performance.now() > endsAtMs) throw error;
    }
  }
}
