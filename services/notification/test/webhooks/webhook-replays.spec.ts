import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  createWebhookEndpoint,
  type InputOf,
  listEvents,
  listOwnWebhookDeliveries,
  listWebhookDeliveries,
  type Principal,
  replayWebhookEvents,
  updateWebhookEndpoint,
} from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { type AppError, newId } from '@swim/platform';
import { aPrincipal, type RequestOptions, rejectionOf, startHarness, type TestHarness, until } from '@swim/testing';
import { aHistory, anEvent, publish } from '../bus.js';
import { allowPrivateTargets, startHere } from '../in-process.js';
import { answering, Receiver } from '../receivers.js';

let harness: TestHarness;
let service: RunningService;
let receiver: Receiver;
const COUNT = 300;
const owner = aPrincipal();

beforeAll(async () => {
  harness = await startHarness();
  service = await startHere();
  await allowPrivateTargets(true);
  receiver = await Receiver.start();
  await publish(harness, aHistory(COUNT, { audience: [owner.accountId] }));
  await publish(harness, [anEvent({ audience: [owner.accountId], type: 'session.created' })]);
  const isListed = async () =>
    (await harness.call(listEvents, {}, { principal: owner })).pagination.total === COUNT + 1;
  await until(isListed, 'all events are stored');
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
  await harness?.stop();
});

type ReplayInput = Omit<InputOf<typeof replayWebhookEvents>, 'webhook_endpoint_id'>;

const anEndpoint = async (input: Partial<InputOf<typeof createWebhookEndpoint>> = {}, to = receiver) =>
  (await harness.call(createWebhookEndpoint, { url: to.url, ...input }, { principal: owner })).id;
const replay = (webhook_endpoint_id: string, input: ReplayInput, options: RequestOptions = {}) =>
  harness.call(replayWebhookEvents, { webhook_endpoint_id, ...input }, { principal: owner, ...options });
const countOf = async (id: string, status: 'succeeded' | 'pending', principal: Principal = owner) =>
  (await harness.call(listWebhookDeliveries, { webhook_endpoint_id: id, status }, { principal })).pagination.total;
const delivered = (id: string, count: number) =>
  until(async () => (await countOf(id, 'succeeded')) === count, `${count} events are delivered`);
const endpoints = () =>
  harness.database('notification_test').collection<{ _id: string; replay: object | null }>('webhook_endpoints');
const hasReplayed = (id: string) => until(() => endpoints().findOne({ _id: id, replay: null }), 'the replay has ended');
const rowsOf = (id: string) =>
  harness
    .database('notification_test')
    .collection<{ _id: string; replay: string }>('webhook_deliveries')
    .find({ endpointId: id });

it('a replay delivers all events after a sequence, each once, and continues from where it stopped', async () => {
  const id = await anEndpoint();
  const before = receiver.received.length;
  expect(await replay(id, { since_sequence: 0 })).toEqual({ replayed: COUNT + 1 });
  await delivered(id, COUNT + 1);
  const replayed = receiver.received.slice(before).map(({ event }) => event.sequence);
  expect(replayed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: COUNT + 1 }, (_, at) => at + 1));
  const own = await harness.call(listOwnWebhookDeliveries, { limit: 1 }, { principal: owner });
  expect(own.pagination.total).toBeGreaterThan(COUNT);
});

it('a page that is parked again after a crash has each delivery once', async () => {
  const id = await anEndpoint();
  await replay(id, { since_sequence: COUNT - 100 });
  await delivered(id, 101);
  const count = receiver.received.length;
  const [row] = await rowsOf(id).toArray();
  // As a replica leaves it that has parked the events and not stored how far it has come.
  const state = { id: row!.replay, position: COUNT - 100, through: COUNT + 1, types: null };
  await endpoints().updateOne({ _id: id }, { $set: { replay: state } });
  await hasReplayed(id);
  expect(await countOf(id, 'pending')).toBe(0);
  expect(receiver.received).toHaveLength(count);
});

it('a replay sends events again that were delivered before, of the requested types', async () => {
  const id = await anEndpoint();
  expect(await replay(id, { since_sequence: 0, types: ['session.created'] })).toEqual({ replayed: 1 });
  await Promise.all([delivered(id, 1), hasReplayed(id)]);
  const count = receiver.received.length;
  expect(await replay(id, { since_sequence: COUNT, types: ['session.created'] })).toEqual({ replayed: 1 });
  await until(() => receiver.received.length === count + 1, 'it is sent again');
  expect(await replay(id, { since_sequence: 0, types: ['ping'] })).toEqual({ replayed: 0 });
  expect(
    await replay(await anEndpoint({ events: ['session.created'] }), { since_sequence: 0 }, { dryRun: true }),
  ).toEqual({
    replayed: 1,
  });
});

