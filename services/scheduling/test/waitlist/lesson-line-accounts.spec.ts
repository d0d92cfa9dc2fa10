import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  applyClockToTimes,
  createHold,
  eraseTimesOfAccount,
  getHold,
  type Lesson,
  listWaitlist,
  memberErased,
  type Principal,
  resetTimes,
  type WaitlistEntry,
} from '@swim/contracts';
import { type RunningService, startService } from '@swim/messaging';
import { aPrincipal, collectMessages, publishEvent, until } from '@swim/testing';
import { family, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { aLesson } from '../lessons/places.js';
import { linesOf } from './lines.js';

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
afterEach(() => {
  scheduling.people.clockOffsetMs = undefined;
});

const { join, read, cancel, lessonOf, reaches, aFullLesson } = linesOf(() => scheduling);

/** An entry of another family. */
async function another(lesson: Pick<Lesson, 'id'>) {
  const principal = aPrincipal();
  const member = scheduling.people.member(principal.accountId);
  return { principal, member, entry: await join(lesson, member, { principal }) };
}

async function eraseMember(id: string, account_id: string): Promise<void> {
  scheduling.people.memberAccounts.delete(id);
  await publishEvent(scheduling.harness, memberErased, {
    object: { id, account_id, erased_at: new Date().toISOString() },
    audience: [account_id, school.accountId],
  });
}

const eraseAccount = ({ accountId }: Principal) =>
  until(
    async () =>
      (await scheduling.harness.call(eraseTimesOfAccount, { accountId }, { principal: aPrincipal({ accountId }) }))
        .done,
    'the account is erased',
  );

const resetAccount = async ({ accountId }: Principal) => {
  const before = new Date(Date.now() + 1_000).toISOString();
  for (const phase of ['end', 'empty'] as const)
    await until(
      async () => (await scheduling.harness.call(resetTimes, { accountId, before, phase })).done,
      `the account is reset: ${phase}`,
    );
};

const listed = async (lesson: Lesson) =>
  (await scheduling.harness.call(listWaitlist, { lesson_id: lesson.id }, { principal: school })).items;

describe('the offer of a family passes to the next in line', () => {
  it.each<[string, (first: Awaited<ReturnType<typeof another>>) => Promise<unknown>]>([
    ['its member is erased', ({ member, principal }) => eraseMember(member, principal.accountId)],
    ['its account is erased', ({ principal }) => eraseAccount(principal)],
    ['its account is reset', ({ principal }) => resetAccount(principal)],
    [
      'its clock passes the end of the offer',
      ({ principal: { accountId } }) =>
        scheduling.harness.call(applyClockToTimes, { accountId, fromMs: 0, offsetMs: HOUR_MS }),
    ],
  ])('when %s', async (_, end) => {
    const { lesson, sessions } = await aFullLesson();
    const first = await another(lesson);
    const next = await join(lesson);
    await cancel(sessions[0]!);
    const offered = async () => (await read(first.entry, { principal: first.principal })).status === 'offered';
    await until(offered, 'the first has an offer');
    await end(first);
    await reaches(next, 'offered');
    const live = (await listed(lesson)).filter(({ status }) => status === 'offered' || status === 'waiting');
    expect(live.map(({ id }) => id)).toEqual([next.id]);
    expect(await lessonOf(lesson)).toMatchObject({ places_left: 0 });
  });
});

describe('the clock of a family with a chain of entries', () => {
  it('ends the offers one after another, and the place is free for all in the end', async () => {
    const { lesson, sessions } = await aFullLesson();
    const line = [await join(lesson), await join(lesson), await join(lesson)] as const;
    await cancel(sessions[0]!);
    await reaches(line[0], 'offered');
    for (const [index, entry] of line.entries()) {
      await reaches(entry, 'offered');
      const fromMs = index * HOUR_MS;
      scheduling.people.clockOffsetMs = fromMs + HOUR_MS;
      const input = { accountId: family.accountId, fromMs, offsetMs: fromMs + HOUR_MS };
      await scheduling.harness.call(applyClockToTimes, input);
      await reaches(entry, 'expired');
    }
    await until(async () => (await lessonOf(lesson)).places_left === 1, 'the place is free');
  });
});

describe('a hold of places ends, and they are free again,', () => {
  const aHold = async (lesson: Lesson, principal: Principal) => {
    const member = scheduling.people.member(principal.accountId);
    const input = { lesson_ids: [lesson.id], member_ids: [member], expires_in_minutes: 30 };
    return { member, hold: await scheduling.harness.call(createHold, input, { principal }) };
  };
  it.each<[string, (principal: Principal, member: string) => Promise<unknown>]>([
    [
      'when the clock of its account passes its end',
      ({ accountId }) => scheduling.harness.call(applyClockToTimes, { accountId, fromMs: 0, offsetMs: HOUR_MS }),
    ],
    ['when its account is reset', (principal) => resetAccount(principal)],
    ['when its account is erased', (principal) => eraseAccount(principal)],
    ['when its member is erased', ({ accountId }, member) => eraseMember(member, accountId)],
  ])('%s', async (_, end) => {
    const principal = aPrincipal();
    const lesson = await aLesson(scheduling, { capacity: 1 });
    const { member, hold } = await aHold(lesson, principal);
    expect(await lessonOf(lesson)).toMatchObject({ places_left: 0 });
    await end(principal, member);
    await until(async () => (await lessonOf(lesson)).places_left === 1, 'the place is free');
    const left = await scheduling.harness.call(getHold, { hold_id: hold.id }, { principal }).catch(() => null);
    expect(left?.status).not.toBe('active');
  });
});

describe('two replicas', () => {
  it('offer each place that becomes free once, in the order of the line', async () => {
    const events = await collectMessages<{ objectId: string; type: string }>(
      scheduling.harness.connection,
      'event.test.scheduling.waitlist.>',
    );
    const lines: { entries: WaitlistEntry[]; lesson: Lesson }[] = [];
    const freed: Promise<unknown>[] = [];
    for (let count = 0; count < 6; count++) {
      const { lesson, sessions } = await aFullLesson(2);
      const entries = [await join(lesson), await join(lesson), await join(lesson)];
      lines.push({ lesson, entries });
      freed.push(...sessions.map(cancel));
    }
    await Promise.all(freed);
    for (const { lesson, entries } of lines) {
      const [first, second, third] = entries as [WaitlistEntry, WaitlistEntry, WaitlistEntry];
      await reaches(first, 'offered');
      await reaches(second, 'offered');
      expect((await read(third)).status).toBe('waiting');
      expect(await lessonOf(lesson)).toMatchObject({ places_left: 0 });
      const offersOf = ({ id }: WaitlistEntry) =>
        events.filter(({ objectId, type }) => objectId === id && type === 'waitlist.offered').length;
      await until(() => offersOf(first) + offersOf(second) >= 2, 'the offers are published');
      expect([offersOf(first), offersOf(second), offersOf(third)]).toEqual([1, 1, 0]);
    }
  });
});
