import type http from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { applyClockToWebhooks, getWebhookEndpoint, type Principal, type WebhookDelivery } from '@swim/contracts';
import { aPrincipal, ofSeveralTries, until } from '@swim/testing';
import { anEvent, publish } from '../bus.js';
import { answering } from '../receivers.js';
import { aReceiver, deliveriesOf, endpointTo, harness, tried } from './webhooks-harness.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How long the service waits for tries at most before it answers. */
const PATIENCE_MS = 3_000;

/** Advances the clock of an account as people does: until nothing is handled. */
async function advance({ accountId }: Principal, fromMs: number, offsetMs: number, madeBefore?: string): Promise<void> {
  const input = { accountId, fromMs, offsetMs, madeBefore };
  for (;;) {
    const beganMs = performance.now();
    const { handled } = await harness.call(applyClockToWebhooks, input);
    // On a busy machine the service may wait in vain for tries that then end.
    if (handled === 0 && performance.now() - beganMs < PATIENCE_MS) return;
  }
}

/** An account with an endpoint whose receiver rejects the first tries, of which one has been made. */
async function aFailingDelivery(failures: number, headers: http.OutgoingHttpHeaders = {}) {
  const owner = aPrincipal();
  const receiver = await aReceiver();
  receiver.answer = (response, webhook) =>
    answering(receiver.received.length <= failures ? 503 : 200, '', headers)(response, webhook);
  const endpoint = await endpointTo(owner, receiver);
  await publish(harness, [anEvent({ audience: [owner.accountId] })]);
  await tried(owner, endpoint, 1);
  const read = async (): Promise<WebhookDelivery> => (await deliveriesOf(owner, endpoint))[0]!;
  const isEnabled = async () =>
    (await harness.call(getWebhookEndpoint, { webhook_endpoint_id: endpoint.id }, { principal: owner })).enabled;
  return { owner, receiver, endpoint, read, isEnabled };
}

/** Resolves once tries of an endpoint have failed on so many days in a row, today included. */
const failedDays = ({ id }: { id: string }, count: number) => {
  const endpoints = harness.database('notification_test').collection<{ _id: string }>('webhook_endpoints');
  const today = { 'days.failed': count, 'days.last': { $gt: new Date(Date.now() - HOUR_MS) } };
  return until(() => endpoints.findOne({ _id: id, ...today }), `tries have failed on ${count} days`);
};

const msUntilNext = ({ next_attempt_at }: WebhookDelivery) => Date.parse(next_attempt_at!) - Date.now();

describe('the clock of a test account that passes several retries of a webhook', () => {
  it('has each made in turn before it answers, and the next one due after the rest of its pause', async () => {
    const { owner, receiver, read } = await aFailingDelivery(Infinity);
    // Retries are due 5 s, 5 min, 30 min, 2 h, 5 h and 10 h after each other, and up to 10 % later; then one after 14 h.
    await advance(owner, 0, DAY_MS);
    expect(receiver.received.length).toBe(7);
    const waiting = await read();
    expect(waiting).toMatchObject({ status: 'pending' });
    expect(waiting.attempts).toHaveLength(7);
    expect(msUntilNext(waiting)).toBeGreaterThan(7.5 * HOUR_MS);
    expect(msUntilNext(waiting)).toBeLessThan(11 * HOUR_MS);
    await advance(owner, DAY_MS, DAY_MS + 7 * HOUR_MS);
    expect(receiver.received.length).toBe(7);
    await advance(owner, DAY_MS + 7 * HOUR_MS, 10 * DAY_MS);
    expect(await read()).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(receiver.received.length).toBe(10);
  });

  it('ends with the first that succeeds, and leaves the endpoint enabled however far it is advanced', async () => {
    const { owner, receiver, read, isEnabled } = await aFailingDelivery(3);
    await advance(owner, 0, 30 * DAY_MS);
    expect(await read()).toMatchObject({ status: 'succeeded' });
    expect(receiver.received.length).toBe(4);
    expect(await isEnabled()).toBe(true);
  });

  it('leaves an endpoint enabled whose next try fails days after the last one', async () => {
    const { owner, endpoint, isEnabled } = await aFailingDelivery(Infinity);
    await advance(owner, 0, 6 * DAY_MS);
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    await failedDays(endpoint, 1);
    // The days are stored before the try.
    const waits = ({ status, attempts, next_attempt_at }: WebhookDelivery) =>
      status === 'pending' && attempts.length > 0 && next_attempt_at !== null;
    await until(async () => waits((await deliveriesOf(owner, endpoint))[0]!), 'it waits for a retry');
    expect(await isEnabled()).toBe(true);
  });

  const isDisabledByDays = async () => {
    const { owner, endpoint, isEnabled } = await aFailingDelivery(Infinity);
    for (let day = 1; day <= 5; day++) {
      await failedDays(endpoint, day);
      await advance(owner, (day - 1) * DAY_MS, day * DAY_MS);
      expect(await isEnabled()).toBe(true);
      await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    }
    await until(async () => !(await isEnabled()), 'the endpoint is disabled');
  };
  // Each day is the next one, unless one of UTC begins meanwhile.
  it('has an endpoint disabled by the first try that fails after five days of failures', () =>
    ofSeveralTries(isDisabledByDays));

  it('has the retries of more deliveries made than their endpoint takes at a time', async () => {
    const { owner, receiver, endpoint } = await aFailingDelivery(Infinity);
    await publish(
      harness,
      Array.from({ length: 99 }, () => anEvent({ audience: [owner.accountId] })),
    );
    await until(() => receiver.eventIds.size === 100, 'each is tried');
    const areStored = async () =>
      (await deliveriesOf(owner, endpoint)).every(
        ({ attempts, next_attempt_at }) => attempts.length > 0 && next_attempt_at !== null,
      );
    await until(areStored, 'the results are stored');
    await advance(owner, 0, HOUR_MS);
    expect((await deliveriesOf(owner, endpoint)).map(({ attempts }) => attempts.length)).toEqual(Array(100).fill(4));
  });

  it('does not concern what was made after it began, nor other accounts', async () => {
    // The service itself retries the first not before the test has ended.
    const own = await aFailingDelivery(Infinity, { 'retry-after': '3600' });
    const other = await aFailingDelivery(Infinity);
    const { created_at, next_attempt_at } = await own.read();
    await advance(own.owner, 0, DAY_MS, created_at);
    expect(await own.read()).toMatchObject({ next_attempt_at });
    await advance(other.owner, 0, 4 * DAY_MS);
    expect(own.receiver.received.length).toBe(1);
    expect(other.receiver.received.length).toBe(10);
  });
});
