import { Inject, Injectable } from '@nestjs/common';
import type { Deadline } from '@swim/platform';
import { currentEnvironment } from '@swim/platform';
import type { mongo } from 'mongoose';
import { COLLECTIONS, type CollectionErasure, type Collections } from '../collections/collection-row.js';
import { Databases } from '../databases/databases.js';

const BATCH = 500;
/** An erasure step ends with this much time left, so that its response arrives. */
const LEAST_MS = 4_000;

/** Whether the deadline leaves time for another batch of an erasure. */
export const hasTimeFor = (deadline: Deadline): boolean => deadline.remainingMs() > LEAST_MS;

interface Stored extends mongo.Document {
  _id: string;
}

/** Applies the `remove` and `clear` rows of the service's `Collections`. */
@Injectable()
export class AccountRemains {
  constructor(
    private readonly databases: Databases,
    @Inject(COLLECTIONS) private readonly collections: Collections,
  ) {}

  /** Erases as much as the deadline permits; returns whether nothing is left. Idempotent. */
  async erase(accountId: string, deadline: Deadline): Promise<boolean> {
    const env = currentEnvironment();
    for (const [name, { erase }] of Object.entries(this.collections)) {
      if (erase.how !== 'remove' && erase.how !== 'clear') continue;
      const collection = this.databases.ofDriver<Stored>(env, name);
      while ((await this.eraseBatch(collection, erase, accountId)) === BATCH) {
        if (!hasTimeFor(deadline)) return false;
      }
      if (!hasTimeFor(deadline)) return false;
    }
    return true;
  }

  private async eraseBatch(
    collection: mongo.Collection<Stored>,
    erase: Extract<CollectionErasure, { how: 'remove' | 'clear' }>,
    accountId: string,
  ): Promise<number> {
    const found = await collection
      .find(remainsOf(erase, accountId), { projection: { _id: 1 }, limit: BATCH })
      .toArray();
    if (found.length === 0) return 0;
    const these = { _id: { $in: found.map(({ _id }) => _id) } };
    if (erase.how === 'remove') await collection.deleteMany(these);
    // Incrementing `rev` makes concurrent changes decide again. What has lost its personal data since it was found stays as it is.
    else
      await collection.updateMany(
        { ...these, ...remainsOf(erase, accountId) },
        { $set: { ...erase.set }, $inc: { rev: 1 } },
      );
    return found.length;
  }
}

function remainsOf(erase: Extract<CollectionErasure, { how: 'remove' | 'clear' }>, accountId: string): object {
  if (erase.how === 'remove') return { [erase.of]: accountId };
  return {
    ...erase.among,
    $and: [{ $or: erase.of.map((field) => ({ [field]: accountId })) }, { $or: [...erase.left] }],
  };
}
