import { BOUND_NAMES, type ErrorBody, type FieldError, type Pagination } from '@swim/contracts';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';

/** The answer to a request, with an envelope that has been checked. */
export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it came. */
  readonly text: string;
  /** Only when `status` is 2xx. */
  readonly data: T;
  /** Only when `status` is not 2xx. */
  readonly error: ErrorBody;
  readonly pagination: Pagination;
  readonly meta: { timestamp: string; request_id: string; dry_run?: boolean; warnings?: (string | object)[] };
  /** How often the request was sent until this answer came. */
  readonly attempts: number;
}

/** The parts of a request beside its method and path. */
export interface SendOptions {
  body?: object;
  /** Sent as it stands in place of `body`. */
  raw?: string;
  headers?: Record<string, string>;
}

const STATUSES: Record<string, readonly number[]> = {
  AUTHENTICATION_ERROR: [401],
  AUTHORIZATION_ERROR: [403],
  VALIDATION_ERROR: [400, 402, 413, 415, 422, 431],
  NOT_FOUND: [404, 405],
  CONFLICT: [409],
  RATE_LIMIT_EXCEEDED: [429],
  SERVER_ERROR: [500, 502, 503, 504],
};
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Whether an entry of `errors` says what is wrong with which field, and what would be right (contract, HTTP). */
const isComplete = (entry: FieldError): boolean =>
  Boolean(entry.field && entry.reason && entry.message) && BOUND_NAMES.some((name) => entry[name] !== undefined);

type Envelope = Partial<Answer> & { success?: boolean };

/** Everything that is wrong with an answer's envelope (contract, HTTP); empty when all is well. */
export function faultsOf(status: number, headers: Headers, envelope: Envelope): string[] {
  const { success, data, error, meta } = envelope;
  const isSuccess = status < 400;
  const rules: [boolean, string][] = [
    [/^application\/json\b/.test(headers.get('content-type') ?? ''), 'Content-Type is not JSON'],
    [success === isSuccess, 'success contradicts the status'],
    [(data !== undefined) === isSuccess && (error === undefined) === isSuccess, 'not exactly one of data and error'],
    [INSTANT.test(meta?.timestamp ?? ''), 'meta.timestamp is no UTC instant'],
    [meta?.request_id !== undefined && meta.request_id === headers.get('x-request-id'), 'X-Request-Id'],
    [isSuccess || (STATUSES[error?.code ?? '']?.includes(status) ?? false), 'status and error.code do not match'],
    [isSuccess || (error?.message ?? '') !== '', 'no message'],
    [isSuccess || /^[a-z_]+$/.test(error?.details.reason ?? ''), 'no reason'],
    [error?.code !== 'VALIDATION_ERROR' || typeof error.details.field === 'string', 'names no field'],
    [
      error?.code !== 'VALIDATION_ERROR' || (error.details.errors?.every(isComplete) ?? false),
      'an entry says too little',
    ],
    [status !== 401 || headers.get('www-authenticate') === 'Bearer', 'WWW-Authenticate'],
    [(status !== 503 && status !== 429) || Number(headers.get('retry-after')) >= 1, 'Retry-After'],
  ];
  return rules.filter(([holds]) => !holds).map(([, what]) => what);
}

/** The answer with a checked envelope; throws when that is malformed. */
export function answerOf<T>(status: number, headers: Headers, text: string): Answer<T> {
  const envelope: Envelope = text === '' ? {} : JSON.parse(text);
  const faults = status === 204 ? [] : faultsOf(status, headers, envelope);
  if (faults.length > 0)
    throw new Error(`${status} with a wrong envelope (${faults.join('; ')}): ${text.slice(0, 500)}`);
  return { status, headers, text, attempts: 1, ...envelope } as Answer<T>;
}

/** What a busy machine answers when it runs out of time; the same request succeeds later. */
export const BUSY = ['deadline_exceeded', 'unavailable', 'overloaded'];
const IN_PROGRESS = 'idempotency_in_progress';

/** Whether an answer says nothing about the request itself; a retry may also find the attempt before still at work. */
function isBusy({ status, error }: Answer, attempts: number): boolean {
  if (status < 400) return false;
  const { reason } = error.details;
  return BUSY.includes(reason) || (attempts > 1 && reason === IN_PROGRESS);
}

const newKey = () => ({ 'idempotency-key': newId('req') });

/**
 * A client with an API key. It sends a request again that ran out of time, as clients do, so that no test depends on the
 * speed of the machine; writes have an Idempotency-Key, so that they are done once.
 */
