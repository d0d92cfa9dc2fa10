import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountEvent, type BusEvent, createWebhookEndpoint, listEvents, type Principal } from '@swim/contracts';
import { newId } from '@swim/platform';
import {
  aPrincipal,
  freePort,
  type ServiceProcess,
  startHarness,
  startProcess,
  type TestHarness,
  until,
} from '@swim/testing';
import { aHistory, anEvent, publish, publishTwin } from '../bus.js';
import { Receiver } from '../receivers.js';

const MAIN = new URL('../../bundle/main.js', import.meta.url);

let harness: TestHarness;
const replicas: ServiceProcess[] = [];

const startReplica = async (): Promise<ServiceProcess> => {
  const replica = await startProcess(MAIN, { ...harness.env, HEALTH_PORT: String(await freePort()) });
  replicas.push(replica);
  return replica;
};

async function everyEvent(principal: Principal): Promise<AccountEvent[]> {
  const items: AccountEvent[] = [];
  for (;;) {
    const query = { after_sequence: items.at(-1)?.sequence ?? 0, limit: 100 };
    const page = await harness.call(listEvents, query, { principal });
    items.push(...page.items);
    if (!page.pagination.has_more) return items;
  }
}
const total = async (principal: Principal, query = {}) =>
  (await harness.call(listEvents, { limit: 1, ...query }, { principal })).pagination.total;
/** As `total`, for repeated requests: null without a response. */
const totalSoFar = (principal: Principal, query = {}) => total(principal, query).catch(() => 0);

/** A reproducible generator of numbers from 0 to 1, from a printed seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<T>(items: T[], random: () => number): T[] {
  const sorted = items.map((item) => ({ item, at: random() })).sort((a, b) => a.at - b.at);
  return sorted.map(({ item }) => item);
}

/** Shuffles items, each by at most about `reach` places. */
function jostled<T>(items: T[], reach: number, random: () => number): T[] {
  const blocks = Array.from({ length: Math.ceil(items.length / reach) }, (_, block) =>
    items.slice(block * reach, (block + 1) * reach),
  );
  return blocks.flatMap((block) => shuffled(block, random));
}

/** Checks an account's list: sequences 1 to k, exactly the expected events, each object's in order. */
function assertDelivered(principal: Principal, found: AccountEvent[], sent: BusEvent[]): void {
  const due = sent.filter(({ audience }) => audience.includes(principal.accountId));
  expect(found.map(({ sequence }) => sequence)).toEqual(due.map((_, index) => index + 1));
  const keyOf = (object: Record<string, unknown>) => `${object.id} ${String(object.n).padStart(3, '0')}`;
  const delivered = found.map(({ data }) => keyOf(data.object));
  expect([...delivered].sort()).toEqual(due.map(({ object }) => keyOf(object as Record<string, unknown>)).sort());
  for (const objectId of new Set(due.map((event) => event.objectId))) {
    const ordinals = found.filter(({ data }) => data.object.id === objectId).map(({ data }) => Number(data.object.n));
    expect(ordinals).toEqual([...ordinals].sort((a, b) => a - b));
  }
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
}

beforeAll(async () => {
  harness = await startHarness();
  harness.env.WEBHOOK_ALLOW_PRIVATE = 'true';
  await Promise.all([startReplica(), startReplica()]);
});
afterAll(async () => {
  await Promise.all(replicas.filter(({ ended }) => !ended).map((replica) => replica.kill('SIGTERM')));
  await harness?.stop();
});

const MOST_ROUNDS = 8;
/** An event that a replica does not acknowledge is delivered again after this time. */
const REDELIVERED_AFTER_MS = 5_000;

/** The 50th and the 99th percentile of 100 events' times from publication to listing, in ms. */
async function aRound(): Promise<{ p50: number; p99: number }> {
  const takenMs: number[] = [];
  const sendAndWait = async (principal: Principal) => {
    for (let index = 0; index < 25; index++) {
      const event = anEvent({ audience: [principal.accountId] });
      const startedAtMs = performance.now();
      await publish(harness, [event]);
      await until(() => totalSoFar(principal, { object_id: event.objectId }), 'it is listed');
      takenMs.push(performance.now() - startedAtMs);
    }
  };
  await Promise.all(Array.from({ length: 4 }, () => sendAndWait(aPrincipal())));
  takenMs.sort((a, b) => a - b);
  const [p50, p99] = [takenMs[49]!, takenMs[98]!];
  console.info(`published to listed, 100 events: p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms`);
  return { p50, p99 };
}

