import DataLoader from 'dataloader';
import mongoose, { type Model } from 'mongoose';
import { isTombstone } from './aggregate.js';
import { readTogether } from './joint-reads.js';
import { mayRead, PUBLIC, type Scope } from './tenant-guard.js';

// The days of 52 lessons fit: those of the instructor and of a member.
const MOST_AT_ONCE = 128;

/** One look-up: its scope, and the document's id. */
interface LookUpRequest {
  readonly scope: Scope;
  readonly id: string;
}

/**
 * Looks up documents of one collection by id. Requests within one turn of the event loop share a query, also across accounts, and
 * a command with those of the database's other collections (see `readTogether`); each gets only documents that its scope may see,
 * as an object of its own.
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
    const queries = Map.groupBy(requests, ({ scope }) => 'system' in scope);
    await Promise.all([...queries.values()].map((query) => this.answer(query, answers)));
    return requests.map((request) => answers.get(request) ?? null);
  }

  private async answer(requests: LookUpRequest[], answers: Map<LookUpRequest, D>): Promise<void> {
    const byId = Map.groupBy(requests, ({ id }) => id);
    for (const document of await this.readAll(requests, [...byId.keys()])) {
      if (isTombstone(document)) continue;
      const readers = byId.get(document._id)!.filter(({ scope }) => mayRead(document, scope, this.sharesPublic));
      for (const [index, request] of readers.entries()) answers.set(request, index === 0 ? document : copyOf(document));
    }
  }

  private async readAll(requests: LookUpRequest[], ids: string[]): Promise<D[]> {
    const [first] = requests;
    const filter = { _id: oneOf(ids), ...this.readersOf(requests) } as Record<string, unknown>;
    const options = 'system' in first!.scope ? { asSystem: first!.scope.system } : {};
    return readTogether(this.model, filter, { without: this.without, most: ids.length }, options);
  }

  private readersOf(requests: LookUpRequest[]): { readers?: unknown } {
    const accounts = new Set(requests.flatMap(({ scope }) => ('system' in scope ? [] : [scope.accountId])));
    if (accounts.size === 0) return {};
    return { readers: oneOf(this.sharesPublic ? [...accounts, PUBLIC] : [...accounts]) };
  }
}

/** The look-ups of each collection, which several repositories may share; those that see public documents are others. */
const shared = new WeakMap<object, LookUps<{ _id: string }>>();
const sharedWithPublic = new WeakMap<object, LookUps<{ _id: string }>>();

/** The look-ups of whole documents of a collection, one for all of its repositories. */
export function lookUpsOf<D extends { _id: string }>(model: Model<D>, sharesPublic: boolean): LookUps<D> {
  const all = sharesPublic ? sharedWithPublic : shared;
  const known = all.get(model);
  if (known) return known as unknown as LookUps<D>;
  const fresh = new LookUps(model, sharesPublic);
  all.set(model, fresh as never);
  return fresh;
}

const oneOf = (values: string[]): unknown => (values.length === 1 ? values[0] : mongoose.trusted({ $in: values }));

/** A document of its own for another request; values such as dates are shared. */
function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T;
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)])) as T;
}
