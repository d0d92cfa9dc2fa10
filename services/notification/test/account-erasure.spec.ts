import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  createWebhookEndpoint,
  eraseEventsOfAccount,
  eraseTextsOfEvents,
  listEvents,
  listWebhookEndpoints,
  type Principal,
  resetEvents,
} from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { derivedId, newId } from '@swim/platform';
import { aPrincipal, startHarness, type TestHarness, until } from '@swim/testing';
import { aHistory, anEvent, publish } from './bus.js';
import { allowPrivateTargets, startHere, untilDone } from './in-process.js';
import { Receiver } from './receivers.js';

let harness: TestHarness;
let service: RunningService;
beforeAll(async () => {
  harness = await startHarness();
  service = await startHere();
  await allowPrivateTargets(true);
});
afterAll(async () => {
  await service?.stop();
  await harness?.stop();
});

const eventsOf = async (principal: Principal) =>
  (await harness.call(listEvents, { after_sequence: 0, limit: 100 }, { principal })).items;
const has = (principal: Principal, count: number) =>
  until(async () => (await eventsOf(principal)).length === count, `the account has ${count} events`);
const erase = ({ accountId }: Principal) => untilDone(() => harness.call(eraseEventsOfAccount, { accountId }, {}));

it('an erased account has no events and gets none any more; other accounts’ events continue in order', async () => {
  const [erased, other] = [aPrincipal(), aPrincipal()];
  const both = { audience: [erased.accountId, other.accountId], objectId: newId('bkg') };
  const history = aHistory(5, both);
  await publish(harness, history.slice(0, 2));
  await Promise.all([has(erased, 2), has(other, 2)]);

  await erase(erased);
  expect(await eventsOf(erased)).toEqual([]);
  await publish(harness, history.slice(2, 4));
  await has(other, 4);
  const copies = harness.database('notification_test').collection('events');
  const hasNone = async () => (await copies.countDocuments({ account: erased.accountId })) === 0;
  await until(hasNone, 'the copies that were inserted before the account was known to be erased are retracted');
  // By now the service knows that the account is erased, and inserts no copy in the first place.
  await publish(harness, history.slice(4));
  await has(other, 5);
  expect((await eventsOf(other)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
  expect(await hasNone()).toBe(true);
  await erase(erased);
});

it('a copy that is stored while the erasure runs is removed before the erasure is done', async () => {
  const [erased, other] = [aPrincipal(), aPrincipal()];
  const both = { audience: [erased.accountId, other.accountId], objectId: newId('bkg') };
  const history = aHistory(2, both);
  await publish(harness, history.slice(0, 1));
  await Promise.all([has(erased, 1), has(other, 1)]);

  const erasing = erase(erased);
  await until(async () => (await eventsOf(erased)).length === 0, 'the account is marked');
  // The service has read the account's position a moment ago, and does not read it again yet.
  await publish(harness, history.slice(1));
  await has(other, 2);
  await erasing;
  const copies = harness.database('notification_test').collection('events');
  const hasNone = async () => (await copies.countDocuments({ account: erased.accountId })) === 0;
  await until(hasNone, 'no copy is left');
});

it('another account’s webhooks get the events that it shares with an account that is being erased', async () => {
  const [erased, other] = [aPrincipal(), aPrincipal({ kind: 'school' })];
  const receiver = await Receiver.start();
  try {
    await harness.call(createWebhookEndpoint, { url: receiver.url }, { principal: other });
    await erase(erased);
    const shared = { type: 'session.cancelled', audience: [erased.accountId, other.accountId] };
    const events = [anEvent(shared), anEvent({ audience: [other.accountId] }), anEvent(shared)];
    await publish(harness, events);
    await until(() => receiver.eventIds.size === events.length, 'the webhooks of all events arrive');
  } finally {
    await receiver.stop();
  }
});

it('another account’s copy of an event does not contain the idempotency key of the event’s cause', async () => {
  const [cause, other] = [aPrincipal(), aPrincipal()];
  const event = anEvent({ audience: [cause.accountId, other.accountId] });
  event.cause = { ...event.cause, idempotencyKey: 'canary key', accountId: cause.accountId };
  await publish(harness, [event]);
  await Promise.all([has(cause, 1), has(other, 1)]);
  const events = harness.database('notification_test').collection('events');
  expect(JSON.stringify(await events.find({ account: other.accountId }).toArray())).not.toContain('canary');
  expect(JSON.stringify(await events.find({ account: cause.accountId }).toArray())).toContain('canary');
});

it('events of a payment lose what clients kept at it, for all accounts, once all of them are stored', async () => {
  const [family, school] = [aPrincipal(), aPrincipal()];
  const [id, other] = [newId('pay'), newId('pay')];
  const ofPayment = (objectId: string, n: number) =>
    anEvent({
      type: n === 1 ? 'payment.authorized' : 'payment.succeeded',
      audience: [family.accountId, school.accountId],
      objectId,
      n,
      object: { id: objectId, metadata: { note: `canary ${objectId}` } },
    });
  const erased = async () => (await harness.call(eraseTextsOfEvents, { payments: [{ id, eventCount: 2 }] })).done;
  const written = async () =>
    (await eventsOf(school)).filter(({ data }) => JSON.stringify(data).includes('canary')).map(({ type }) => type);
  await publish(harness, [ofPayment(other, 1), ofPayment(id, 1)], 'payment');
  await Promise.all([has(family, 2), has(school, 2)]);

  expect(await erased()).toBe(false);
  await publish(harness, [ofPayment(id, 2)], 'payment');
  await until(erased, 'all events are stored');
  expect(await written()).toEqual(['payment.authorized']);
  const copies = harness.database('notification_test').collection('events');
  const texts = async (objectId: string) => JSON.stringify(await copies.find({ objectId }).toArray());
  expect(await texts(id)).not.toContain('canary');
  expect(await texts(other)).toContain('canary');
});

it('a reset account has neither earlier events nor webhook endpoints; its sequence goes on', async () => {
  const [principal, other] = [aPrincipal(), aPrincipal()];
  const history = aHistory(3, { audience: [principal.accountId, other.accountId], objectId: newId('bkg') });
  await publish(harness, history.slice(0, 2));
  await has(principal, 2);
  const endpoint = { url: 'https://example.com/hooks', events: ['*' as const] };
  await harness.call(createWebhookEndpoint, endpoint, { principal });
  const endpointsOf = async () => (await harness.call(listWebhookEndpoints, {}, { principal })).items;
  const reset = (before: Date) =>
    untilDone(() =>
      harness.call(resetEvents, { accountId: principal.accountId, before: before.toISOString(), phase: 'empty' }),
    );

  // A late request of an earlier reset.
  await reset(new Date(0));
  expect([await eventsOf(principal), await endpointsOf()]).toMatchObject([[{}, {}], [{}]]);
  const last = Date.parse(history[1]!.occurredAt);
  await reset(new Date(Math.max(last, Date.now()) + 1));
  expect([await eventsOf(principal), await endpointsOf()]).toEqual([[], []]);
  await publish(harness, history.slice(2));
  await Promise.all([has(principal, 1), has(other, 3)]);
  expect((await eventsOf(principal)).map(({ sequence }) => sequence)).toEqual([3]);
});

it('an erasure leaves no event that a killed replica has stored after it, once the event is delivered again', async () => {
  const [erased, other] = [aPrincipal(), aPrincipal()];
  const audience = [erased.accountId, other.accountId];
  await publish(harness, [anEvent({ audience })]);
  await Promise.all([has(erased, 1), has(other, 1)]);
  const copies = harness.database('notification_test').collection<{ _id: string }>('events');
  const model = await copies.findOne({ account: erased.accountId } as object);
  await erase(erased);
  // As numbered by a replica that was paused before its insert, and killed before it read the account's position again.
  const [late, following] = [anEvent({ audience }), anEvent({ audience })];
  const stored = { ...model, sequence: 2, objectId: late.objectId, n: 1 };
  await copies.insertOne({ ...stored, _id: derivedId('evt', late.id, erased.accountId) });
  await publish(harness, [late, following]);
  await has(other, 3);
  const hasNone = async () => (await copies.countDocuments({ account: erased.accountId } as object)) === 0;
  await until(hasNone, 'no copy is left');
});