describe('two replicas', () => {
  it('list half of 100 events within a second of their publication, and 99 of them within five', async () => {
    // A paused machine spoils one round; a slow service spoils all of them.
    for (let round = 1; round < MOST_ROUNDS; round++) {
      const { p50, p99 } = await aRound();
      if (p50 < 1_000 && p99 < REDELIVERED_AFTER_MS) return;
    }
    const { p50, p99 } = await aRound();
    expect(p50).toBeLessThan(1_000);
    expect(p99).toBeLessThan(REDELIVERED_AFTER_MS);
  });

  it('assign sequences to 500 events, published out of order and twice by three publishers, while one replica is killed', async () => {
    const seed = Date.now();
    console.info(`seed ${seed}`);
    const random = randomFrom(seed);
    const readers = Array.from({ length: 5 }, () => aPrincipal());
    const objects = Array.from({ length: 25 }, (_, index) => [readers[index % 5]!, readers[(index * 3 + 1) % 5]!]);
    const histories = objects.map((audience) => aHistory(20, { audience: audience.map(({ accountId }) => accountId) }));
    const inTime = Array.from({ length: 20 }, (_, n) => histories.map((history) => history[n]!)).flat();
    const publishEvent = async (share: number) => {
      const own = inTime.filter((_, index) => index % 3 === share || random() < 0.2);
      for (const event of jostled(own, 40, random)) {
        await publish(harness, [event]);
        if (random() < 0.15) await publishTwin(harness, event);
      }
    };
    const publishing = Promise.all([0, 1, 2].map(publishEvent));
    await until(async () => (await totalSoFar(readers[0]!)) >= 40, 'the first forty are listed');
    await replicas.at(-1)!.kill('SIGKILL');
    await startReplica();
    await publishing;
    for (const reader of readers) {
      const due = inTime.filter(({ audience }) => audience.includes(reader.accountId)).length;
      await until(async () => (await totalSoFar(reader)) >= due, `all ${due} are listed`, 90_000);
    }
    for (const reader of readers) assertDelivered(reader, await everyEvent(reader), inTime);
  });

  it('continue when nats-server is killed and restarted, and lose no published event', async () => {
    const readers = Array.from({ length: 3 }, () => aPrincipal());
    const objectId = newId('bkg');
    const delivered = readers.flatMap(({ accountId }) => [
      ...aHistory(30, { audience: [accountId] }),
      ...aHistory(30, { audience: [accountId] }),
    ]);
    const shared = aHistory(20, { objectId, audience: readers.map(({ accountId }) => accountId) });
    const persistently = async (events: BusEvent[]) => {
      for (const event of events) {
        await until(
          () =>
            publish(harness, [event]).then(
              () => true,
              () => false,
            ),
          'it is published',
        );
      }
    };
    const publishing = Promise.all([persistently(delivered), persistently(shared)]);
    await until(async () => (await totalSoFar(readers[0]!)) >= 20, 'twenty are listed');
    await harness.nats.kill();
    await harness.nats.restart();
    await publishing;
    for (const reader of readers) {
      await until(async () => (await totalSoFar(reader)) >= 80, 'all are listed', 90_000);
      assertDelivered(reader, await everyEvent(reader), [...delivered, ...shared]);
    }
  });
});

describe('an endpoint that two replicas send to', () => {
  const MOST_AT_ONCE = 4;

  it('has four requests at most at a time, of both together, and gets all events', async () => {
    const owner = aPrincipal();
    const slow = await Receiver.start((response) => void setTimeout(() => response.end(), 20));
    try {
      await harness.insist(createWebhookEndpoint, { url: slow.url }, { principal: owner });
      const sent = Array.from({ length: 150 }, () => anEvent({ audience: [owner.accountId] }));
      await publish(harness, sent);
      await until(() => slow.eventIds.size === sent.length, 'it gets all events');
      expect(slow.mostOpen).toBeGreaterThan(1);
      expect(slow.mostOpen).toBeLessThanOrEqual(MOST_AT_ONCE);
    } finally {
      await slow.stop();
    }
  });

  it('delays no other endpoint when it hangs, of its account or another one', async () => {
    const [owner, other] = [aPrincipal(), aPrincipal()];
    const [hanging, own, foreign] = [
      await Receiver.start(() => undefined),
      await Receiver.start(),
      await Receiver.start(),
    ];
    try {
      for (const [principal, { url }] of [
        [owner, hanging],
        [owner, own],
        [other, foreign],
      ] as const)
        await harness.insist(createWebhookEndpoint, { url }, { principal });
      const toOwner = Array.from({ length: 60 }, () => anEvent({ audience: [owner.accountId] }));
      await publish(harness, toOwner);
      await until(() => hanging.received.length >= MOST_AT_ONCE, 'the hanging receiver is busy');
      await publish(harness, aHistory(20, { audience: [other.accountId] }));
      await until(() => own.eventIds.size === toOwner.length, 'the other endpoint of the account gets its events');
      await until(() => foreign.eventIds.size === 20, 'the endpoint of another account gets its events');
    } finally {
      await Promise.all([hanging, own, foreign].map((receiver) => receiver.stop()));
    }
  });
});
