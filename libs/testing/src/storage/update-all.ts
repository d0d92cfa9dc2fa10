import type { mongo } from 'mongoose';

const TRIES = 5;

/**
 * Sets fields of all documents that match. An update of many documents locks them in the order in which the database finds
 * them, and so may deadlock with a batch of a running service: the database then undoes it, and it is repeated.
 */
export async function updateAll<T extends mongo.Document>(
  collection: mongo.Collection<T>,
  filter: object,
  $set: object,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await collection.updateMany(filter as mongo.Filter<T>, { $set } as mongo.UpdateFilter<T>);
      return;
    } catch (error) {
      if (attempt === TRIES || !/deadlock detected/i.test((error as Error).message)) throw error;
    }
  }
}
