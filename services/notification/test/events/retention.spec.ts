import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listEvents, type Principal } from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { aPrincipal, FakeClock, startHarness, type TestHarness, until } from '@swim/testing';
import { aHistory, anEvent, publish, publishTwin } from '../bus.js';
import { startHere } from '../in-process.js';

const DAY_MS = 24 * 3_600_000;

let harness: TestHarness;
let clock: FakeClock;
let service: RunningService | undefined;

const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS).toISOString();
const sequences = async (principal: Principal) => {
  const { items } = await harness.call(listEvents, { after_sequence: 0, limit: 100 }, { principal });
  return items.map(({ sequence }) => sequence);
};
const becomes = (principal: Principal, expected: number[]) =>
  until(
    async () => JSON.stringify(await sequences(principal)) === JSON.stringify(expected),
    `the account has the events ${expected}`,
  );

beforeAll(async () => {
  harness = await startHarness();
  Object.assign(process.env, { PURGE_INTERVAL_SECONDS: '1', EVENT_ORDER_WAIT_SECONDS: '1000' });
});
beforeEach(async () => {
  clock = new FakeClock();
  service = await startHere(clock);
});
afterEach(async () => {
  await service?.stop();
});
afterAll(async () => {
  await harness?.stop();
});

describe('the purge', () => {
  it('removes what is older than 90 days, and only that', async () => {
    const reader = aPrincipal();
    const ages = [120, 91, 89, 1, 0];
    for (const [index, age] of ages.entries()) {
      await publish(harness, [anEvent({ audience: [reader.accountId], occurredAt: daysAgo(age) })]);
      // The newest is never removed, however old it is.
      await until(async () => (await sequences(reader)).includes(index + 1), 'it is listed');
    }
    await becomes(reader, [3, 4, 5]);
    clock.advance(2 * DAY_MS);
    await becomes(reader, [4, 5]);
  });

  it('never removes an account’s newest event, so that the sequence continues', async () => {
    const [reader, quiet] = [aPrincipal(), aPrincipal()];
    const live: Principal = { ...reader, env: 'live' };
    await publish(harness, aHistory(3, { audience: [reader.accountId, quiet.accountId] }));
    await publish(harness, aHistory(2, { audience: [reader.accountId], env: 'live' }));
    await Promise.all([becomes(reader, [1, 2, 3]), becomes(quiet, [1, 2, 3]), becomes(live, [1, 2])]);
    clock.advance(400 * DAY_MS);
    await Promise.all([becomes(reader, [3]), becomes(quiet, [3]), becomes(live, [2])]);
    await service!.stop();
    service = await startHere(clock);
    await publish(harness, [anEvent({ audience: [reader.accountId], occurredAt: daysAgo(0) })]);
    await becomes(reader, [4]);
    await becomes(quiet, [3]);
  });

  it('leaves no gap where an event published late is among younger ones', async () => {
    const reader = aPrincipal();
    for (const [index, age] of [10, 200, 5].entries()) {
      await publish(harness, [anEvent({ audience: [reader.accountId], occurredAt: daysAgo(age) })]);
      await until(async () => (await sequences(reader)).length === index + 1, 'it is listed');
    }
    const witness = aPrincipal();
    await publish(harness, aHistory(2, { audience: [witness.accountId], occurredAt: daysAgo(100) }));
    await becomes(witness, [2]);
    expect(await sequences(reader)).toEqual([1, 2, 3]);
    clock.advance(81 * DAY_MS);
    await becomes(reader, [3]);
  });

  it('does not make an object’s next event wait for a removed one', async () => {
    const reader = aPrincipal();
    const [first, second, third] = aHistory(3, { audience: [reader.accountId] });
    const newest = anEvent({ audience: [reader.accountId] });
    await publish(harness, [first!, second!]);
    await becomes(reader, [1, 2]);
    await publish(harness, [newest]);
    await becomes(reader, [1, 2, 3]);
    clock.advance(91 * DAY_MS);
    await becomes(reader, [3]);
    await service!.stop();
    service = await startHere(clock);
    await publish(harness, [{ ...third!, occurredAt: daysAgo(0) }]);
    await becomes(reader, [4]);
  });

  it('does not make an object’s next event wait that comes with a repeated one, whose predecessor was removed', async () => {
    const reader = aPrincipal();
    const [first, second, third] = aHistory(3, { audience: [reader.accountId] });
    await publish(harness, [{ ...first!, occurredAt: daysAgo(200) }, second!]);
    await becomes(reader, [2]);
    await service!.stop();
    service = undefined;
    await publishTwin(harness, second!);
    await publish(harness, [third!]);
    service = await startHere(clock);
    await becomes(reader, [2, 3]);
  });
});

describe('an event with an empty audience', () => {
  it('is not waited for by the next one of its object, even after a restart', async () => {
    const reader = aPrincipal();
    const [first, second] = aHistory(2, { audience: [reader.accountId] });
    const witness = anEvent({ audience: [reader.accountId] });
    await publish(harness, [{ ...first!, audience: [] }, witness]);
    await becomes(reader, [1]);
    await service!.stop();
    service = await startHere(clock);
    await publish(harness, [second!]);
    await becomes(reader, [1, 2]);
  });
});
