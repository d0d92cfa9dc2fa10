import type { BusEvent } from '@swim/contracts';
import type { mongo } from 'mongoose';

/** A kept copy of a published event, and the identity of the stream that has it. */
export type PublishedCopy = BusEvent & { stream: string };

/** The copies of published events that a service's database keeps. */
export async function publishedCopies(database: mongo.Db): Promise<PublishedCopy[]> {
  const batches = await database.collection<{ json: mongo.Binary; stream: string }>('published').find().toArray();
  return batches.flatMap(({ json, stream }) => {
    const events = JSON.parse(Buffer.from(json.buffer).toString()) as BusEvent[];
    return events.map((event) => ({ ...event, stream }));
  });
}
