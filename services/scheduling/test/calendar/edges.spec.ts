import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createHold,
  createPool,
  getAvailability,
  getSession,
  type InputOf,
  joinWaitlist,
  makeSession,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, aSchedule, inDays, rejectionOf } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, startScheduling } from '../harness.js';

let scheduling: SchedulingHarness;
let instructor: string;
beforeAll(async () => {
  scheduling = await startScheduling();
  // Without published hours every future time is bookable.
  instructor = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
});
afterAll(() => scheduling?.stop());

const make = (changes: Partial<InputOf<typeof makeSession>>, instructorId = instructor) =>
  scheduling.harness.call(makeSession, aSession(instructorId, scheduling.people.member(), changes), asFamily);
const update = (session_id: string, changes: object) =>
  scheduling.harness.call(updateSession, { session_id, changes } as InputOf<typeof updateSession>, asFamily);
const listSlots = (query: Partial<InputOf<typeof getAvailability>>, instructor_id = instructor) =>
  scheduling.harness.call(getAvailability, { instructor_id, ...query }, asFamily);
const leapYear = [1, 2, 3, 4].map((each) => new Date().getUTCFullYear() + each).find((year) => year % 4 === 0)!;

describe('a session at the edges of time', () => {
  it('may be on a leap day, and is rejected on a date that does not exist', async () => {
    const made = await make({ date: `${leapYear}-02-29T23:45:00+00:00`, duration_minutes: 30 });
    expect(made).toMatchObject({
      date: `${leapYear}-02-29T23:45:00.000Z`,
      end_date: `${leapYear}-03-01T00:15:00.000Z`,
    });
    expect(await rejectionOf(make({ date: `${leapYear + 1}-02-29T10:00:00Z` }))).toMatchObject({
      reason: 'invalid_date',
      details: { field: 'date' },
    });
  });

  it('may be 10 years ahead, and no later', async () => {
    const tenYears = new Date().setUTCFullYear(new Date().getUTCFullYear() + 10) - Date.now();
    const later = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString();
    const last = await make({ date: later(inDays(-2), tenYears) });
    expect(await scheduling.harness.call(getSession, { session_id: last.id }, asFamily)).toEqual(last);
    const tooFar = { reason: 'too_far_ahead', code: 'VALIDATION_ERROR' };
    for (const date of [later(inDays(1), tenYears), '9998-01-01T10:00:00Z']) {
      for (const rejected of [make({ date }), update(last.id, { date })])
        expect(await rejectionOf(rejected)).toMatchObject({ ...tooFar, details: { field: 'date' } });
      const { instructor_id, member_id, duration_minutes } = last;
      const held = { instructor_id, member_ids: [member_id], sessions: [{ date, duration_minutes }] };
      expect(await rejectionOf(scheduling.harness.call(createHold, held, asFamily))).toMatchObject({
        ...tooFar,
        details: { field: 'sessions.0.date' },
      });
      const line = { instructor_id, member_id, duration_minutes, date_from: date, date_to: later(date, 7_200_000) };
      expect(await rejectionOf(scheduling.harness.call(joinWaitlist, line, asFamily))).toMatchObject({
        ...tooFar,
        details: { field: 'date_to' },
      });
      expect(await rejectionOf(listSlots({ date_from: date }))).toMatchObject({
        ...tooFar,
        details: { field: 'date_from' },
      });
    }
  });

  it.each([
    ['275760-09-13T00:00:00Z', 'invalid_format'],
    ['+275760-09-13T00:00:00Z', 'invalid_format'],
    ['+275761-01-01T00:00:00Z', 'invalid_format'],
    ['10000-01-01T00:00:00Z', 'invalid_format'],
    ['9999-12-31T23:59:59-01:00', 'invalid_date'],
    ['0000-01-01T00:00:00+01:00', 'invalid_date'],
    ['0000-01-01T00:00:00Z', 'in_past'],
    ['-000001-01-01T00:00:00Z', 'invalid_format'],
  ])('is not at %s: %s', async (date, reason) => {
    const answer = await rejectionOf(make({ date }));
    expect(answer).toMatchObject({ reason, code: 'VALIDATION_ERROR', details: { field: 'date' } });
  });

  it.each([
    [0, 'too_small'],
    [14, 'too_small'],
    [-30, 'too_small'],
    [241, 'too_large'],
    [1e9, 'too_large'],
    [2 ** 53, 'invalid_type'],
    [30.5, 'invalid_type'],
    ['30', 'invalid_type'],
    [null, 'invalid_type'],
  ])('does not last %j minutes, at once or later: %s', async (duration, reason) => {
    const wrong = { duration_minutes: duration as number };
    expect(await rejectionOf(make(wrong))).toMatchObject({ reason, details: { field: 'duration_minutes' } });
    expect(await rejectionOf(update(newId('ses'), wrong))).toMatchObject({
      reason,
      details: { field: 'duration_minutes' },
    });
  });

  it.each([15, 240])('may last %i minutes', async (duration_minutes) => {
    expect(await make({ date: inDays(300 + duration_minutes), duration_minutes })).toMatchObject({ duration_minutes });
  });

  it.each<[object, string]>([
    [{}, 'empty_patch'],
    [{ status: 'cancelled' }, 'read_only'],
    [{ colour: 'blue' }, 'unknown_field'],
    [{ date: null }, 'invalid_type'],
    [{ date: '+275760-09-13T00:00:00Z' }, 'invalid_format'],
    [{ location: null }, 'invalid_type'],
    [{ version: 0 }, 'too_small'],
  ])('is not changed by %j: %s', async (changes, reason) => {
    expect(await rejectionOf(update(newId('ses'), changes))).toMatchObject({ reason, code: 'VALIDATION_ERROR' });
  });
});

