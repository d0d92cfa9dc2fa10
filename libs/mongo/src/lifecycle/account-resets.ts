import { Inject, Injectable } from '@nestjs/common';
import { type Deadline, lowestIdAt } from '@swim/platform';
import type { mongo } from 'mongoose';
import { COLLECTIONS, type CollectionReset, type Collections } from '../collections/collection-row.js';
import { Databases } from '../databases/databases.js';
import { hasTimeFor } from './account-remains.js';

const BATCH = 500;

/** A reset of a test account. */
export interface AccountReset {
  accountId: string;
  /** What was made before this instant goes; what is made later stays, however late a step runs. */
  before: Date;
  /** The requests (`opId`) whose records stay: repeated, they have no effect. */
  opIds?: readonly string[];
}

interface Stored extends mongo.Document {
  _id: string;
}

/** Applies the `remove` and `detach` rows of the service's `Collections`; resets exist in the sandbox only. */
@Injectable()
export class AccountResets {
  constructor(
    private readonly databases: Databases,
    @Inject(COLLECTIONS) private readonly collections: Collections,
  ) {}

  /** Empties as much as the deadline permits; returns whether nothing is left. Idempotent. */
  async empty(reset: AccountReset, deadline: Deadline): Promise<boolean> {
    for (const [name, { reset: row }] of Object.entries(this.collections)) {
      if (row.how !== 'remove' && row.how !== 'detach') continue;
      const collection = this.databases.ofDriver<Stored>('test', name);
      do {
        if (!hasTimeFor(deadline)) return false;
      } while ((await this.emptyBatch(collection, row, reset)) === BATCH);
    }
    return true;
  }

  private async emptyBatch(
    collection: mongo.Collection<Stored>,
    row: Extract<CollectionReset, { how: 'remove' | 'detach' }>,
    reset: AccountReset,
  ): Promise<number> {
    const options = { projection: { _id: 1 }, limit: BATCH } as const;
    const found = await collection.find(madeBefore(row, reset, this.databases.clock.now()), options).toArray();
    if (found.length === 0) return 0;
    const these = { _id: { $in: found.map(({ _id }) => _id) } };
    if (row.how === 'remove') await collection.deleteMany(these);
    // Incrementing `rev` makes concurrent changes decide again: the audience of their events is that of the readers.
    else await collection.updateMany(these, { $pull: { readers: reset.accountId }, $inc: { rev: 1 } } as object);
    return found.length;
  }
}

function madeBefore(
  row: Extract<CollectionReset, { how: 'remove' | 'detach' }>,
  { accountId, before, opIds = [] }: AccountReset,
  now: Date,
): object {
  const { madeBy } = row;
  const earlier = madeBy ? { [madeBy.field]: { $lt: lowestIdAt(madeBy.ids, before) } } : { createdAt: { $lt: before } };
  if (row.how === 'detach') return { readers: accountId, ...earlier };
  const spared = [
    ...(row.unless ? [row.unless(now)] : []),
    // `opId` is the beginning of the id of a request's record.
    ...opIds.map((opId) => ({ _id: { $gte: opId, $lt: `${opId}~` } })),
  ];
  return { $and: [{ [row.of]: accountId }, earlier, ...(spared.length > 0 ? [{ $nor: spared }] : [])] };
}
