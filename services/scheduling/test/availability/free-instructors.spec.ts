import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AvailabilitySchedule,
  findFreeInstructors,
  getAvailability,
  type InputOf,
  MOST_IN_BATCH,
  makeSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aSchedule, inDays, rejectionOf } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, startScheduling } from '../harness.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

type Rules = InputOf<typeof findFreeInstructors>['instructors'][number];
const find = async (at: string, instructors: Rules[]) =>
  (await scheduling.harness.call(findFreeInstructors, { at, durationMinutes: 30, instructors }, asFamily)).free;
const day = (days: number) => inDays(days).slice(0, 10);

/** An instructor whose rules the fake people knows and the request contains. */
function teaching(schedule: Partial<AvailabilitySchedule>, timezone = 'UTC'): Rules {
  const rules = { timezone, schedule: aSchedule(schedule) };
  return { id: scheduling.people.instructor(rules), ...rules };
}
const hours = (start: string, end: string) => ({
  weekly: aSchedule().weekly.map(({ day: weekday }) => ({ day: weekday, start, end })),
});
const book = ({ id }: Rules, date: string, duration_minutes = 30) =>
  scheduling.harness.call(makeSession, aSession(id, scheduling.people.member(), { date, duration_minutes }), asFamily);

describe('free instructors', () => {
  it('on a date: have a slot that is not booked', async () => {
    const [open, partly, full] = [1, 2, 3].map(() => teaching(hours('10:00', '11:00')));
    await book(partly!, inDays(10, 10, 30));
    await book(full!, inDays(10, 10), 60);
    expect(await find(day(10), [full!, partly!, open!])).toEqual([partly!.id, open!.id]);
    expect(await find(day(11), [full!, partly!, open!])).toHaveLength(3);
  });

  it('from an instant: have open hours and no booking then, buffers included', async () => {
    const [open, booked, buffered] = [
      teaching(hours('10:00', '12:00')),
      teaching(hours('10:00', '12:00')),
      teaching({ ...hours('10:00', '12:00'), buffer_before_minutes: 15 }),
    ];
    for (const each of [booked, buffered]) await book(each, inDays(10, 10, 30));
    expect(await find(inDays(10, 11, 0), [open, booked, buffered])).toEqual([open.id, booked.id]);
    expect(await find(inDays(10, 10, 40), [open, booked, buffered])).toEqual([open.id]);
    expect(await find(inDays(10, 11, 31), [open, booked, buffered])).toEqual([]);
  });

  it('are those for whom availability returns slots, each in their own zone', async () => {
    const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu', 'UTC'];
    const all = zones.flatMap((zone) => [
      teaching(hours('00:00', '01:00'), zone),
      teaching(hours('23:00', '24:00'), zone),
    ]);
    for (const { id, timezone } of all.slice(0, 6)) {
      const range = { date_from: day(20), date_to: day(21), timezone };
      const { slots } = await scheduling.harness.call(getAvailability, { instructor_id: id, ...range }, asFamily);
      expect(slots.length).toBeGreaterThan(0);
      for (const { start } of slots) await book({ id } as Rules, start);
    }
    expect(await find(day(20), all)).toEqual(all.slice(6).map(({ id }) => id));
  });

  it('exclude instructors without published hours, and are empty for an empty list', async () => {
    expect(await find(day(10), [teaching({ weekly: [] })])).toEqual([]);
    expect(await find(inDays(10), [teaching({ weekly: [] })])).toEqual([]);
    expect(await find(day(10), [])).toEqual([]);
  });

  it('are found for 500 instructors at once, with 1,000 days to read, in one message', async () => {
    const overrides = Array.from({ length: 20 }, (_, index) => ({ date: day(30 + index), windows: [] }));
    const schedule = aSchedule({ ...hours('09:00', '17:00'), overrides });
    const all = Array.from({ length: MOST_IN_BATCH }, () => ({
      id: newId('ins'),
      timezone: 'Europe/Berlin',
      schedule,
    }));
    expect(JSON.stringify(all).length).toBeLessThan(4 * 1024 * 1024);
    expect(await find(day(10), all)).toHaveLength(MOST_IN_BATCH);
    const { code } = await rejectionOf(find(day(10), [...all, teaching({})]));
    expect(code).toBe('VALIDATION_ERROR');
  });
});
