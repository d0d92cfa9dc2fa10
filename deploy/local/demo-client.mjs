import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRIED_WITHIN_MS = 30_000;
const LONGEST_PAUSE_MS = 1_000;
// Reasons that pass: an earlier attempt without a response still runs, or a concurrent change intervened.
const PASSING_REASONS = new Set(['idempotency_in_progress', 'change_in_progress']);
const PAGES = 20;

/**
 * Client of the API for one account.
 * @param {string} baseUrl with the version, without a slash at its end.
 * @param {string} key of the account.
 * @returns {{
 *   get: (path: string) => Promise<any>,
 *   find: (path: string, matches: (item: any) => boolean) => Promise<any>,
 *   create: (path: string, name: string, body: object) => Promise<any>,
 * }} each returns `data`; `find` looks through the pages of a list; `create` sends the Idempotency-Key `demo-<name>-…`.
 *   They throw an Error with the API's own message when it rejects; rejections by a busy machine are retried for 30 s.
 */
export function demoClient(baseUrl, key) {
  const send = async (method, path, body, headers = {}) => {
    const options = {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: body && JSON.stringify(body),
    };
    const { status, answer } = await fetchAnswer(`${baseUrl}${path}`, options);
    if (status < 300) return answer;
    throw new Error(
      `${method} ${path} answered ${status}: ${answer?.error?.message ?? 'no reason given'} ${JSON.stringify(answer?.error?.details ?? {})}`,
    );
  };

  async function find(path, matches) {
    const separator = path.includes('?') ? '&' : '?';
    for (let page = 0, cursor = ''; page < PAGES && cursor !== null; page += 1) {
      const answer = await send(
        'GET',
        `${path}${separator}limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      const found = answer.data.find(matches);
      if (found) return found;
      cursor = answer.pagination.next_cursor;
    }
    return undefined;
  }

  async function create(path, name, body) {
    // A new key for each start: the same one would return objects that were deleted meanwhile.
    const idempotencyKey = `demo-${name}-${crypto.randomUUID()}`;
    const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    return (await send('POST', path, body, headers)).data;
  }

  return { get: async (path) => (await send('GET', path)).data, find, create };
}

async function fetchAnswer(url, options) {
  const endsAtMs = Date.now() + RETRIED_WITHIN_MS;
  for (let tries = 1; ; tries += 1) {
    const [response, error] = await fetch(url, { ...options, signal: AbortSignal.timeout(10_000) }).then(
      (answered) => [answered, null],
      (thrown) => [null, thrown],
    );
    const answer = await response?.json().catch(() => null);
    const passes = !response || response.status >= 502 || PASSING_REASONS.has(answer?.error?.details?.reason);
    if (!passes || Date.now() > endsAtMs) {
      if (!response) throw new Error(`${url} cannot be reached: ${error.cause?.message ?? error.message}`);
      return { status: response.status, answer };
    }
    await sleep(Math.min(200 * tries, LONGEST_PAUSE_MS));
  }
}
