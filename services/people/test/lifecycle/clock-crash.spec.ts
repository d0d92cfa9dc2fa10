import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { advanceSandboxClock, getSandboxClock, type Principal } from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, type CrashableService, until } from '@swim/testing';
import { startCrashablePeople } from '../crashable-people.js';
import { openAccounts, type PeopleHarness } from '../harness.js';
import { ClockParts } from './clock-parts.js';

const HOUR_MS = 3_600_000;
const PAST = new Date(0);

let people: PeopleHarness;
let parts: ClockParts;
let service: CrashableService;
let families: Principal[];

beforeAll(async () => {
  ({ people, service } = await startCrashablePeople(lapse));
  parts = new ClockParts(people.harness);
  parts.ends.push(HOUR_MS, 2 * HOUR_MS);
  families = Array.from({ length: 24 }, () => aPrincipal());
  await openAccounts(service, families);
});
afterAll(() => people?.stop());

const collection = (name: string) => people.harness.database('people_test').collection(name);

/** Ends every lease, and makes everything due for recovery. */
async function lapse(): Promise<void> {
  await Promise.all([
    collection('idempotency').updateMany({ state: 'running' }, { $set: { leaseUntil: PAST } }),
    collection('accounts').updateMany({ 'clock.targetMs': { $type: 'number' } }, { $set: { clockDueAt: PAST } }),
  ]);
}

const isIdle = async () => (await collection('accounts').findOne({ 'clock.targetMs': { $type: 'number' } })) === null;
const read = (principal: Principal) => people.harness.call(getSandboxClock, {}, { principal });

describe('people crashes after any single write of an advance', () => {
  it('and its client repeats it under the same key: the clock is there once, and each service has applied it', async () => {
    const writes = await service.everywhere(async (n) => {
      const principal = families.pop()!;
      const advance_to = new Date(Date.now() + 24 * HOUR_MS).toISOString();
      const options = { principal, idempotencyKey: newId('req') };
      const request = () => people.harness.call(advanceSandboxClock, { advance_to }, options);
      const crashed = await service.crashDuring(n, request, isIdle);
      await people.harness.insist(advanceSandboxClock, { advance_to }, options);
      await until(async () => !(await read(principal)).advancing, 'the advance has ended');
      const { now, offset_seconds } = await read(principal);
      expect(now >= advance_to).toBe(true);
      expect(offset_seconds).toBeLessThanOrEqual(86_400);
      const offsets = parts.offsetsOf('scheduling', principal.accountId);
      // In order of time, each of the ends included.
      expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
      expect(offsets).toEqual(expect.arrayContaining([HOUR_MS, 2 * HOUR_MS]));
      for (const part of ['scheduling', 'booking', 'notification'])
        expect(Math.floor(parts.offsetsOf(part, principal.accountId).at(-1)! / 1_000)).toBe(offset_seconds);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  });

  it('and its client does not: the sweep completes the advance, or it never began', async () => {
    const reached: boolean[] = [];
    await service.everywhere(async (n) => {
      const principal = families.pop()!;
      const advance_to = new Date(Date.now() + 24 * HOUR_MS).toISOString();
      const request = () => people.harness.call(advanceSandboxClock, { advance_to }, { principal });
      const crashed = await service.crashDuring(n, request, isIdle);
      await until(async () => !(await read(principal)).advancing, 'no advance is in progress');
      reached.push((await read(principal)).now >= advance_to);
      return crashed;
    });
    expect(reached).toContain(true);
  });
});
