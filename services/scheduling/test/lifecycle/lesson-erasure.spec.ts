import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  cancelLesson,
  createLesson,
  eraseTimesOfAccount,
  getLesson,
  getSession,
  type Lesson,
  memberErased,
  type Principal,
  resetTimes,
} from '@swim/contracts';
import { aPrincipal, inDays, publishEvent, rejectionOf, until } from '@swim/testing';
import { wholeness } from '../calendar/calendar-checks.js';
import { asFamily, family, type SchedulingHarness, startScheduling } from '../harness.js';
import { takePlace } from '../lessons/places.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

/** A school of its own with a lesson, to which further changes apply. */
async function aSchoolWithLesson(): Promise<{ principal: Principal; lesson: Lesson }> {
  const principal = aPrincipal({ kind: 'school' });
  const instructor_id = scheduling.people.instructor({ schoolId: principal.accountId });
  const input = { instructor_id, date: inDays(10), duration_minutes: 30, capacity: 6, price_cents: 1_500 };
  return { principal, lesson: await scheduling.harness.call(createLesson, input, { principal }) };
}
const read = (lesson_id: string, principal: Principal) =>
  scheduling.harness.call(getLesson, { lesson_id }, { principal });
const erase = ({ accountId }: Principal) =>
  until(
    async () =>
      (await scheduling.harness.call(eraseTimesOfAccount, { accountId }, { principal: aPrincipal({ accountId }) }))
        .done,
    'nothing is left',
  );
const reasonOf = async (request: Promise<unknown>) => (await rejectionOf(request)).reason;
const whole = () => wholeness(scheduling.harness.database('scheduling_test'));

it('a school that is erased cancels its lessons, of which strangers see none any more', async () => {
  const { principal, lesson } = await aSchoolWithLesson();
  await scheduling.harness.call(cancelLesson, { lesson_id: lesson.id, reason: 'Storm' }, { principal });
  const { id: second } = await scheduling.harness.call(
    createLesson,
    { instructor_id: lesson.instructor_id, date: inDays(11), duration_minutes: 30, capacity: 6, price_cents: 1_500 },
    { principal },
  );
  const { id: session_id } = (await takePlace(scheduling, second))!;
  await erase(principal);
  const { status, cancellation } = await scheduling.harness.call(getSession, { session_id }, asFamily);
  expect([status, cancellation?.fee_cents, cancellation?.cancelled_by]).toEqual(['cancelled', 0, principal.accountId]);
  for (const id of [lesson.id, second])
    expect(await reasonOf(read(id, aPrincipal({ kind: 'school' })))).toBe('resource_not_found');
  await whole();
});

it('a family that is erased gives its places back, and nothing else changes for others', async () => {
  const { principal, lesson } = await aSchoolWithLesson();
  const leaving = aPrincipal();
  await takePlace(scheduling, lesson.id, { memberId: scheduling.people.member(leaving.accountId) });
  const { id: stays } = (await takePlace(scheduling, lesson.id))!;
  const before = await read(lesson.id, family);
  expect(before).toMatchObject({ places_left: 4, sessions: [{ id: stays }] });
  await erase(leaving);
  expect(await read(lesson.id, family)).toEqual({ ...before, places_left: 5 });
  expect(await read(lesson.id, principal)).toMatchObject({ version: 1, status: 'scheduled' });
  await whole();
});

it('a member that is erased gives its place back', async () => {
  const { principal, lesson } = await aSchoolWithLesson();
  const memberId = scheduling.people.member();
  await takePlace(scheduling, lesson.id, { memberId });
  const object = { id: memberId, account_id: family.accountId, erased_at: new Date().toISOString() };
  await publishEvent(scheduling.harness, memberErased, { object, audience: [family.accountId, principal.accountId] });
  await until(async () => (await read(lesson.id, principal)).places_left === 6, 'the place is given back');
  await whole();
});

it('the reset of a school cancels and hides the lessons that were made before', async () => {
  const { principal, lesson } = await aSchoolWithLesson();
  const { id: session_id } = (await takePlace(scheduling, lesson.id))!;
  const before = new Date(Date.now() + 1_000).toISOString();
  const { accountId } = principal;
  for (const phase of ['end', 'empty'] as const)
    await until(
      async () => (await scheduling.harness.call(resetTimes, { accountId, before, phase }, { principal })).done,
      `the phase ${phase} is done`,
    );
  expect(await reasonOf(read(lesson.id, principal))).toBe('resource_not_found');
  expect(await reasonOf(read(lesson.id, aPrincipal({ kind: 'school' })))).toBe('resource_not_found');
  const session = await scheduling.harness.call(getSession, { session_id }, asFamily);
  expect(session).toMatchObject({ status: 'cancelled', cancellation: { participants_notified: false } });
});
