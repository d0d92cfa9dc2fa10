import DataLoader from 'dataloader';
import mongoose, { type Model } from 'mongoose';
import { isTombstone } from '../aggregate/aggregate.js';
import { mayRead, PUBLIC, readableAmongFew, type Scope } from '../guard/tenant-guard.js';
import { readDocuments } from './reads.js';

// The days of 52 lessons fit: those of the instructor and of a member.
const MOST_AT_ONCE = 128;

/** One look-up: its scope, and the value that the documents have. */
interface LookUpRequest {
  readonly scope: Scope;
  readonly value: string;
}

/** Which documents are looked up, and how much of them. */
interface LookUpOptions {
  /** Fields to omit. */
  readonly without?: readonly string[];
  /** The field that has the value; by default the id. Another one is a string with an index. */
  readonly field?: string;
}

// With one value; more are read in further replies.
const EXPECTED_DOCUMENTS = 8;

/**
 * Looks up documents of one collection by id, or by another field. Requests within one turn of the event loop share a query, also
 * across accounts; each gets only documents that its scope may see, as an object of its own.
 */
export class LookUps<D extends { _id: string }> {
  private readonly loader: DataLoader<LookUpRequest, D[]>;

  constructor(
    private readonly model: Model<D>,
    private readonly sharesPublic: boolean,
    private readonly options: LookUpOptions = {},
  ) {
    this.loader = new DataLoader((requests) => this.read(requests), {
      // A cached document may have changed since.
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: (read) => void setImmediate(read),
    });
  }

  /** The document as it is now, or null when the scope may see none. */
  async find(scope: Scope, value: string): Promise<D | null> {
    const [found = null] = await this.loader.load({ scope, value });
    return found;
  }

  /** All documents with the value that the scope may see, as they are now, in no order. */
  findAll(scope: Scope, value: string): Promise<D[]> {
    return this.loader.load({ scope, value });
  }

  private async read(requests: readonly LookUpRequest[]): Promise<D[][]> {
    const answers = new Map<LookUpRequest, D[]>(requests.map((request) => [request, []]));
    const queries = Map.groupBy(requests, ({ scope }) => 'system' in scope);
    await Promise.all([...queries.values()].map((query) => this.answer(query, answers)));
    return requests.map((request) => answers.get(request)!);
  }

  private async answer(requests: LookUpRequest[], answers: Map<LookUpRequest, D[]>): Promise<void> {
    const { field = '_id' } = this.options;
    const byValue = Map.groupBy(requests, ({ value }) => value);
    for (const document of await this.readAll(requests, [...byValue.keys()])) {
      if (isTombstone(document)) continue;
      const asking = byValue.get((document as Record<string, unknown>)[field] as string)!;
      const readers = asking.filter(({ scope }) => mayRead(document, scope, this.sharesPublic));
      for (const [index, request] of readers.entries())
        answers.get(request)!.push(index === 0 ? document : copyOf(document));
    }
  }

  private async readAll(requests: LookUpRequest[], values: string[]): Promise<D[]> {
    const [first] = requests;
    const { field = '_id', without = [] } = this.options;
    // A partial index is used only for a query that states its condition.
    const found = field === '_id' ? oneOf(values) : mongoose.trusted({ $type: 'string', $in: values });
    const filter = { [field]: found, ...this.readersOf(requests) };
    const most = field === '_id' ? values.length : values.length * EXPECTED_DOCUMENTS;
    const guard = 'system' in first!.scope ? { asSystem: first!.scope.system } : {};
    const projection = Object.fromEntries(without.map((each) => [each, 0 as const]));
    return readDocuments(this.model, filter, { projection, batchSize: most + 1 }, guard);
  }

  private readersOf(requests: LookUpRequest[]): object {
    const accounts = new Set(requests.flatMap(({ scope }) => ('system' in scope ? [] : [scope.accountId])));
    if (accounts.size === 0) return {};
    const readers = this.sharesPublic ? [...accounts, PUBLIC] : [...accounts];
    return this.options.field === undefined ? { readers: oneOf(readers) } : readableAmongFew(readers);
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
