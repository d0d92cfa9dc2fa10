import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  advanceSandboxClock,
  describeParticipants,
  findTeachingHours,
  getMemberProgress,
  getSandboxClock,
  listInstructors,
  type Principal,
  updateMember,
  WEEKDAYS,
} from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { aPrincipal, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';
import { ClockParts } from './clock-parts.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let people: PeopleHarness;
let parts: ClockParts;
let family: Principal;

beforeAll(async () => {
  people = await startPeople();
  parts = new ClockParts(people.harness);
});
afterAll(() => people?.stop());
beforeEach(async () => {
  family = aPrincipal();
  await openAccounts(people.service, [family]);
});
afterEach(() => {
  parts.ends.length = 0;
  parts.busy = 0;
  parts.beforeAnswer = () => undefined;
});

const inMs = (ms: number): string => new Date(people.clock.now().getTime() + ms).toISOString();
const advance = (ms: number, options: RequestOptions = {}) =>
  people.harness.call(advanceSandboxClock, { advance_to: inMs(ms) }, { principal: family, ...options });
/** Calls a function before each answer of scheduling to the family: a sweep applies the clocks of earlier tests once more. */
const beforeAnswer = (work: () => Promise<void> | void) => {
  parts.beforeAnswer = (accountId) => (accountId === family.accountId ? work() : undefined);
};
const read = (principal = family) => people.harness.call(getSandboxClock, {}, { principal });
const accounts = (env: 'live' | 'test') =>
  people.harness.database(`people_${env}`).collection<{ _id: string }>('accounts');

describe('POST /sandbox/clock', () => {
  it('has the services apply the offset, webhooks last, and answers the new time', async () => {
    expect(await advance(DAY_MS)).toEqual({
      now: inMs(DAY_MS),
      offset_seconds: 86_400,
      advancing: false,
      resetting: false,
    });
    expect(parts.of(family.accountId).map(([service, { offsetMs }]) => [service, offsetMs])).toEqual([
      ['scheduling', 0],
      ['booking', 0],
      ['scheduling', DAY_MS],
      ['booking', DAY_MS],
      ['notification', DAY_MS],
    ]);
    expect(await read()).toEqual({ now: inMs(DAY_MS), offset_seconds: 86_400, advancing: false, resetting: false });
  });

  it('stops at each end on which others depend, and stays there until nothing is due', async () => {
    parts.ends.push(2 * HOUR_MS, 5 * HOUR_MS, 2 * DAY_MS);
    parts.busy = 1;
    await advance(DAY_MS);
    const offsets = [0, 2 * HOUR_MS, 5 * HOUR_MS, DAY_MS];
    expect(parts.offsetsOf('scheduling', family.accountId)).toEqual(offsets.flatMap((offset) => [offset, offset]));
    expect(parts.offsetsOf('notification', family.accountId)).toEqual([DAY_MS, DAY_MS]);
  });

  it('has webhooks applied to what was made before it began, and all else to what was made before each request', async () => {
    parts.ends.push(2 * HOUR_MS);
    await advance(DAY_MS);
    const own = parts.of(family.accountId);
    const begun = own.at(-1)![1].madeBefore!;
    const others = own.slice(0, -1).map(([, { madeBefore }]) => madeBefore!);
    expect(own.at(-1)![0]).toBe('notification');
    expect(others.every((madeBefore) => begun <= madeBefore)).toBe(true);
    expect(others).toEqual(others.toSorted());
    expect(others[0]! < others.at(-1)!).toBe(true);
  });

  it('adds to an earlier advance, and names the offset before it', async () => {
    await advance(DAY_MS);
    expect(await advance(DAY_MS + HOUR_MS)).toMatchObject({ offset_seconds: 90_000 });
    const last = parts.of(family.accountId).at(-1);
    expect(last).toMatchObject(['notification', { fromMs: DAY_MS, offsetMs: DAY_MS + HOUR_MS }]);
  });

  it('changes nothing in a dry run', async () => {
    expect(await advance(DAY_MS, { dryRun: true })).toEqual({
      now: inMs(DAY_MS),
      offset_seconds: 86_400,
      advancing: false,
      resetting: false,
    });
    expect(await read()).toMatchObject({ offset_seconds: 0 });
    expect(parts.offsetsOf('scheduling', family.accountId)).toEqual([]);
  });

  it('rejects what the clock has reached, and names its time: in_past', async () => {
    await advance(DAY_MS);
    const { reason, details, message } = await rejectionOf(advance(DAY_MS));
    expect([reason, details.field, details.now]).toEqual(['in_past', 'advance_to', inMs(DAY_MS)]);
    expect(message).toContain(inMs(DAY_MS));
  });

  it('rejects more than 365 days, and names the maximum: out_of_range', async () => {
    const { reason, details } = await rejectionOf(advance(365 * DAY_MS + 1));
    expect([reason, details.field]).toEqual(['out_of_range', 'advance_to']);
    expect(details.expected).toContain(`at most ${inMs(365 * DAY_MS)}`);
    expect(await advance(365 * DAY_MS)).toMatchObject({ offset_seconds: 365 * 86_400 });
  });

  it('rejects a second advance while one is in progress: advance_in_progress', async () => {
    const entered = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    beforeAnswer(() => {
      entered.resolve();
      return left.promise;
    });
    const first = advance(DAY_MS);
    await entered.promise;
    expect((await rejectionOf(advance(2 * DAY_MS))).reason).toBe('advance_in_progress');
    expect(await read()).toMatchObject({ advancing: true });
    left.resolve();
    expect(await first).toMatchObject({ advancing: false });
  });

  it('is made again under a key whose record is gone', async () => {
    const records = people.harness.database('people_test').collection('idempotency');
    const options = { idempotencyKey: newId('req') };
    await advance(DAY_MS, options);
    await records.deleteMany({ accountId: family.accountId });
    expect(await advance(2 * DAY_MS, options)).toMatchObject({ offset_seconds: 2 * 86_400 });
  });

  it('of two at once admits one', async () => {
    const outcomes = await Promise.allSettled([advance(DAY_MS), advance(2 * DAY_MS), advance(3 * DAY_MS)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(['advance_in_progress', 'in_past']).toContain(outcome.reason.reason);
    const days = [1, 2, 3].map((count) => count * 86_400);
    expect(days).toContain((await read()).offset_seconds);
  });

  it('that a service fails answers that it advances, and the sweep completes it', async () => {
    let fails = 1;
    beforeAnswer(() => {
      if (fails-- > 0) throw new AppError('internal');
    });
    expect(await advance(DAY_MS)).toMatchObject({ advancing: true });
    await until(async () => !(await read()).advancing, 'the sweep has completed the advance');
    expect(await read()).toMatchObject({ offset_seconds: 86_400 });
    expect(parts.offsetsOf('notification', family.accountId)).toEqual([DAY_MS]);
  });

  it('answers after 8 s that it advances, however long a service takes, and is completed', async () => {
    const left = Promise.withResolvers<void>();
    beforeAnswer(() => left.promise);
    const answered = await advance(DAY_MS);
    expect(answered).toMatchObject({ advancing: true, offset_seconds: 0 });
    left.resolve();
    await until(async () => !(await read()).advancing, 'the advance is completed');
    expect(await read()).toMatchObject({ offset_seconds: 86_400 });
  }, 60_000);

  it('is applied once more after its end, to what requests in progress have made', async () => {
    await advance(DAY_MS);
    const before = parts.offsetsOf('scheduling', family.accountId).length;
    await accounts('test').updateOne({ _id: family.accountId }, { $set: { clockDueAt: new Date(0) } });
    await until(() => parts.offsetsOf('scheduling', family.accountId).length > before, 'the clock is applied again');
    expect(parts.offsetsOf('scheduling', family.accountId).at(-1)).toBe(DAY_MS);
  });

  it('is unknown for live keys, and for accounts that do not exist', async () => {
    const live = { ...family, env: 'live' as const };
    expect((await rejectionOf(advance(DAY_MS, { principal: live }))).reason).toBe('unknown_route');
    expect((await rejectionOf(read(live))).reason).toBe('unknown_route');
    const nobody = aPrincipal();
    expect((await rejectionOf(advance(DAY_MS, { principal: nobody }))).reason).toBe('resource_not_found');
    expect((await rejectionOf(read(nobody))).reason).toBe('resource_not_found');
  });
});

describe('participants are described', () => {
  const describeFor = (principal: Principal, instructorId: string, memberIds: string[] = []) =>
    people.harness.call(describeParticipants, { instructorId, memberIds }, { principal });

  it('with the later clock of account and school, from the answer of the advance on', async () => {
    const { id } = await people.anInstructor();
    expect(await describeFor(family, id)).not.toHaveProperty('clockOffsetMs');
    await advance(HOUR_MS);
    expect(await describeFor(family, id)).toMatchObject({ clockOffsetMs: HOUR_MS });
    await advance(DAY_MS, { principal: people.school });
    expect(await describeFor(family, id)).toMatchObject({ clockOffsetMs: DAY_MS });
    await advance(2 * DAY_MS, { principal: people.family });
    const member = await people.aMember();
    await people.connect(member.id, people.school, people.family);
    // The school books for a member of the family.
    const described = () => describeFor(people.school, id, [member.id]);
    await until(async () => (await described()).members[0] !== null, 'the school may read the member');
    expect(await described()).toMatchObject({ clockOffsetMs: 2 * DAY_MS });
  });

  it('without a clock in live, even if an account there has one', async () => {
    const [school, caller] = [aPrincipal({ kind: 'school', env: 'live' }), aPrincipal({ env: 'live' })];
    await openAccounts(people.service, [school, caller]);
    const clock = { offsetMs: DAY_MS, fromMs: 0, targetMs: null, roundsLeft: 0 };
    for (const env of ['live', 'test'] as const)
      await accounts(env).updateMany({ _id: { $in: [school.accountId, caller.accountId] } }, { $set: { clock } });
    const { id } = await people.anInstructor({}, { principal: school });
    expect(await describeFor(caller, id)).toMatchObject({ instructor: { id } });
    expect(await describeFor(caller, id)).not.toHaveProperty('clockOffsetMs');
    expect(await describeFor(caller, newId('ins'))).not.toHaveProperty('clockOffsetMs');
  });
});

describe('what people decides by the clocks', () => {
  it('a new member has its first level since now by the clock of its account, in which later levels follow', async () => {
    await advance(12 * DAY_MS);
    const options = { principal: family };
    const { id, created_at } = await people.aMember({ account_id: family.accountId }, options);
    // The service's clock stands still; ids, and with them created_at, are of real time.
    people.clock.set(new Date());
    const changes = { swimming_level: 'advanced' } as const;
    await people.harness.call(updateMember, { member_id: id, changes }, options);
    const { level_history } = await people.harness.call(getMemberProgress, { member_id: id }, options);
    const [first, second] = level_history.map(({ reached_at }) => Date.parse(reached_at));
    expect(first! - Date.parse(created_at)).toBe(12 * DAY_MS);
    expect(second).toBeGreaterThanOrEqual(first!);
  });

  it('a certification that has expired by the clock of the caller matches no search', async () => {
    const expires_at = inMs(10 * DAY_MS).slice(0, 10);
    const type = `Lifeguard ${family.accountId}`;
    const certification = { type, issuer: 'ARC', issued_at: '2020-01-01', expires_at };
    const { id } = await people.anInstructor({ certifications: [certification] });
    const search = async () => {
      const { items } = await people.harness.call(listInstructors, { certification: type }, { principal: family });
      return items.map((found) => found.id);
    };
    expect(await search()).toEqual([id]);
    await advance(12 * DAY_MS);
    expect(await search()).toEqual([]);
  });

  it('a certification that has expired by the clock of its school matches no search, and counts in no total', async () => {
    const [school, other] = [aPrincipal({ kind: 'school' }), aPrincipal({ kind: 'school' })];
    await openAccounts(people.service, [school, other]);
    const certification = `Lifeguard ${school.accountId}`;
    const aTeacher = async (principal: Principal, days: number) => {
      const certifications = [{ type: certification, expires_at: inMs(days * DAY_MS).slice(0, 10) }];
      const availability_schedule = { weekly: WEEKDAYS.map((day) => ({ day, start: '09:00', end: '12:00' })) };
      return (await people.anInstructor({ certifications, availability_schedule }, { principal })).id;
    };
    await aTeacher(school, 10);
    const valid = [await aTeacher(school, 15), await aTeacher(other, 10), await aTeacher(other, 15)];
    await advance(12 * DAY_MS, { principal: school });

    const options = { principal: family };
    const first = await people.harness.call(listInstructors, { certification, limit: 2 }, options);
    const cursor = first.pagination.next_cursor!;
    const second = await people.harness.call(listInstructors, { certification, limit: 2, cursor }, options);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(valid.toReversed());
    expect([first, second].map(({ pagination }) => pagination.total)).toEqual([3, 3]);
    const today = inMs(0).slice(0, 10);
    const hours = { certification, heldOn: today, dates: [today] };
    const { instructors } = await people.harness.call(findTeachingHours, hours, options);
    expect(instructors.map(({ id }) => id)).toEqual(valid);
  });
});
