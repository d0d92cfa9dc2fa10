import { ApiError, ConnectionError, errorOf, TimeoutError, UnexpectedAnswerError } from './errors.js';
import type { Meta, Pagination } from './generated/models.js';
import { type Failure, isRetried, pauseMs, wait } from './retry.js';

/** How a client reaches the API. */
export interface ClientOptions {
  /**
   * API key: `swl_test_…` of the sandbox, or `swl_live_…`. Keep it on a server. Null sends no `Authorization`, for a `fetch` that
   * authenticates by itself.
   */
  readonly apiKey: string | null;
  /** Address of the API with its version: `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** Milliseconds that one try of a request may take; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** How often a request that failed for a passing reason is tried again; 2 by default. */
  readonly maxRetries?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Called before each try of a request; may change its headers, for instance to add a `traceparent`. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
  /** Called when the head of an answer has come, after each try. */
  readonly onResponse?: ((response: ReceivedResponse) => void) | undefined;
}

/** A try of a request, as `onRequest` receives it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
}

/** The answer of a try, as `onResponse` receives it. */
export interface ReceivedResponse {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Milliseconds from the request to the head of its answer. */
  readonly durationMs: number;
}

/** What one request may differ in. */
export interface RequestOptions {
  /** Ends the request, and the wait before a retry. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}

/** A request as it is sent. */
export interface ApiRequest extends RequestOptions {
  readonly method: string;
  /** Path and query below the base URL. */
  readonly target: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Whether sending it twice has the effect of sending it once. */
  readonly isRepeatable: boolean;
}

/** A successful answer of the API. */
export interface ApiAnswer<T> {
  readonly data: T;
  /** Absent where the answer has no body (204). */
  readonly meta: Meta | undefined;
  /** Present for lists only. */
  readonly pagination: Pagination | undefined;
  readonly status: number;
  readonly headers: Headers;
}

interface Envelope {
  data?: unknown;
  error?: { code: string; message: string; details: { reason: string } };
  meta?: Meta;
  pagination?: Pagination;
}

const VERSION = '0.1.0';
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 2;

const secondsOf = (headers: Headers): number | null => {
  const text = headers.get('retry-after');
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
};

function failureOf(error: unknown): Failure | null {
  if (error instanceof ApiError)
    return { status: error.status, reason: error.details.reason, retryAfterSeconds: error.retryAfterSeconds };
  if (error instanceof UnexpectedAnswerError) return { status: error.status, reason: null, retryAfterSeconds: null };
  return error instanceof ConnectionError ? { status: null, reason: null, retryAfterSeconds: null } : null;
}

/** Sends requests by `fetch`: with the key, a time limit, and retries. */
export class Transport {
  readonly #authorization: Readonly<Record<string, string>>;
  readonly #baseUrl: string;
  readonly #fetch: typeof fetch;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;
  readonly #hooks: Pick<ClientOptions, 'onRequest' | 'onResponse'>;

  constructor({ apiKey, baseUrl, timeoutMs, maxRetries, fetch: given, onRequest, onResponse }: ClientOptions) {
    if (apiKey === undefined || apiKey === '') throw new TypeError('`apiKey` is missing.');
    if (!URL.canParse(baseUrl))
      throw new TypeError('`baseUrl` must be a URL with its version, such as https://api.example.com/v1.');
    this.#authorization = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#timeoutMs = timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#maxRetries = maxRetries ?? DEFAULT_RETRIES;
    this.#hooks = { onRequest, onResponse };
    // Browsers and some runtimes require `fetch` to be called on the global object.
    this.#fetch = given ?? ((...parameters) => globalThis.fetch(...parameters));
  }

  /** Sends a request until it is answered. Throws an ApiError, or a ConnectionError where no answer came. */
  async send<T>(request: ApiRequest): Promise<ApiAnswer<T>> {
    const retries = request.maxRetries ?? this.#maxRetries;
    let isUncertain = false;
    for (let retry = 0; ; retry++) {
      try {
        return await this.#try<T>(request);
      } catch (error) {
        if (isUncertain && isGone(request, error)) return nothing<T>(error);
        const failure = failureOf(error);
        if (failure === null || retry >= retries || !isRetried(failure, request.isRepeatable)) throw error;
        isUncertain ||= failure.status === null || failure.status >= 500;
        await wait(pauseMs(retry, failure.retryAfterSeconds, Math.random()), request.signal);
      }
    }
  }

  /** Sends a request once, and returns its response unread. Only until its head has come does the time limit apply. */
  async open({ method, target, body, headers, signal }: ApiRequest, limit?: AbortSignal): Promise<Response> {
    const sent = new Headers({
      ...this.#authorization,
      accept: 'application/json',
      'user-agent': `swim-sdk/${VERSION}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    });
    const tried = { method, url: this.#baseUrl + target };
    this.#hooks.onRequest?.({ ...tried, headers: sent });
    const startedAt = performance.now();
    const response = await this.#fetched(tried.url, { method, headers: sent }, { body, signal, limit });
    const durationMs = performance.now() - startedAt;
    this.#hooks.onResponse?.({ ...tried, status: response.status, headers: response.headers, durationMs });
    return response;
  }

  async #fetched(
    url: string,
    request: RequestInit,
    { body, signal, limit }: { body: unknown; signal: AbortSignal | undefined; limit: AbortSignal | undefined },
  ): Promise<Response> {
    const signals = [signal, limit].filter((each) => each !== undefined);
    try {
      return await this.#fetch(url, {
        ...request,
        // A redirect would take the key elsewhere.
        redirect: 'error',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
      });
    } catch (error) {
      throw this.#lost(error, signal, limit);
    }
  }

  async #try<T>(request: ApiRequest): Promise<ApiAnswer<T>> {
    const limit = AbortSignal.timeout(request.timeoutMs ?? this.#timeoutMs);
    const response = await this.open(request, limit);
    const text = await response.text().catch((error) => {
      throw this.#lost(error, request.signal, limit);
    });
    return readAnswer<T>(response, text);
  }

  #lost(error: unknown, signal: AbortSignal | undefined, limit: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    if (limit?.aborted) return new TimeoutError('The API did not answer in time.', { cause: error });
    return new ConnectionError('The connection to the API failed.', { cause: error });
  }
}

/** Whether what a lost answer left open was done: the object that a DELETE was to remove is not there any more. */
const isGone = ({ method }: ApiRequest, error: unknown): boolean =>
  method === 'DELETE' && error instanceof ApiError && error.details.reason === 'resource_not_found';

const nothing = <T>(error: unknown): ApiAnswer<T> => ({
  data: undefined as T,
  meta: undefined,
  pagination: undefined,
  status: (error as ApiError).status,
  headers: new Headers(),
});

/** Reads the envelope. Throws the error that it contains. */
export function readAnswer<T>({ status, headers }: Response, text: string): ApiAnswer<T> {
  const { data, error, meta, pagination } = text === '' ? ({} as Envelope) : parsed(text, status);
  if (status < 400 && (text === '' || data !== undefined))
    return { data: data as T, meta, pagination, status, headers };
  if (error === undefined) throw new UnexpectedAnswerError(`The answer (${status}) is not one of the API.`, status);
  throw errorOf({
    ...error,
    status,
    requestId: meta?.request_id ?? headers.get('x-request-id'),
    retryAfterSeconds: secondsOf(headers),
  });
}

function parsed(text: string, status: number): Envelope {
  try {
    return (JSON.parse(text) as Envelope | null) ?? {};
  } catch {
    throw new UnexpectedAnswerError(`The answer (${status}) is not JSON.`, status);
  }
}
