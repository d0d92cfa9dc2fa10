/**
 * Sends a request and reads its answer.
 * @param {string} url
 * @param {RequestInit} options
 * @returns {Promise<{ms: number, body: object}>}
 * @throws {Error} when anything but success was answered: such a time would say nothing.
 */
export async function timed(url, options) {
  const startedAtMs = performance.now();
  const response = await fetch(url, options);
  const text = await response.text();
  const ms = performance.now() - startedAtMs;
  if (!response.ok) throw new Error(`${options.method ?? 'GET'} ${url} answered ${response.status}: ${text}`);
  return { ms, body: JSON.parse(text) };
}

/**
 * @param {number[]} times at least one.
 * @param {number} percent
 * @returns {number} so many percent of the times are no longer.
 */
export function percentileOf(times, percent) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.max(Math.ceil((sorted.length * percent) / 100) - 1, 0)];
}

/** A time as it is printed. */
export const milliseconds = (value) => `${value.toLocaleString('en-GB', { maximumFractionDigits: 1 })} ms`;
