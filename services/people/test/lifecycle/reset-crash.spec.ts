import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DEMO_LESSONS,
  DEMO_PUPILS,
  getSandboxClock,
  listInstructors,
  listMembers,
  type Principal,
  resetSandbox,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, type CrashableService, until } from '@swim/testing';
import { RESET_STEPS } from '../../src/lifecycle/sandbox/reset.rules.js';
import { startCrashablePeople } from '../crashable-people.js';
import { openAccounts, type PeopleHarness } from '../harness.js';
import { ResetParts } from './reset-parts.js';

const PAST = new Date(0);
const DEMO = ['Jonas Okafor', 'Mia Okafor'];
const PUPILS = DEMO_PUPILS.map(({ name }) => name).toReversed();

let people: PeopleHarness;
let parts: ResetParts;
let service: CrashableService;
let families: Principal[];
let schools: Principal[];

beforeAll(async () => {
  // The second round takes the steps of the first once more.
  process.env.ERASURE_DRAIN_MS = '3600000';
  ({ people, service } = await startCrashablePeople(lapse));
  parts = new ResetParts(people.harness, people.pools);
  families = Array.from({ length: 40 }, () => aPrincipal());
  schools = Array.from({ length: 80 }, () => aPrincipal({ kind: 'school' }));
  await openAccounts(service, [...families, ...schools]);
});
afterAll(() => people?.stop());

const RESETTING = { 'reset.step': { $in: [...RESET_STEPS] } };
const collection = (name: string) => people.harness.database('people_test').collection(name);

/** Ends every lease, and makes everything due for recovery. */
async function lapse(): Promise<void> {
  await Promise.all([
    collection('idempotency').updateMany({ state: 'running' }, { $set: { leaseUntil: PAST } }),
    collection('accounts').updateMany(RESETTING, { $set: { resetDueAt: PAST } }),
  ]);
}

const isIdle = async () => (await collection('accounts').findOne(RESETTING)) === null;
const membersOf = async (principal: Principal) =>
  (await people.harness.call(listMembers, {}, { principal })).items.map(({ name }) => name);

async function aFamily(): Promise<Principal> {
  const principal = families.pop()!;
  await people.aMember({ account_id: principal.accountId, name: 'Kid' }, { principal });
  return principal;
}

async function expectReset(principal: Principal): Promise<void> {
  await until(isIdle, 'no reset is in progress');
  expect(await membersOf(principal)).toEqual(DEMO);
  const { resetting } = await people.harness.call(getSandboxClock, {}, { principal });
  expect(resetting).toBe(false);
  expect(parts.of(principal.accountId)).toEqual(expect.arrayContaining(['scheduling empty', 'payment empty']));
}

describe('people crashes after any single write of a reset', () => {
  it('and the reset is completed, by the sweep or when its client repeats it: only the demo data is there, once', async () => {
    const begun: boolean[] = [];
    const writes = await service.everywhere(async (n) => {
      const principal = await aFamily();
      const options = { principal, idempotencyKey: newId('req') };
      const crashed = await service.crashDuring(n, () => people.harness.call(resetSandbox, {}, options), isIdle);
      await until(isIdle, 'no reset is in progress');
      const members = await membersOf(principal);
      expect([['Kid'], DEMO]).toContainEqual(members);
      begun.push(!members.includes('Kid'));
      await people.harness.insist(resetSandbox, {}, options);
      await expectReset(principal);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(10);
    // The record of its Idempotency-Key is its first write, then the reset begins; on a busy machine writes of sweeps come between.
    expect(begun[0]).toBe(false);
    expect(begun.filter(Boolean).length).toBeGreaterThan(begun.length / 2);
  });

  it('of a school: its demo instructors, members and bookings are there, once', async () => {
    const writes = await service.everywhere(async (n) => {
      const principal = schools.pop()!;
      const options = { principal, idempotencyKey: newId('req') };
      const crashed = await service.crashDuring(n, () => people.harness.call(resetSandbox, {}, options), isIdle);
      await people.harness.insist(resetSandbox, {}, options);
      await until(isIdle, 'no reset is in progress');
      expect(await membersOf(principal)).toEqual(PUPILS);
      const { items } = await people.harness.call(listInstructors, { limit: 100 }, { principal });
      const own = items.filter(({ account_id }) => account_id === principal.accountId);
      expect(own).toHaveLength(3);
      const bookings = parts.bookingsOf(principal.accountId);
      expect(bookings).toHaveLength(DEMO_LESSONS.length);
      const members = (await people.harness.call(listMembers, {}, { principal })).items.map(({ id }) => id);
      for (const { instructor_id, member_ids } of bookings) {
        expect(own.map(({ id }) => id)).toContain(instructor_id);
        expect(members).toEqual(expect.arrayContaining(member_ids));
      }
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(20);
  });
});
