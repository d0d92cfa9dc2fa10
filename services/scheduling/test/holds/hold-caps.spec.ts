import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { claimBooking, confirmBooking, createHold, type Hold, type Principal, removeHold } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { aPrincipal, inDays, partOf, rejectionOf, until, updateAll } from '@swim/testing';
import { HoldsRepository } from '../../src/holds/holds.repository.js';
import { type SchedulingHarness, school, startScheduling } from '../harness.js';
import { conversionOf } from './hold-conversion.js';
import { aPlace, lineOf } from './waitlist-client.js';

const PAST = new Date(0);

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

/** The hold operations of an account with caps of its own. */
function anAccount(principal: Principal = aPrincipal()) {
  const { harness, people } = scheduling;
  const options = { principal, budgetMs: 60_000 };
  const member = () => people.member(principal.accountId);
  const hold = (days: number[] = [10], minutes = 30, more: object = {}): Promise<Hold> => {
    const sessions = days.map((day) => ({ date: inDays(day), duration_minutes: minutes }));
    const input = { instructor_id: people.instructor(), member_ids: [member()], sessions };
    return harness.call(createHold, input, { ...options, ...more });
  };
  const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
  return { options, member, hold, reasonOf };
}
const collection = (name: string) =>
  scheduling.harness.database('scheduling_test').collection<{ _id: string; [field: string]: unknown }>(name);
const daysFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

describe('an account', () => {
  it('has three live holds, and another when one is removed, booked or has ended', async () => {
    const { hold, reasonOf, options } = anAccount();
    const [first, second, third] = [await hold(), await hold(), await hold()];
    const error = await rejectionOf(hold());
    expect(error).toMatchObject({
      reason: 'limit_reached',
      code: 'CONFLICT',
      details: { maximum: 3, maximum_hours: 60 },
    });
    expect(await reasonOf(hold([10], 30, { dryRun: true }))).toBe('limit_reached');
    await scheduling.harness.call(removeHold, { hold_id: first!.id }, options);
    await hold([10], 30, { dryRun: true });
    await hold();
    const conversion = conversionOf(scheduling.people, second!, { accountId: options.principal.accountId });
    await scheduling.harness.call(claimBooking, conversion, options);
    await scheduling.harness.call(confirmBooking, { bookingId: conversion.bookingId }, options);
    await hold();
    expect(await reasonOf(hold())).toBe('limit_reached');
    await collection('holds').updateOne({ _id: third!.id }, { $set: { expiresAt: PAST, dueAt: PAST } });
    await hold();
    expect(await reasonOf(hold())).toBe('limit_reached');
  });

  it('holds sixty hours of sessions in all', async () => {
    const { hold, reasonOf } = anAccount();
    await hold(daysFrom(10, 14), 240);
    expect(await reasonOf(hold(daysFrom(10, 2), 240))).toBe('limit_reached');
    await hold([10], 240);
    expect(await reasonOf(hold([10], 15))).toBe('limit_reached');
    expect(await reasonOf(anAccount().hold(daysFrom(10, 16), 240))).toBe('limit_reached');
  });

  it('has no more of them after many concurrent requests', async () => {
    const { hold } = anAccount();
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, () =>
        hold().then(
          () => 'held',
          (error: AppError) => error.reason,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(3);
    for (const reason of new Set(outcomes)) expect(['held', 'limit_reached']).toContain(reason);
  });

  it('does not count a rejected hold, and counts a repeated one once', async () => {
    const { hold, reasonOf, options, member } = anAccount();
    const instructor_id = scheduling.people.instructor();
    const sessions = [{ date: inDays(10), duration_minutes: 30 }];
    await hold();
    const input = { instructor_id, member_ids: [member()], sessions };
    const repeated = { ...options, idempotencyKey: newId('req') };
    const once = await scheduling.harness.call(createHold, input, repeated);
    expect(await scheduling.harness.call(createHold, input, repeated)).toEqual(once);
    for (let time = 0; time < 3; time++) {
      const taken = { ...input, member_ids: [member()] };
      expect(await reasonOf(scheduling.harness.call(createHold, taken, options))).toBe('conflicting_dates');
    }
    await hold();
    expect(await reasonOf(hold())).toBe('limit_reached');
  });

  it('recovers its cap after a crash before its time was claimed', async () => {
    const { hold, reasonOf } = anAccount();
    const holds = partOf(scheduling.service, HoldsRepository);
    const dying = jest.spyOn(holds, 'markActive').mockRejectedValue(new AppError('unavailable'));
    for (let time = 0; time < 3; time++) expect(await reasonOf(hold())).toBe('unavailable');
    dying.mockRestore();
    expect(await reasonOf(hold())).toBe('limit_reached');
    // Without a repeated request the sweep finishes the holds, and they end; or it removes them.
    await updateAll(collection('claims'), { key: /^hold_/ }, { until: PAST, dueAt: PAST });
    await updateAll(collection('holds'), { status: 'claiming' }, { dueAt: PAST });
    await until(() => hold().catch(() => null), 'it can hold again');
  });

  it('may have offers of the waitlist beyond its cap', async () => {
    const { hold, reasonOf, options, member } = anAccount();
    const { join, read } = lineOf(() => scheduling.harness);
    const instructor = scheduling.people.instructor();
    for (let time = 0; time < 3; time++) await hold();
    const other = await scheduling.harness.call(
      createHold,
      {
        instructor_id: instructor,
        member_ids: [scheduling.people.member()],
        sessions: [{ date: inDays(10), duration_minutes: 30 }],
      },
      { principal: school },
    );
    const entry = await join(aPlace(scheduling.people, instructor, { member_id: member() }), options);
    await scheduling.harness.call(removeHold, { hold_id: other.id }, { principal: school });
    await until(async () => (await read(entry.id, options)).status === 'offered', 'offered');
    expect(await reasonOf(hold())).toBe('limit_reached');
  });
});

describe('a school', () => {
  it('may hold ten times as much, for any family', async () => {
    const { hold, reasonOf } = anAccount(school);
    await hold(daysFrom(10, 16), 240);
    for (let time = 1; time < 30; time++) await hold();
    expect(await reasonOf(hold())).toBe('limit_reached');
  });
});
