import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type BusEvent, cancelSession, createSession, findBookedLessons, updateSession } from '@swim/contracts';
import { aPrincipal, collectMessages, inDays, type RequestOptions, until } from '@swim/testing';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling } from '../harness.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const asSchool = { principal: school };
const make = (memberId: string, days: number, by = asFamily) => {
  const input = aSession(scheduling.people.instructor(), memberId, { date: inDays(days), duration_minutes: 60 });
  return scheduling.harness.call(createSession, input, by);
};
const move = (session_id: string, days: number, by = asFamily) =>
  scheduling.harness.call(updateSession, { session_id, changes: { date: inDays(days) } }, by);
const find = async (input: { memberIds?: string[] }, by: RequestOptions = asSchool) =>
  (await scheduling.harness.call(findBookedLessons, input, by)).lessons;

it('answers the last lesson that the member’s account booked, to the two accounts that see it', async () => {
  const memberId = scheduling.people.member();
  await make(memberId, 5);
  const { id, end_date } = await make(memberId, 8);
  await make(memberId, 9, asSchool);
  const cancelled = await make(memberId, 10);
  await scheduling.harness.call(cancelSession, { session_id: cancelled.id }, asFamily);
  const lesson = { id, memberId, accountId: family.accountId, schoolId: school.accountId, bookedUntil: end_date };
  for (const by of [asSchool, asFamily]) expect(await find({ memberIds: [memberId] }, by)).toMatchObject([lesson]);
  expect((await find({})).filter((each) => each.memberId === memberId)).toMatchObject([lesson]);
  const stranger = { principal: aPrincipal({ kind: 'school' }) };
  expect(await find({ memberIds: [memberId] }, stranger)).toEqual([]);
  expect(await find({}, stranger)).toEqual([]);
});

it('takes the end that the member’s account chose last: a move by the school leaves it', async () => {
  const memberId = scheduling.people.member();
  const { id, end_date } = await make(memberId, 5);
  await move(id, 300, asSchool);
  expect(await find({ memberIds: [memberId] })).toMatchObject([{ id, bookedUntil: end_date }]);
  const { end_date: chosen } = await move(id, 12);
  expect(await find({ memberIds: [memberId] })).toMatchObject([{ id, bookedUntil: chosen }]);
});

it('counts no lesson that the school booked, also once the account has moved it', async () => {
  const memberId = scheduling.people.member();
  const { id } = await make(memberId, 5, asSchool);
  await move(id, 12);
  expect(await find({ memberIds: [memberId] })).toEqual([]);
});

it('is in the events of the session', async () => {
  const published = await collectMessages<BusEvent>(scheduling.harness.connection, 'event.*.scheduling.session.>');
  const [own, given] = [await make(scheduling.people.member(), 5), await make(scheduling.people.member(), 5, asSchool)];
  await move(own.id, 300, asSchool);
  const factsOf = (objectId: string, n: number) =>
    until(() => published.find((event) => event.objectId === objectId && event.n === n), 'the event is published').then(
      ({ facts }) => facts,
    );
  for (const n of [1, 2]) expect(await factsOf(own.id, n)).toEqual({ bookedUntil: own.end_date });
  expect(await factsOf(given.id, 1)).toEqual({});
});