export class Customer {
  constructor(
    /** Address of the API, with its version. */
    readonly baseUrl: string,
    readonly id: string,
    /** Empty: no Authorization header is sent. */
    readonly key: string,
    private readonly retries = true,
  ) {}

  /** The same customer, which sends each request once, with no Idempotency-Key but that of the test. */
  get once(): Customer {
    return new Customer(this.baseUrl, this.id, this.key, false);
  }

  /** Sends a request and checks the envelope of its answer; throws when no answer or a malformed one comes back. */
  async send<T>(method: string, path: string, options: SendOptions = {}): Promise<Answer<T>> {
    let attempts = 0;
    const attempt = async (): Promise<Answer<T> | null> => {
      const answer = await this.sendOnce<T>(method, path, options);
      attempts += 1;
      return this.retries && isBusy(answer, attempts) ? null : { ...answer, attempts };
    };
    return until(attempt, `${method} ${path} is answered in time`);
  }

  get<T>(path: string): Promise<Answer<T>> {
    return this.send<T>('GET', path);
  }

  post<T>(path: string, body: object, headers = this.keyOfWrite()): Promise<Answer<T>> {
    return this.send<T>('POST', path, { body, headers });
  }

  patch<T>(path: string, body: object, headers = this.keyOfWrite()): Promise<Answer<T>> {
    return this.send<T>('PATCH', path, { body, headers });
  }

  delete(path: string): Promise<Answer<never>> {
    return this.send<never>('DELETE', path, { headers: this.keyOfWrite() });
  }

  /** The data that GET answers; throws unless the status is 200. */
  async read<T>(path: string): Promise<T> {
    return expectStatus(200, await this.get<T>(path)).data;
  }

  /** The data of what POST has created; throws unless the status is 201. */
  async make<T>(path: string, body: object, headers = this.keyOfWrite()): Promise<T> {
    return expectStatus(201, await this.post<T>(path, body, headers)).data;
  }

  /** All pages of a list, by cursor. */
  async readAll<T>(path: string): Promise<T[]> {
    const items: T[] = [];
    const separator = path.includes('?') ? '&' : '?';
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next = `${path}${separator}limit=100${cursor && `&cursor=${cursor}`}`;
      const page: Answer<T[]> = expectStatus(200, await this.get<T[]>(next));
      items.push(...page.data);
      cursor = page.pagination.next_cursor;
    }
    return items;
  }

  private keyOfWrite(): Record<string, string> {
    return this.retries ? newKey() : {};
  }

  private async sendOnce<T>(method: string, path: string, options: SendOptions): Promise<Answer<T>> {
    const { body, raw, headers = {} } = options;
    const sent = new Headers(this.key === '' ? {} : { authorization: `Bearer ${this.key}` });
    if (body !== undefined) sent.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const content = raw ?? (body === undefined ? null : JSON.stringify(body));
    const response = await fetch(this.baseUrl + path, { method, headers: sent, body: content });
    return answerOf<T>(response.status, response.headers, await response.text());
  }
}

/** The answer, if it has this status; otherwise throws with what came instead. */
export function expectStatus<T>(status: number, answer: Answer<T>): Answer<T> {
  if (answer.status === status) return answer;
  throw new Error(`Expected ${status}, but ${answer.status} came: ${answer.text.slice(0, 500)}`);
}

/** Reasons that pass: the same request under the same key is decided later. */
export const UNDECIDED = [...BUSY, IN_PROGRESS, 'busy_retry'];

/** POSTs under an Idempotency-Key of its own until the answer is a decision, as clients do with failures that pass. */
export function decided<T>(customer: Customer, path: string, body: object, undecided = UNDECIDED): Promise<Answer<T>> {
  const key = newKey();
  const attempt = async () => {
    const answer = await customer.once.post<T>(path, body, key);
    return answer.status >= 400 && undecided.includes(answer.error.details.reason) ? null : answer;
  };
  return until(attempt, `POST ${path} is decided`);
}

/** The bytes of `data` or `error` within an answer, as they came. */
export const payloadOf = ({ text }: Answer): string =>
  text.slice(text.indexOf('":', 15) + 2, text.lastIndexOf(',"meta":'));

/** Matches an error answer with this status and reason, and this field where one is given. */
export const apiError = (status: number, reason: string, field?: string) => ({
  status,
  error: { details: { reason, ...(field === undefined ? {} : { field }) } },
});
