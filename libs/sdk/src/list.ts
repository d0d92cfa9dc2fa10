import type { Meta, Pagination } from './generated/models.js';
import type { ApiAnswer } from './transport.js';

/** One page of a list. */
export interface Page<T> {
  readonly data: T[];
  readonly pagination: Pagination;
  readonly meta: Meta | undefined;
}

/**
 * A list, page by page. `for await (const item of list)` reads every item, and requests a page when the one before has been
 * read; `await list` is the first page. Nothing is requested before either.
 */
export class List<T> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  readonly #query: object;
  readonly #request: (query: object) => Promise<ApiAnswer<T[]>>;

  constructor(query: object, request: (query: object) => Promise<ApiAnswer<T[]>>) {
    this.#query = query;
    this.#request = request;
  }

  /** The pages, each requested when it is read. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let query = this.#query;
    for (;;) {
      const page = await this.#page(query);
      yield page;
      const { has_more, next_cursor } = page.pagination;
      if (!has_more || next_cursor === null) return;
      const { offset: _, ...filters } = this.#query as { offset?: number };
      query = { ...filters, cursor: next_cursor };
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Requests the first page. */
  // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page.
  then<R = Page<T>, E = never>(
    fulfilled?: ((page: Page<T>) => R | PromiseLike<R>) | null,
    rejected?: ((error: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#page(this.#query).then(fulfilled, rejected);
  }

  async #page(query: object): Promise<Page<T>> {
    const { data, pagination, meta } = await this.#request(query);
    return { data, pagination: pagination!, meta };
  }
}
