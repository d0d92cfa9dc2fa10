const EVERY_MS = 10_000;

/**
 * Tells a person what is being done: a line at its beginning, one every 10 s meanwhile, one at its end.
 * @param {(line: string) => void} log
 * @param {string} title what is being done.
 * @param {(update: (text: string) => void) => Promise<string>} work is handed `update`, to be told how far it is, and answers
 *   what the last line is to say.
 * @returns {Promise<void>} rejects as `work` does, without a last line.
 */
export async function logProgress(log, title, work) {
  const startedAt = Date.now();
  let latest = 'at work';
  const say = (text) => log(`${title}: ${text} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
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
