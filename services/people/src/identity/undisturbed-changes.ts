import { AppError } from '@swim/platform';

const MOST_TRIES = 12;

/** The error of a change that concurrent changes keep from being stored: the client may repeat it a second later. */
export const changeInProgress = () => new AppError('change_in_progress', { retryAfterSeconds: 1 });

/** The result of the work once no concurrent change intervened, which it reports as null. Throws `change_in_progress`. */
export async function untilUndisturbed<T>(work: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const done = await work();
    if (done !== null) return done;
  }
  throw changeInProgress();
}
