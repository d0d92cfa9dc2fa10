import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type BusEvent, listEvents, type Principal } from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { aPrincipal, FakeClock, partOf, startHarness, type TestHarness } from '@swim/testing';
import { copiesOf } from '../../src/events/event.mapper.js';
import { aHistory, anEvent } from '../bus.js';
import { startHere } from '../in-process.js';

const DAY_MS = 24 * 3_600_000;
const REPLICAS = 3;
const GRACE_MS = 100;

let harness: TestHarness;
let clock: FakeClock;
let replicas: Replica[] = [];

/** A replica whose next insert can be paused, like a suspended process. */
interface Replica {
  readonly service: RunningService;
  store(principal: Principal, ageDays: number): Promise<string>;
  /** Stores all copies of these events at once. */
  storeBatch(events: BusEvent[]): Promise<void>;
  /** Pauses before the next insert, after all reads. Returns the function that resumes it. */
  pause(): { reached: Promise<void>; resume: () => void };
  /** Makes the database undo the next batch of inserts as a deadlock at this index; those before it are stored. */
  deadlockNextInsertAt(index: number): void;
  /** Makes the next removal of an event with a freed number fail, as the end of the process does; returns the error. */
  failNextRetraction(): Error;
  purge(): Promise<void>;
}

async function startReplica(): Promise<Replica> {
  const service = await startHere(clock);
  const { NumberingService } = await import('../../src/events/numbering.service.js');
  const { EventsRepository } = await import('../../src/events/events.repository.js');
  const { PurgedAccountsRepository } = await import('../../src/events/removed/purged-accounts.repository.js');
  const { RetentionService } = await import('../../src/events/retention.service.js');
  const numbering = partOf(service, NumberingService);
  const events = service.app.get(EventsRepository, { strict: false });
  Object.assign(service.app.get(PurgedAccountsRepository, { strict: false }), { graceMs: GRACE_MS });
  const insert = events.insertInOrder.bind(events);
  return {
    service,
    async store({ accountId, env }, ageDays) {
      const occurredAt = new Date(clock.now().getTime() - ageDays * DAY_MS).toISOString();
      const event = anEvent({ audience: [accountId], env, occurredAt, object: {} });
      await numbering.store(copiesOf(event as BusEvent<Record<string, unknown>>, [accountId]));
      return event.objectId;
    },
    storeBatch: async (events) => {
      await numbering.store(
        events.flatMap((event) => copiesOf(event as BusEvent<Record<string, unknown>>, event.audience)),
      );
    },
    pause() {
      const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      jest.spyOn(events, 'insertInOrder').mockImplementationOnce(async (...given) => {
        reached.resolve();
        await resumed.promise;
        return insert(...given);
      });
      return { reached: reached.promise, resume: resumed.resolve };
    },
    deadlockNextInsertAt(index) {
      jest.spyOn(events, 'insertInOrder').mockImplementationOnce((documents) => insert(documents.slice(0, index)));
    },
    failNextRetraction() {
      const error = new Error('The database is away.');
      jest.spyOn(events, 'retract').mockRejectedValueOnce(error);
      return error;
    },
    purge: () => partOf(service, RetentionService).purgeAll(),
  };
}

/** The account's list, lowest sequence first. */
async function listed(principal: Principal) {
  const { items } = await harness.call(listEvents, { after_sequence: 0, limit: 100 }, { principal });
  return items.map(({ sequence, id }) => ({ sequence, id }));
}
const numbers = async (principal: Principal) => (await listed(principal)).map(({ sequence }) => sequence);

