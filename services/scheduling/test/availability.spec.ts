import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createPool,
  createSession,
  getAvailability,
  getPool,
  type InputOf,
  listPools,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aSchedule, inDays, refusalOfCall } from '@swim/testing';
import { aSession, asFamily, type SchedulingParts, startScheduling } from './scheduling-parts.js';

let scheduling: SchedulingParts;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const ask = (instructor_id: string, query: Partial<InputOf<typeof getAvailability>> = {}) =>
  scheduling.parts.call(
    getAvailability,
    { instructor_id, date_from: inDays(10, 0), date_to: inDays(11, 0), ...query },
    asFamily,
  );

describe('availability', () => {
  it('is every slot of the published hours, in the asked zone with its offset', async () => {
    const answer = await ask(scheduling.people.instructor(), { timezone: 'Asia/Kathmandu' });
    expect(answer).toMatchObject({ timezone: 'Asia/Kathmandu', schedule: { slot_interval_minutes: 30 } });
    expect(answer.slots).toHaveLength(32);
    expect(
      answer.slots.every(
        ({ start, end }) => start.endsWith('+05:45') && Date.parse(end) - Date.parse(start) === 1_800_000,
      ),
    ).toBe(true);
    expect(answer.slots[0]!.start.slice(11)).toBe('11:45:00+05:45');
  });

  it('leaves out what is taken, buffers included, and each slot can be booked as it stands', async () => {
    const instructor = scheduling.people.instructor({
      schedule: aSchedule({ buffer_before_minutes: 15, buffer_after_minutes: 15 }),
    });
    await scheduling.parts.call(
      createSession,
      aSession(instructor, scheduling.people.member(), { date: inDays(10, 12) }),
      asFamily,
    );
    const { slots } = await ask(instructor);
    const starts = slots.map(({ start }) => start.slice(11, 16));
    expect(starts).toContain('11:00');
    for (const taken of ['11:30', '12:00', '12:30']) expect(starts).not.toContain(taken);
    expect(starts).toContain('13:00');
    await scheduling.parts.call(
      createSession,
      aSession(instructor, scheduling.people.member(), {
        date: slots.find(({ start }) => start.includes('T13:00'))!.start,
      }),
      asFamily,
    );
  });

  it('takes a duration, and offers nothing of an inactive instructor', async () => {
    const { slots } = await ask(scheduling.people.instructor(), { duration_minutes: 60 });
    expect(slots).toHaveLength(31);
    expect((await ask(scheduling.people.instructor({ status: 'inactive' }))).slots).toEqual([]);
  });

  it('refuses an unknown instructor, an unknown zone, and ranges that end before they start or last too long', async () => {
    const instructor = scheduling.people.instructor();
    expect(await refusalOfCall(ask(newId('ins')))).toMatchObject({ reason: 'resource_not_found' });
    for (const timezone of ['Mars/Base', 'Etc/GMT+25', '']) {
      expect(await refusalOfCall(ask(instructor, { timezone }))).toMatchObject({ reason: 'unknown_timezone' });
    }
    expect(await refusalOfCall(ask(instructor, { date_to: inDays(9) }))).toMatchObject({
      reason: 'range_reversed',
      details: { field: 'date_to' },
    });
    expect(await refusalOfCall(ask(instructor, { date_to: inDays(50) }))).toMatchObject({ reason: 'range_too_long' });
    expect(await refusalOfCall(ask(instructor, { date_from: '2027-02-30' }))).toMatchObject({
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

  it('are made by schools and read by everyone', async () => {
    const made = await scheduling.parts.call(createPool, aPool);
    expect(made).toMatchObject(aPool);
    expect(await scheduling.parts.call(getPool, { pool_id: made.id }, asFamily)).toEqual(made);
    expect((await scheduling.parts.call(listPools, {}, asFamily)).items[0]).toEqual(made);
    const imagined = await scheduling.parts.call(createPool, aPool, { dryRun: true });
    expect(await refusalOfCall(scheduling.parts.call(getPool, { pool_id: imagined.id }))).toMatchObject({
      reason: 'resource_not_found',
    });
  });

  it('are not made by families', async () => {
    expect(await refusalOfCall(scheduling.parts.call(createPool, aPool, asFamily))).toMatchObject({
      reason: 'school_only',
      code: 'AUTHORIZATION_ERROR',
    });
  });

  it('take no more groups at one instant than they have lanes', async () => {
    const pool = await scheduling.parts.call(createPool, { ...aPool, lanes: 2 });
    const location = { type: 'pool', pool_id: pool.id } as const;
    const swim = (hour: number, minutes: number) => {
      const instructor = scheduling.people.instructor();
      const input = aSession(instructor, scheduling.people.member(), {
        date: inDays(15, hour),
        duration_minutes: minutes,
        location,
      });
      return scheduling.parts.call(createSession, input, asFamily);
    };
    await swim(10, 60);
    const second = await swim(11, 60);
    await swim(10, 120);
    const error = await refusalOfCall(swim(10, 120));
    expect(error).toMatchObject({ reason: 'pool_full', code: 'CONFLICT' });
    for (const { start } of error.details.suggestions as { start: string }[]) {
      await scheduling.parts.call(
        createSession,
        aSession(scheduling.people.instructor(), scheduling.people.member(), {
          date: start,
          duration_minutes: 120,
          location,
        }),
        { ...asFamily, dryRun: true },
      );
    }
    const moved = scheduling.parts.call(
      updateSession,
      { session_id: second.id, changes: { date: inDays(15, 11, 30) } },
      asFamily,
    );
    expect(await moved).toMatchObject({ date: inDays(15, 11, 30) });
    await swim(9, 60);
    await swim(12, 30);
  });

  it('are never overfull, whoever races for them', async () => {
    const pool = await scheduling.parts.call(createPool, { ...aPool, lanes: 3 });
    const race = Array.from({ length: 60 }, async (_, index) => {
      const overrides = {
        date: inDays(16, 8 + (index % 3), (index * 7) % 60),
        duration_minutes: 15 + ((index * 13) % 90),
        location: { type: 'pool', pool_id: pool.id } as const,
      };
      const wanted = aSession(scheduling.people.instructor(), scheduling.people.member(), overrides);
      for (;;) {
        const outcome = await scheduling.parts
          .call(createSession, wanted, asFamily)
          .catch((error: { reason: string }) => error.reason);
        if (outcome !== 'busy_retry') return outcome;
      }
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
