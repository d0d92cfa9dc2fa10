const PASSING = new Set([503, 504]);
const MOST_TURNED_AWAY = 5;

/**
 * How long answers took, one request after the other.
 * @typedef {object} Latency
 * @property {number} requests
 * @property {number} p50Ms half of the answers took no longer.
 * @property {number} p95Ms
 * @property {number} maxMs
 */

/**
 * Asks for the same again and again, each time when the answer before has been read, as one client without haste does.
 * @param {object} subject
 * @param {string} subject.url
 * @param {Record<string, string>} subject.headers
 * @param {(body: object) => void} subject.check throws when an answer is not the one expected.
 * @param {{requests: number, warmUpRequests: number}} plan
 * @returns {Promise<Latency>}
 * @throws {Error} when anything but success was answered, or more than five requests were turned away by a busy machine.
 */
export async function measureLatency({ url, headers, check }, { requests, warmUpRequests }) {
  const times = [];
  let turnedAway = 0;
  for (let count = 0; count < warmUpRequests + requests; ) {
    const startedAtMs = performance.now();
    const response = await fetch(url, { headers });
    const text = await response.text();
    const tookMs = performance.now() - startedAtMs;
    // A machine that does other work besides may let single requests run out; their time would say nothing.
    if (PASSING.has(response.status) && ++turnedAway <= MOST_TURNED_AWAY) continue;
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
    check(JSON.parse(text));
    if (count >= warmUpRequests) times.push(tookMs);
    count += 1;
  }
  return latencyOf(times);
}

function latencyOf(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const percentile = (percent) => sorted[Math.ceil((sorted.length * percent) / 100) - 1];
  return { requests: sorted.length, p50Ms: percentile(50), p95Ms: percentile(95), maxMs: sorted.at(-1) };
}
