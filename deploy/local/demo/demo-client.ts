import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRIED_WITHIN_MS = 30_000;
const LONGEST_PAUSE_MS = 1_000;
// These reasons pass by themselves: an earlier attempt without a response still runs, or a concurrent change
// intervened.
const PASSING_REASONS = new Set(['idempotency_in_progress', 'change_in_progress']);
const PAGES = 20;

/** A rejection by the API, with its own message. */
export class RejectedRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Client of the API for one account. Each method returns `data`, and throws a RejectedRequest when the API rejects;
 * rejections by a busy machine are retried for 30 s.
 */
export interface DemoClient {
  get<T>(path: string): Promise<T>;
  /** Reads the pages of a list until an item matches. */
  find<T>(path: string, matches: (item: T) => boolean): Promise<T | undefined>;
  /** Sends the Idempotency-Key `demo-<name>-…`. */
  create<T>(path: string, name: string, body: object): Promise<T>;
}

interface Answer {
  data?: unknown;
  pagination?: { next_cursor: string | null };
  error?: { message?: string; details?: { reason?: string } };
}

/**
 * @param baseUrl - the address with the version, without a slash at its end.
 * @param key - a key of the account.
 */
export function demoClient(baseUrl: string, key: string): DemoClient {
  const send = async (method: string, path: string, body?: object, headers = {}): Promise<Answer> => {
    const options = {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    };
    const { status, answer } = await fetchAnswer(`${baseUrl}${path}`, options);
    if (answer && status < 300) return answer;
    const { message = 'no reason given', details = {} } = answer?.error ?? {};
    const text = `${method} ${path} answered ${status}: ${message} ${JSON.stringify(details)}`;
    throw new RejectedRequest(status, text);
  };

  async function find<T>(path: string, matches: (item: T) => boolean) {
    const separator = path.includes('?') ? '&' : '?';
    let cursor: string | null | undefined = '';
    for (let page = 0; page < PAGES && typeof cursor === 'string'; page += 1) {
      const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const answer = await send('GET', `${path}${separator}limit=100${after}`);
      const found = (answer.data as T[]).find(matches);
      if (found) return found;
      cursor = answer.pagination?.next_cursor;
    }
    return undefined;
  }

  async function create<T>(path: string, name: string, body: object) {
    // Each start has a new key, because the same key would return objects that were deleted meanwhile.
    const idempotencyKey = `demo-${name}-${crypto.randomUUID()}`;
    const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    return (await send('POST', path, body, headers)).data as T;
  }

  return { get: async <T>(path: string) => (await send('GET', path)).data as T, find, create };
}

async function fetchAnswer(url: string, options: RequestInit): Promise<{ status: number; answer: Answer | null }> {
  const endsAtMs = Date.now() + RETRIED_WITHIN_MS;
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(10_000) }).catch(
      (error: Error & { cause?: Error }) => error,
    );
    const isLast = Date.now() > endsAtMs;
    if (response instanceof Error) {
      if (isLast) throw new Error(`${url} cannot be reached: ${response.cause?.message ?? response.message}`);
    } else {
      const answer = (await response.json().catch(() => null)) as Answer | null;
      const passes = response.status >= 502 || PASSING_REASONS.has(answer?.error?.details?.reason ?? '');
      if (isLast || !passes) return { status: response.status, answer };
    }
    await sleep(Math.min(200 * tries, LONGEST_PAUSE_MS));
  }
}
