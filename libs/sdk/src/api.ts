import { List } from './list.js';
import { queryText } from './path.js';
import type { ApiAnswer, RequestOptions, Transport } from './transport.js';

export type { RequestOptions } from './transport.js';

/** What a request that removes something may differ in. */
export interface DeleteOptions extends RequestOptions {
  /** Validates only, and stores nothing. */
  readonly dryRun?: boolean | undefined;
}

/** What a request that changes something may differ in. */
export interface WriteOptions extends DeleteOptions {
  /**
   * Makes the request safe to repeat for 24 hours. By default each has a new one, so that retries of the client do nothing
   * twice; give your own to repeat it after a restart as well. Null sends none: then an unanswered request is not retried.
   */
  readonly idempotencyKey?: string | null | undefined;
}

/** The promise of `data`; `withMeta()` has the rest of the answer beside it. */
export interface Answer<T> extends Promise<T> {
  withMeta(): Promise<ApiAnswer<T>>;
}

function answered<T>(sending: Promise<ApiAnswer<T>>): Answer<T> {
  const data = sending.then((answer) => answer.data);
  const withMeta = (): Promise<ApiAnswer<T>> => {
    // Who takes the whole answer handles its error there.
    data.catch(() => undefined);
    return sending;
  };
  return Object.assign(data, { withMeta });
}

/** The three kinds of operations: reads, lists and writes. */
export class Api {
  constructor(readonly transport: Transport) {}

  read<T>(target: string, query: object = {}, options: RequestOptions = {}): Answer<T> {
    return answered(
      this.transport.send<T>({ ...options, method: 'GET', target: target + queryText(query), isRepeatable: true }),
    );
  }

  list<T>(target: string, query: object = {}, options: RequestOptions = {}): List<T> {
    return new List<T>(query, (page) =>
      this.transport.send<T[]>({ ...options, method: 'GET', target: target + queryText(page), isRepeatable: true }),
    );
  }

  write<T>(method: string, target: string, body: unknown, options: WriteOptions = {}): Answer<T> {
    const { dryRun = false, idempotencyKey, ...rest } = options;
    const takesKey = method !== 'DELETE';
    const key = takesKey && idempotencyKey !== null ? (idempotencyKey ?? crypto.randomUUID()) : null;
    return answered(
      this.transport.send<T>({
        ...rest,
        method,
        target: target + queryText(dryRun ? { dry_run: true } : {}),
        body,
        headers: key === null ? {} : { 'idempotency-key': key },
        isRepeatable: !takesKey || key !== null || dryRun,
      }),
    );
  }
}

/** Operations on one kind of object. */
export class Resource {
  constructor(protected readonly api: Api) {}
}
