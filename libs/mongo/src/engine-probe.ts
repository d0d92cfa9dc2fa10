import { randomUUID } from 'node:crypto';
import type { mongo } from 'mongoose';

const RACERS = 24;
const ROUNDS = 2;

interface Probe {
  _id: string;
  busy: { s: number; e: number; c: number }[];
}

/**
 * Races the very update that keeps bookings apart. An engine on which more than one racer wins, or none, would double
 * book: the service then refuses to start.
 */
export async function proveConditionalUpdates(database: mongo.Db): Promise<void> {
  const probes = database.collection<Probe>('engine_probe');
  for (let round = 0; round < ROUNDS; round++) {
    const _id = randomUUID();
    await probes.insertOne({ _id, busy: [] });
    const free = { _id, busy: { $not: { $elemMatch: { s: { $lt: 20 }, e: { $gt: 10 } } } } };
    const race = Array.from({ length: RACERS }, (_, c) =>
      probes.updateOne(free, { $push: { busy: { s: 10, e: 20, c } } }),
    );
    const results = await Promise.all(race);
    const winners = results.filter((result) => result.modifiedCount === 1).length;
    const stored = (await probes.findOne({ _id }))?.busy.length;
    await probes.deleteOne({ _id });
    if (winners === 1 && stored === 1) continue;
    throw new Error(
      `This database does not keep conditional updates apart: ${winners} of ${RACERS} racers won, ${stored} stored. It cannot be used.`,
    );
  }
}