it('a replay sends events at once that wait for a retry, and leaves those that are being tried', async () => {
  const mended = await Receiver.start(answering(500, '', { 'retry-after': '3600' }));
  try {
    const id = await anEndpoint({ events: ['review.created'] }, mended);
    const [waiting, hanging] = [1, 2].map(() => anEvent({ audience: [owner.accountId], type: 'review.created' }));
    await publish(harness, [waiting!]);
    const row = { endpointId: id, tries: 1, claim: { $exists: false } };
    const rows = harness.database('notification_test').collection('webhook_deliveries');
    await until(() => rows.findOne(row), 'it has failed');
    mended.answer = () => undefined;
    await publish(harness, [hanging!]);
    await until(() => mended.received.length === 2, 'the second event is being tried');
    mended.answer = answering(200);
    expect(await replay(id, { since_sequence: COUNT })).toEqual({ replayed: 2 });
    await delivered(id, 1);
    expect(mended.received.map(({ event }) => event.id)[2]).toBe(mended.received[0]!.event.id);
    expect(mended.received).toHaveLength(3);
  } finally {
    await mended.stop();
  }
});

it('new events come before those of a replay', async () => {
  const slow = await Receiver.start((response, webhook) => {
    // Slower once the replay has begun, so that it goes on when the new event comes.
    const answersAfterMs = slow.received.length <= 20 ? 20 : 500;
    setTimeout(() => answering(200)(response, webhook), answersAfterMs);
  });
  try {
    const id = await anEndpoint({}, slow);
    await replay(id, { since_sequence: 0 });
    await until(() => slow.received.length >= 20, 'the replay has begun');
    await publish(harness, [anEvent({ audience: [owner.accountId], type: 'member.created' })]);
    await until(() => slow.received.some(({ event }) => event.type === 'member.created'), 'the new event is delivered');
    expect(slow.received.length).toBeLessThan(COUNT);
    expect((await rejectionOf(replay(id, { since_sequence: COUNT + 1_000 }))).reason).toBe('out_of_range');
  } finally {
    await slow.stop();
  }
});

it('is rejected while another one is in progress: replay_in_progress', async () => {
  const id = await anEndpoint();
  const reasonOf = () =>
    replay(id, { since_sequence: 0, types: ['session.created'] }).then(
      () => 'started',
      ({ reason }: AppError) => reason,
    );
  const race = async () => {
    const outcomes = await Promise.all([reasonOf(), reasonOf(), reasonOf(), reasonOf()]);
    return outcomes.includes('started') && outcomes.includes('replay_in_progress');
  };
  await until(race, 'one of several has started, and another was rejected');
  await delivered(id, 1);
});

it('is rejected in a dry run too while another one is in progress', async () => {
  const id = await anEndpoint();
  // Set before each request, since the sweep ends it.
  const state = { id: newId('req'), position: 0, through: COUNT + 1, types: ['ping'] };
  const reasonOf = () =>
    replay(id, { since_sequence: 0 }, { dryRun: true }).then(
      () => null,
      ({ reason }: AppError) => reason,
    );
  const isRejected = async () => {
    await endpoints().updateOne({ _id: id }, { $set: { replay: state } });
    return (await reasonOf()) === 'replay_in_progress';
  };
  await until(isRejected, 'the dry run is rejected');
});

it('is rejected with a sequence to come, for a disabled endpoint, and for another account', async () => {
  const id = await anEndpoint();
  const { details } = await rejectionOf(replay(id, { since_sequence: 1_000_000 }));
  expect(details).toMatchObject({ field: 'since_sequence', reason: 'out_of_range' });
  const stranger = aPrincipal();
  expect((await rejectionOf(replay(id, { since_sequence: 0 }, { principal: stranger }))).reason).toBe(
    'resource_not_found',
  );
  await harness.call(
    updateWebhookEndpoint,
    { webhook_endpoint_id: id, changes: { enabled: false } },
    { principal: owner },
  );
  expect((await rejectionOf(replay(id, { since_sequence: 0 }))).reason).toBe('invalid_state');
});
