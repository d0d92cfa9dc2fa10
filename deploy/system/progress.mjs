const EVERY_MS = 10_000;

/**
 * Logs the progress of work: a line at its start, one every 10 s meanwhile, one at its end.
 * @param {(line: string) => void} log
 * @param {string} title what is being done.
 * @param {(update: (text: string) => void) => Promise<string>} work gets `update` to report its progress, and returns the
 *   last line.
 * @returns {Promise<void>} rejects as `work` does, without a last line.
 */
export async function logProgress(log, title, work) {
  const startedAt = Date.now();
  let latest = 'at work';
  const say = (/** @type {string} */ text) =>
    log(`${title}: ${text} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  log(`${title} …`);
  const timer = setInterval(() => say(latest), EVERY_MS);
  try {
    const last = await work((text) => {
      latest = text;
    });
    say(last);
  } finally {
    clearInterval(timer);
  }
}