describe('the place of a session', () => {
  const aPool = (options = {}) =>
    scheduling.harness.call(
      createPool,
      { name: 'B', address: 'A', latitude: 0, longitude: 0, timezone: 'UTC', lanes: null },
      options,
    );

  it('is rejected for a pool that does not exist or belongs to another school: not_found', async () => {
    const foreign = await aPool({ principal: aPrincipal({ kind: 'school' }) });
    const made = await make({ date: inDays(250) });
    for (const pool_id of [newId('pool'), foreign.id]) {
      const location = { type: 'pool', pool_id } as const;
      const rejected = { reason: 'not_found', code: 'VALIDATION_ERROR', details: { field: 'location.pool_id' } };
      expect(await rejectionOf(make({ date: inDays(251), location }))).toMatchObject(rejected);
      expect(await rejectionOf(update(made.id, { location }))).toMatchObject(rejected);
    }
    expect(await update(made.id, { location: { type: 'pool', pool_id: (await aPool()).id } })).toMatchObject({
      location: { type: 'pool' },
    });
    expect(await update(made.id, { location: { type: 'open_water' } })).toMatchObject({
      location: { type: 'open_water', pool_id: null },
    });
  });
});

describe('availability at the edges of time', () => {
  it.each(['Etc/GMT+25', 'Etc/GMT-15', 'GMT+25', '+25:00', 'UTC+1', 'Europe/Berlin\0', 'europe', 'x'.repeat(65)])(
    'is rejected for the zone %j: unknown_timezone',
    async (timezone) => {
      expect(await rejectionOf(listSlots({ timezone }))).toMatchObject({
        reason: 'unknown_timezone',
        details: { field: 'timezone' },
      });
    },
  );

  it.each(['Etc/GMT+12', 'Etc/GMT-14', 'Pacific/Kiritimati', 'Pacific/Niue'])(
    'is empty on the first dates that exist, in %s',
    async (timezone) => {
      for (const [date_from, date_to] of [
        ['0000-01-02', '0000-01-03'],
        ['1969-12-31', '1970-01-01'],
      ] as const) {
        const { slots } = await listSlots({ date_from, date_to, timezone });
        expect(slots).toEqual([]);
      }
    },
  );

  it('may begin at the first instant, without an end', async () => {
    for (const date_from of ['0000-01-01', '0000-01-01T00:00:00Z'])
      for (const timezone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Niue'])
        expect((await listSlots({ date_from, timezone })).slots).toEqual([]);
  });

  it.each<[string, Partial<InputOf<typeof getAvailability>>, string, string]>([
    ['ends where it begins', { date_from: inDays(1), date_to: inDays(1) }, 'range_reversed', 'date_to'],
    ['ends before now', { date_to: '2020-01-01' }, 'range_reversed', 'date_to'],
    ['is longer than a month', { date_from: inDays(1), date_to: inDays(33) }, 'range_too_long', 'date_to'],
    ['is all of time', { date_from: '0000-01-01', date_to: '9999-12-31' }, 'range_too_long', 'date_to'],
    ['ends far after now', { date_to: '9999-12-31' }, 'range_too_long', 'date_to'],
    ['begins on no day', { date_from: '2027-02-29' }, 'invalid_date', 'date_from'],
    ['begins in the year 275761', { date_from: '+275761-01-01' }, 'invalid_format', 'date_from'],
    ['ends in the year 10000', { date_to: '10000-01-01' }, 'invalid_format', 'date_to'],
    ['has no offset', { date_from: '2027-03-01T10:00:00' }, 'offset_required', 'date_from'],
  ])('is rejected for a range that %s', async (_, query, reason, field) => {
    expect(await rejectionOf(listSlots(query))).toMatchObject({ reason, code: 'VALIDATION_ERROR', details: { field } });
  });

  it.each([
    [0, 'too_small'],
    [241, 'too_large'],
    ['030', undefined],
    ['1e2', 'invalid_type'],
    ['-30', 'too_small'],
    ['30.5', 'invalid_type'],
    ['', 'invalid_type'],
  ])('of %j minutes: %s', async (duration, reason) => {
    const pending = listSlots({ duration_minutes: duration as number });
    if (reason === undefined) expect((await pending).instructor_id).toBe(instructor);
    else expect(await rejectionOf(pending)).toMatchObject({ reason, details: { field: 'duration_minutes' } });
  });
});
