import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { isDuplicate, oncePast } from '../commands/conditional-writes.js';
import { explainStorageFault } from './storage-fault.js';

// Each needs a connection, and services have few when they start.
const RACERS = 8;
const ROUNDS = 2;
const TRIES = 40;
const MAX_PAUSE_MS = 250;

interface ProbeDocument {
  _id: string;
  claimed?: string;
  [field: string]: unknown;
}

/** Conditional updates that must exclude each other: a service passes the filter and update that it uses. */
export interface EngineProbe {
  /** The contested thing, for the error message. */
  readonly what: string;
  /** The document before the race, without its id. */
  readonly document: object;
  /** The conditional update of the nth competitor on the document with this id. */
  racer(n: number, id: string): { filter: object; update: object };
  /** How many competitors must win. */
  readonly winners: number;
  /** How many winners the document shows afterwards. */
  stored(document: never): number;
}

const FAR_AHEAD = new Date('9999-01-01T00:00:00Z');

const lapse = (what: string, until: Date, winners: number): EngineProbe => ({
  what,
  document: { state: 'held', until },
  racer: (n, _id) => ({ filter: { _id, state: 'held' }, update: oncePast('until', { state: `taken by ${n}` }) }),
  winners,
  stored: ({ state }: { state: string }) => (state === 'held' ? 0 : 1),
});

/** A requirement of every service: leases and holds expire by the database's clock, once and not too early. */
const LAPSES = [
  lapse('the end of a lease', new Date(0), 1),
  lapse('a lease that has not ended', FAR_AHEAD, 0),
] as const;

interface Outcome {
  winners: number;
  stored: number;
  racers?: number;
}

function assertOutcome(what: string, { winners, stored, racers = RACERS }: Outcome, right: number): void {
  if (winners === right && stored === right) return;
  throw new Error(
    `This database does not keep racing writes apart. ${what}: ${winners} of ${racers} racers won and ${stored} are stored, where ${right} must be. It cannot be used.`,
  );
}

async function raceUpdates(probes: mongo.Collection<ProbeDocument>, probe: EngineProbe): Promise<void> {
  const _id = randomUUID();
  await probes.insertOne({ _id, ...probe.document });
  const racers = Array.from({ length: RACERS }, (_, n) => probe.racer(n, _id));
  const results = await Promise.all(
    racers.map(({ filter, update }) => onceConnected(() => probes.updateOne(filter, update))),
  );
  const winners = results.filter(({ modifiedCount }) => modifiedCount === 1).length;
  const stored = probe.stored((await probes.findOne({ _id })) as never);
  await probes.deleteOne({ _id });
  assertOutcome(probe.what, { winners, stored }, probe.winners);
}

// A process that starts opens its connections now, which may take longer than a request waits for one.
async function onceConnected<T>(command: () => Promise<T>, tries = TRIES): Promise<T> {
  try {
    return await command();
  } catch (error) {
    if (tries === 1 || (error as Error).name !== 'MongoWaitQueueTimeoutError') throw error;
    return onceConnected(command, tries - 1);
  }
}

/** Asserts that the first of concurrent inserts of one id, or of one value of a unique index, wins. */
async function raceInserts(probes: mongo.Collection<ProbeDocument>): Promise<void> {
  const claimed = randomUUID();
  await assertInserts(
    probes,
    { _id: claimed },
    Array.from({ length: RACERS }, () => ({ _id: claimed })),
  );
  // The offline engine needs a second for each insert that it aborts as a deadlock: two are enough.
  await assertInserts(
    probes,
    { claimed },
    [0, 1].map(() => ({ _id: randomUUID(), claimed })),
  );
}

async function assertInserts(
  probes: mongo.Collection<ProbeDocument>,
  raced: { _id: string } | { claimed: string },
  documents: ProbeDocument[],
): Promise<void> {
  const results = await Promise.all(documents.map((document) => insert(probes, document)));
  const stored = await probes.countDocuments(raced);
  await probes.deleteMany(raced);
  assertOutcome('a unique value', { winners: results.filter(Boolean).length, stored, racers: documents.length }, 1);
}

async function insert(
  probes: mongo.Collection<ProbeDocument>,
  document: ProbeDocument,
  tries = TRIES,
): Promise<boolean> {
  try {
    await probes.insertOne(document);
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    if (tries === 1 || !explainStorageFault(error)) throw error;
    await setTimeout(Math.random() * MAX_PAUSE_MS);
    return insert(probes, document, tries - 1);
  }
}

/**
 * Runs concurrently the updates that prevent double bookings, and inserts of unique values. On an engine with more winners
 * than permitted, or fewer, bookings could be doubled or impossible: then the service does not start.
 */
export async function proveRaces(database: mongo.Db, probes: readonly EngineProbe[]): Promise<void> {
  const collection = database.collection<ProbeDocument>('engine_probe');
  await collection.createIndex({ claimed: 1 }, { unique: true, sparse: true });
  for (let round = 0; round < ROUNDS; round++) {
    for (const probe of [...LAPSES, ...probes]) await raceUpdates(collection, probe);
  }
  await raceInserts(collection);
}
