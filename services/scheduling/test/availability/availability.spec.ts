import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createPool,
  getAvailability,
  getPool,
  type InputOf,
  listPools,
  makeSession,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aSchedule, inDays, rejectionOf } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, startScheduling } from '../harness.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const listSlots = (instructor_id: string, query: Partial<InputOf<typeof getAvailability>> = {}) =>
  scheduling.harness.call(
    getAvailability,
    { instructor_id, date_from: inDays(10, 0), date_to: inDays(11, 0), ...query },
    asFamily,
  );

describe('availability', () => {
  it('lists every slot of the published hours, in the requested zone with its offset', async () => {
    const answer = await listSlots(scheduling.people.instructor(), { timezone: 'Asia/Kathmandu' });
    expect(answer).toMatchObject({ timezone: 'Asia/Kathmandu', schedule: { slot_interval_minutes: 30 } });
    expect(answer.slots).toHaveLength(32);
    expect(
      answer.slots.every(
        ({ start, end }) => start.endsWith('+05:45') && Date.parse(end) - Date.parse(start) === 1_800_000,
      ),
    ).toBe(true);
    expect(answer.slots[0]!.start.slice(11)).toBe('11:45:00+05:45');
  });

  it('leaves out taken time, buffers included, and every listed slot can be booked', async () => {
    const instructor = scheduling.people.instructor({
      schedule: aSchedule({ buffer_before_minutes: 15, buffer_after_minutes: 15 }),
    });
    await scheduling.harness.call(
      makeSession,
      aSession(instructor, scheduling.people.member(), { date: inDays(10, 12) }),
      asFamily,
    );
    const { slots } = await listSlots(instructor);
    const starts = slots.map(({ start }) => start.slice(11, 16));
    expect(starts).toContain('11:00');
    for (const taken of ['11:30', '12:00', '12:30']) expect(starts).not.toContain(taken);
    expect(starts).toContain('13:00');
    await scheduling.harness.call(
      makeSession,
      aSession(instructor, scheduling.people.member(), {
        date: slots.find(({ start }) => start.includes('T13:00'))!.start,
      }),
      asFamily,
    );
  });

  it('accepts a duration, and is empty for an inactive instructor', async () => {
    const { slots } = await listSlots(scheduling.people.instructor(), { duration_minutes: 60 });
    expect(slots).toHaveLength(31);
    expect((await listSlots(scheduling.people.instructor({ status: 'inactive' }))).slots).toEqual([]);
  });

  it('rejects an unknown instructor, an unknown zone, and ranges that end before they start or last too long', async () => {
    const instructor = scheduling.people.instructor();
    expect(await rejectionOf(listSlots(newId('ins')))).toMatchObject({ reason: 'resource_not_found' });
    for (const timezone of ['Mars/Base', 'Etc/GMT+25', 'IST', '']) {
      expect(await rejectionOf(listSlots(instructor, { timezone }))).toMatchObject({ reason: 'unknown_timezone' });
    }
    expect(await rejectionOf(listSlots(instructor, { date_to: inDays(9) }))).toMatchObject({
      reason: 'range_reversed',
      details: { field: 'date_to' },
    });
    expect(await rejectionOf(listSlots(instructor, { date_to: inDays(50) }))).toMatchObject({
      reason: 'range_too_long',
    });
    expect(await rejectionOf(listSlots(instructor, { date_from: '2027-02-30' }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { field: 'date_from' },
    });
  });
});

describe('pools', () => {
  const aPool = {
    name: 'Bath',
    address: '1 Water Street',
    latitude: 52.5,
    longitude: 13.4,
    timezone: 'Europe/Berlin',
    lanes: 4,
  };

  it('are created by schools and read by every account', async () => {
    const made = await scheduling.harness.call(createPool, aPool);
    expect(made).toMatchObject(aPool);
    expect(await scheduling.harness.call(getPool, { pool_id: made.id }, asFamily)).toEqual(made);
    expect((await scheduling.harness.call(listPools, {}, asFamily)).items[0]).toEqual(made);
    const imagined = await scheduling.harness.call(createPool, aPool, { dryRun: true });
    expect(await rejectionOf(scheduling.harness.call(getPool, { pool_id: imagined.id }))).toMatchObject({
      reason: 'resource_not_found',
    });
  });

  it('are not created by families', async () => {
    expect(await rejectionOf(scheduling.harness.call(createPool, aPool, asFamily))).toMatchObject({
      reason: 'school_only',
      code: 'AUTHORIZATION_ERROR',
    });
  });

  it('take no more groups at one instant than they have lanes', async () => {
    const pool = await scheduling.harness.call(createPool, { ...aPool, lanes: 2 });
    const location = { type: 'pool', pool_id: pool.id } as const;
    const swim = (hour: number, minutes: number) => {
      const instructor = scheduling.people.instructor();
      const input = aSession(instructor, scheduling.people.member(), {
        date: inDays(15, hour),
        duration_minutes: minutes,
        location,
      });
      return scheduling.harness.call(makeSession, input, asFamily);
    };
    await swim(10, 60);
    const second = await swim(11, 60);
    await swim(10, 120);
    const error = await rejectionOf(swim(10, 120));
    expect(error).toMatchObject({ reason: 'pool_full', code: 'CONFLICT' });
    for (const { start } of error.details.suggestions as { start: string }[]) {
      await scheduling.harness.call(
        makeSession,
        aSession(scheduling.people.instructor(), scheduling.people.member(), {
          date: start,
          duration_minutes: 120,
          location,
        }),
        { ...asFamily, dryRun: true },
      );
    }
    const moved = scheduling.harness.call(
      updateSession,
      { session_id: second.id, changes: { date: inDays(15, 11, 30) } },
      asFamily,
    );
    expect(await moved).toMatchObject({ date: inDays(15, 11, 30) });
    await swim(9, 60);
    await swim(12, 30);
  });

  it('count a lesson across midnight UTC as one lane, for suggestions as for claims', async () => {
    const pool = await scheduling.harness.call(createPool, { ...aPool, lanes: 2 });
    const location = { type: 'pool', pool_id: pool.id } as const;
    const swim = (instructor: string, date: string, duration_minutes: number, options = {}) => {
      const input = aSession(instructor, scheduling.people.member(), { date, duration_minutes, location });
      return scheduling.harness.call(makeSession, input, { ...asFamily, ...options });
    };
    const anyHours = { schedule: aSchedule({ weekly: [] }) };
    await swim(scheduling.people.instructor(anyHours), inDays(17, 23, 30), 60);
    const busy = scheduling.people.instructor(anyHours);
    await swim(busy, inDays(17, 23, 0), 30);
    const error = await rejectionOf(swim(busy, inDays(17, 23, 0), 30));
    const starts = (error.details.suggestions as { start: string }[]).map(({ start }) => start);
    expect(starts).toEqual([inDays(17, 22, 30), inDays(17, 23, 30), inDays(17, 22, 0)]);
    for (const start of starts) await swim(busy, start, 30, { dryRun: true });
    await swim(busy, inDays(17, 23, 30), 30);
  });

  it('are never overfull under concurrent claims', async () => {
    const pool = await scheduling.harness.call(createPool, { ...aPool, lanes: 3 });
    const race = Array.from({ length: 60 }, async (_, index) => {
      const overrides = {
        date: inDays(16, 8 + (index % 3), (index * 7) % 60),
        duration_minutes: 15 + ((index * 13) % 90),
        location: { type: 'pool', pool_id: pool.id } as const,
      };
      const input = aSession(scheduling.people.instructor(), scheduling.people.member(), overrides);
      return scheduling.harness
        .insist(makeSession, input, { ...asFamily, idempotencyKey: newId('req') })
        .catch((error: { reason: string }) => error.reason);
    });
    const outcomes = await Promise.all(race);
    const swum = outcomes.filter((outcome) => typeof outcome !== 'string');
    for (const reason of outcomes.filter((outcome) => typeof outcome === 'string')) expect(reason).toBe('pool_full');
    expect(swum.length).toBeGreaterThan(5);
    for (const { date } of swum) {
      expect(swum.filter((other) => other.date <= date && date < other.end_date).length).toBeLessThanOrEqual(3);
    }
  });
});
