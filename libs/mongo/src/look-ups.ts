import DataLoader from 'dataloader';
import mongoose, { type Model } from 'mongoose';
import { isTombstone } from './aggregate.js';
import { mayRead, PUBLIC, type Scope } from './tenant-guard.js';

const MOST_AT_ONCE = 64;

/** One look-up: its scope, and the document's id. */
interface LookUpRequest {
  readonly scope: Scope;
  readonly id: string;
}

/**
 * Looks up documents of one collection by id. Requests within one turn of the event loop share a query, also across accounts;
 * each gets only documents that its scope may see, as an object of its own.
 */
export class LookUps<D extends { _id: string }> {
  private readonly loader: DataLoader<LookUpRequest, D | null>;

  constructor(
    private readonly model: Model<D>,
    private readonly sharesPublic: boolean,
    /** Fields to omit. */
    private readonly without: readonly string[] = [],
  ) {
    this.loader = new DataLoader((requests) => this.read(requests), {
      // A cached document may have changed since.
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: (read) => void setImmediate(read),
    });
  }

  /** The document as it is now, or null when the scope may see none. */
  find(scope: Scope, id: string): Promise<D | null> {
    return this.loader.load({ scope, id });
  }

  private async read(requests: readonly LookUpRequest[]): Promise<(D | null)[]> {
    const answers = new Map<LookUpRequest, D>();
    await Promise.all(queriesOf(requests).map((query) => this.answer(query, answers)));
    return requests.map((request) => answers.get(request) ?? null);
  }

  private async answer(query: Map<string, LookUpRequest>, answers: Map<LookUpRequest, D>): Promise<void> {
    for (const document of await this.readAll([...query.values()])) {
      const request = query.get(document._id)!;
      if (!isTombstone(document) && mayRead(document, request.scope, this.sharesPublic)) answers.set(request, document);
    }
  }

  private async readAll(requests: LookUpRequest[]): Promise<D[]> {
    const [first] = requests;
    const ids = requests.map(({ id }) => id);
    const filter = { _id: oneOf(ids), ...this.readersOf(requests) } as Record<string, unknown>;
    const options = 'system' in first!.scope ? { asSystem: first!.scope.system } : {};
    return (await this.model
      .find(filter, this.projection, options)
      .batchSize(requests.length + 1)
      .lean()) as D[];
  }

  private get projection(): Record<string, 0> | null {
    return this.without.length === 0 ? null : Object.fromEntries(this.without.map((field) => [field, 0]));
  }

  private readersOf(requests: LookUpRequest[]): { readers?: unknown } {
    const accounts = new Set(requests.flatMap(({ scope }) => ('system' in scope ? [] : [scope.accountId])));
    if (accounts.size === 0) return {};
    return { readers: oneOf(this.sharesPublic ? [...accounts, PUBLIC] : [...accounts]) };
  }
}

const oneOf = (values: string[]): unknown => (values.length === 1 ? values[0] : mongoose.trusted({ $in: values }));

/**
 * Distributes requests among as few queries as possible, each with a document at most once; the system scope needs no reader.
 */
function queriesOf(requests: readonly LookUpRequest[]): Map<string, LookUpRequest>[] {
  const queries: { isSystem: boolean; requests: Map<string, LookUpRequest> }[] = [];
  for (const request of requests) {
    const isSystem = 'system' in request.scope;
    const open = queries.find((each) => each.isSystem === isSystem && !each.requests.has(request.id));
    if (open) open.requests.set(request.id, request);
    else queries.push({ isSystem, requests: new Map([[request.id, request]]) });
  }
  return queries.map((query) => query.requests);
}
