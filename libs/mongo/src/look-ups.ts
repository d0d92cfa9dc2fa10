import DataLoader from 'dataloader';
import mongoose, { type Model } from 'mongoose';
import { mayRead, PUBLIC, type Scope } from './tenant-guard.js';

const MOST_AT_ONCE = 64;

/** One look-up: whose eyes, and the document's id. */
interface Ask {
  readonly scope: Scope;
  readonly id: string;
}

/**
 * Looks documents of one collection up by their ids. Those asked for in one turn of the event loop are read with one
 * query, also when different accounts ask; each is handed only to who may see it, and no two get the same object.
 */
export class LookUps<D extends { _id: string }> {
  private readonly loader: DataLoader<Ask, D | null>;

  constructor(
    private readonly model: Model<D>,
    private readonly sharesPublic: boolean,
  ) {
    this.loader = new DataLoader((asks) => this.read(asks), {
      // What was read a moment ago may have changed since.
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: (read) => void setImmediate(read),
    });
  }

  /** The document as it is now, or null when there is none that the scope may see. */
  find(scope: Scope, id: string): Promise<D | null> {
    return this.loader.load({ scope, id });
  }

  private async read(asks: readonly Ask[]): Promise<(D | null)[]> {
    const answers = new Map<Ask, D>();
    await Promise.all(queriesOf(asks).map((query) => this.answer(query, answers)));
    return asks.map((ask) => answers.get(ask) ?? null);
  }

  private async answer(query: Map<string, Ask>, answers: Map<Ask, D>): Promise<void> {
    for (const document of await this.readAll([...query.values()])) {
      const ask = query.get(document._id)!;
      if (mayRead(document, ask.scope, this.sharesPublic)) answers.set(ask, document);
    }
  }

  private async readAll(asks: Ask[]): Promise<D[]> {
    const [first] = asks;
    const ids = asks.map(({ id }) => id);
    const filter = { _id: oneOf(ids), ...this.readersOf(asks) } as Record<string, unknown>;
    const options = 'system' in first!.scope ? { asSystem: first!.scope.system } : {};
    return (await this.model
      .find(filter, null, options)
      .batchSize(asks.length + 1)
      .lean()) as D[];
  }

  private readersOf(asks: Ask[]): { readers?: unknown } {
    const accounts = new Set(asks.flatMap(({ scope }) => ('system' in scope ? [] : [scope.accountId])));
    if (accounts.size === 0) return {};
    return { readers: oneOf(this.sharesPublic ? [...accounts, PUBLIC] : [...accounts]) };
  }
}

const oneOf = (values: string[]): unknown => (values.length === 1 ? values[0] : mongoose.trusted({ $in: values }));

/** Shares asks out among as few queries as answer each with a document of its own; the service's own eyes need no reader. */
function queriesOf(asks: readonly Ask[]): Map<string, Ask>[] {
  const queries: { isSystem: boolean; asks: Map<string, Ask> }[] = [];
  for (const ask of asks) {
    const isSystem = 'system' in ask.scope;
    const open = queries.find((each) => each.isSystem === isSystem && !each.asks.has(ask.id));
    if (open) open.asks.set(ask.id, ask);
    else queries.push({ isSystem, asks: new Map([[ask.id, ask]]) });
  }
  return queries.map((query) => query.asks);
}
