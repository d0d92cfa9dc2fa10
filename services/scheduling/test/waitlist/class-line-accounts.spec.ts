import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  applyClockToTimes,
  eraseTimesOfAccount,
  listWaitlist,
  memberErased,
  type Principal,
  resetTimes,
  type SwimClass,
  type WaitlistEntry,
} from '@swim/contracts';
import { type RunningService, startService } from '@swim/messaging';
import { newId } from '@swim/platform';
import { aPrincipal, collectMessages, publishEvent, rejectionOf, until } from '@swim/testing';
import { type SchedulingHarness, school, startScheduling } from '../harness.js';
import { classLinesOf } from './class-lines.js';

jest.setTimeout(240_000);
const HOUR_MS = 3_600_000;

let scheduling: SchedulingHarness;
let replica: RunningService;
beforeAll(async () => {
  scheduling = await startScheduling();
  const { config } = await import('../../src/config.js');
  const { AppModule } = await import('../../src/app.module.js');
  replica = await startService('scheduling', AppModule, { ...config, HEALTH_PORT: 0 }, scheduling.clock);
});
afterAll(async () => {
  await replica?.stop();
  await scheduling?.stop();
});

const { joinClass, read, reaches, enroll, endAll, lessonOf, aFullClass } = classLinesOf(() => scheduling);

/** An entry of another family. */
async function another(frogs: SwimClass) {
  const principal = aPrincipal();
  const member = scheduling.people.member(principal.accountId);
  return { principal, member, entry: await joinClass(frogs, member, { principal }) };
}
type Waiting = Awaited<ReturnType<typeof another>>;

const eraseMember = async ({ member: id, principal }: Waiting) => {
  scheduling.people.memberAccounts.delete(id);
  await publishEvent(scheduling.harness, memberErased, {
    object: { id, account_id: principal.accountId, erased_at: new Date().toISOString() },
    audience: [principal.accountId, school.accountId],
  });
};
const eraseAccount = ({ principal: { accountId } }: { principal: Principal }) =>
  until(
    async () =>
      (await scheduling.harness.call(eraseTimesOfAccount, { accountId }, { principal: aPrincipal({ accountId }) }))
        .done,
    'the account is erased',
  );
const resetAccount = async ({ principal: { accountId } }: Waiting) => {
  const before = new Date(Date.now() + 1_000).toISOString();
  for (const phase of ['end', 'empty'] as const)
    await until(
      async () => (await scheduling.harness.call(resetTimes, { accountId, before, phase })).done,
      `the account is reset: ${phase}`,
    );
};
const pass = ({ principal: { accountId } }: Waiting) =>
  scheduling.harness.call(applyClockToTimes, { accountId, fromMs: 0, offsetMs: HOUR_MS });

describe('the offer of a class passes to the next in line', () => {
  it.each<[string, (first: Waiting) => Promise<unknown>]>([
    ['its member is erased', eraseMember],
    ['its account is erased', eraseAccount],
    ['its account is reset', resetAccount],
    ['its clock passes the end of the offer', pass],
  ])('when %s', async (_, end) => {
    const { frogs, lessons, sessions } = await aFullClass();
    const first = await another(frogs);
    const next = await joinClass(frogs);
    await endAll(sessions);
    const asFirst = { principal: first.principal };
    const { offer } = await until(async () => {
      const now = await read(first.entry, asFirst);
      return now.status === 'offered' ? now : null;
    }, 'the first has an offer');
    await end(first);
    await reaches(next, 'offered');
    const { items } = await scheduling.harness.call(listWaitlist, { class_id: frogs.id }, { principal: school });
    const live = items.filter(({ status }) => status === 'offered' || status === 'waiting');
    expect(live.map(({ id }) => id)).toEqual([next.id]);
    for (const lesson of lessons) expect(await lessonOf(lesson)).toMatchObject({ places_left: 0 });
    const late = { memberId: first.member, accountId: first.principal.accountId, holdId: offer!.hold_id };
    expect(['invalid_state', 'not_found']).toContain((await rejectionOf(enroll(frogs, lessons, late, asFirst))).reason);
  });
});

describe('two replicas', () => {
  it('offer what becomes free in a class once, in the order of the line', async () => {
    const events = await collectMessages<{ objectId: string; type: string }>(
      scheduling.harness.connection,
      'event.test.scheduling.waitlist.>',
    );
    const classes: { entries: WaitlistEntry[]; frogs: SwimClass }[] = [];
    const freed: Promise<unknown>[] = [];
    for (let count = 0; count < 4; count++) {
      const { frogs, lessons, sessions } = await aFullClass({ capacity: 2 });
      const others = await enroll(frogs, lessons, { bookingId: newId('bkg') });
      const entries = [await joinClass(frogs), await joinClass(frogs), await joinClass(frogs)];
      classes.push({ frogs, entries });
      freed.push(endAll(sessions), endAll(others));
    }
    await Promise.all(freed);
    for (const { entries } of classes) {
      const [first, second, third] = entries as [WaitlistEntry, WaitlistEntry, WaitlistEntry];
      await reaches(first, 'offered');
      await reaches(second, 'offered');
      expect((await read(third)).status).toBe('waiting');
      const offersOf = ({ id }: WaitlistEntry) =>
        events.filter(({ objectId, type }) => objectId === id && type === 'waitlist.offered').length;
      await until(() => offersOf(first) + offersOf(second) >= 2, 'the offers are published');
      expect([offersOf(first), offersOf(second), offersOf(third)]).toEqual([1, 1, 0]);
    }
  });
});