/** A reproducible generator of whole numbers below a bound, from a printed seed (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

beforeAll(async () => {
  harness = await startHarness();
  Object.assign(process.env, { PURGE_INTERVAL_SECONDS: '1000000' });
  clock = new FakeClock();
  replicas = await Promise.all(Array.from({ length: REPLICAS }, startReplica));
});
afterAll(async () => {
  await Promise.all(replicas.map(({ service }) => service.stop()));
  await harness?.stop();
});

describe('a sequence that the purge has freed', () => {
  it('is not assigned again by a replica with a cached predecessor', async () => {
    const [reader, [a, b]] = [aPrincipal(), replicas as [Replica, Replica]];
    await a.store(reader, 120);
    for (const age of [110, 100, 1]) await b.store(reader, age);
    await b.purge();
    expect(await numbers(reader)).toEqual([4]);
    await a.store(reader, 0);
    expect(await numbers(reader)).toEqual([4, 5]);
  });

  it('is not assigned again by a replica that was paused right before its insert', async () => {
    const [reader, [a, b]] = [aPrincipal(), replicas as [Replica, Replica]];
    await b.store(reader, 120);
    const { reached, resume } = a.pause();
    const late = a.store(reader, 0);
    await reached;
    for (const age of [110, 100, 1]) await b.store(reader, age);
    await b.purge();
    resume();
    await late;
    expect(await numbers(reader)).toEqual([4, 5]);
  });

  it('is not kept by an event whose replica ended before it could remove it', async () => {
    const [reader, [a, b]] = [aPrincipal(), replicas as [Replica, Replica]];
    await a.store(reader, 120);
    for (const age of [110, 100, 1]) await b.store(reader, age);
    await b.purge();
    const events = [anEvent({ audience: [reader.accountId], occurredAt: clock.now().toISOString() })];
    const removal = a.failNextRetraction();
    await expect(a.storeBatch(events)).rejects.toThrow(removal);
    // It is delivered again.
    await b.storeBatch(events);
    expect(await numbers(reader)).toEqual([4, 5]);
  });
});

describe('batches of the same events that replicas store concurrently', () => {
  it('give each account each event once, without gaps, in the order of their objects', async () => {
    const seed = Date.now();
    console.info(`seed ${seed}`);
    const below = randomFrom(seed);
    const readers = Array.from({ length: 4 }, () => aPrincipal());
    const histories = Array.from({ length: 12 }, () => {
      const audience = readers.filter(() => below(3) > 0).map(({ accountId }) => accountId);
      return aHistory(3, { audience: audience.length > 0 ? audience : [readers[0]!.accountId] });
    });
    const inTurn = [0, 1, 2].flatMap((n) => histories.map((events) => events[n]!));
    await Promise.all(
      replicas.map(async (replica) => {
        for (let from = 0; from < inTurn.length; ) {
          const to = from + 1 + below(12);
          await replica.storeBatch(inTurn.slice(from, to));
          from = to;
        }
      }),
    );
    for (const reader of readers) {
      const own = inTurn.filter(({ audience }) => audience.includes(reader.accountId));
      const items = (await harness.call(listEvents, { after_sequence: 0, limit: 100 }, { principal: reader })).items;
      expect(items.map(({ sequence }) => sequence)).toEqual(own.map((_, index) => index + 1));
      const published = items.map(({ data }) => data.object as unknown as { id: string; n: number });
      for (const [{ objectId }] of histories as [BusEvent][]) {
        const ordinals = published.filter(({ id }) => id === objectId).map(({ n }) => n);
        expect(ordinals).toEqual(own.filter((event) => event.objectId === objectId).map(({ n }) => n));
      }
    }
  });
});

describe('a batch whose insert the database undoes as a deadlock', () => {
  it.each([0, 2])('is stored whole, once and without gaps, when the deadlock is at index %i', async (index) => {
    const reader = aPrincipal();
    const [replica] = replicas as [Replica];
    const events = aHistory(4, { audience: [reader.accountId] });
    replica.deadlockNextInsertAt(index);
    await replica.storeBatch(events);
    const { items } = await harness.call(listEvents, { after_sequence: 0, limit: 100 }, { principal: reader });
    expect(items.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(items.map(({ data }) => (data.object as unknown as { n: number }).n)).toEqual(events.map(({ n }) => n));
  });
});

describe('any interleaving of replicas that store, pause and purge', () => {
  it('assigns each number to one event, and leaves no gap', async () => {
    const seed = Date.now();
    console.info(`seed ${seed}`);
    const below = randomFrom(seed);
    for (let round = 0; round < 8; round++) {
      const reader = aPrincipal();
      const owners = new Map<number, string>();
      const stopped = new Map<Replica, () => void>();
      const running: Promise<unknown>[] = [];
      for (let step = 0; step < 16; step++) {
        const replica = replicas[below(REPLICAS)]!;
        const kind = below(10);
        if (kind < 3 && !stopped.has(replica)) {
          const { reached, resume } = replica.pause();
          running.push(replica.store(reader, below(200)));
          await reached;
          stopped.set(replica, resume);
        } else if (kind < 3) {
          stopped.get(replica)!();
          stopped.delete(replica);
        } else if (kind < 6) await replica.purge();
        else running.push(replica.store(reader, below(200)));
        for (const { sequence, id } of await listed(reader)) {
          expect(owners.get(sequence) ?? id).toBe(id);
          owners.set(sequence, id);
        }
      }
      for (const resume of stopped.values()) resume();
      await Promise.all(running);
      const left = await numbers(reader);
      expect(left).toEqual(left.map((_, index) => left[0]! + index));
      expect(left.at(-1)).toBe(running.length);
    }
  });
});
