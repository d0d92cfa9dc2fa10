const TRIES = 3;

/**
 * Runs a check of something that real time bounds, again when it fails: one run may be held up for seconds by what else
 * this machine does, three in a row are not. Each run must make what it needs anew. Throws what the last one threw.
 */
export async function ofSeveralTries(check: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await check();
    } catch (error) {
      if (tried === TRIES) throw error;
    }
  }
}
