import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Deadline, newId } from '@swim/platform';
import { inDays, partOf, rejectionOf, until } from '@swim/testing';
import { CalendarService } from '../../src/calendar/calendar.service.js';
import type { ClaimElement } from '../../src/calendar/claim.schema.js';
import { ClaimsRepository } from '../../src/calendar/claims.repository.js';
import type { Day } from '../../src/calendar/day.schema.js';
import { DaysRepository } from '../../src/calendar/days.repository.js';
import { type SchedulingHarness, startScheduling } from '../harness.js';

const DATE = inDays(10).slice(0, 10);

let scheduling: SchedulingHarness;
let days: DaysRepository;
beforeAll(async () => {
  scheduling = await startScheduling();
  days = partOf(scheduling.service, DaysRepository);
});
afterAll(() => scheduling?.stop());

/** Time from one hour of the day to another, for a session of its own. */
const time = (from: number, to: number, more: Partial<ClaimElement> = {}): ClaimElement => ({
  resource: 'any',
  startMs: Date.parse(inDays(10, from)),
  endMs: Date.parse(inDays(10, to)),
  holder: newId('ses'),
  ...more,
});

/** An empty day, and how to lock time on it without reading it first. */
async function aDay() {
  const id = `${newId('ins')}:${DATE}`;
  await days.insertMissing([id]);
  const push = (claimId: string, ...elements: ClaimElement[]) => days.push([id, elements], claimId);
  const stored = () => scheduling.harness.database('scheduling_test').collection<Day>('days').findOne({ _id: id });
  const takers = async () => (await stored())!.busy.map(({ c }) => c);
  return { id, push, takers };
}

describe('the lock of a day', () => {
  it.each([
    ['the same time', 10, 12],
    ['its beginning', 9, 11],
    ['its end', 11, 13],
    ['more than it', 9, 13],
    ['a part of it', 10, 11],
  ])('is not given for %s when a time is taken', async (_, from, to) => {
    const { push, takers } = await aDay();
    expect(await push('first', time(10, 12))).toBe(true);
    expect(await push('second', time(from, to))).toBe(false);
    expect(await push('third', time(14, 15), time(from, to))).toBe(false);
    expect(await takers()).toEqual(['first']);
  });

  it('is taken before, after, and by the same session', async () => {
    const { push, takers } = await aDay();
    const own = time(10, 12);
    expect(await push('first', own)).toBe(true);
    expect(await push('before', time(9, 10))).toBe(true);
    expect(await push('after', time(12, 13))).toBe(true);
    expect(await push('next of its own', { ...own, endMs: own.endMs - 1_800_000 })).toBe(true);
    expect(await takers()).toHaveLength(4);
  });

  it('is rejected for a claim that was released before, and for a second push of one claim', async () => {
    const { id, push, takers } = await aDay();
    await days.pull([id], 'late');
    expect(await push('late', time(10, 12))).toBe(false);
    expect(await push('twice', time(10, 12))).toBe(true);
    expect(await push('twice', time(13, 14))).toBe(false);
    expect(await takers()).toEqual(['twice']);
    await days.pull([id], 'twice');
    expect(await push('twice', time(10, 12))).toBe(false);
    expect(await takers()).toEqual([]);
  });

  it('counts lanes at each instant, also for locks that were not read', async () => {
    const { push, takers } = await aDay();
    const lane = (from: number, to: number) => time(from, to, { lanes: 2 });
    expect(await push('long', lane(10, 14))).toBe(true);
    expect(await push('early', lane(10, 12))).toBe(true);
    expect(await push('late', lane(12, 14))).toBe(true);
    for (const [from, to] of [
      [9, 11],
      [11, 13],
      [13, 15],
    ] as const)
      expect(await push('full', lane(from, to))).toBe(false);
    expect(await push('next', lane(14, 15))).toBe(true);
    expect(await takers()).toHaveLength(4);
  });
});

describe('a run of a request that a later run has fenced off', () => {
  it('claims once, is rejected with busy_retry, and leaves nothing locked', async () => {
    const calendar = partOf(scheduling.service, CalendarService);
    const insertTaking = jest.spyOn(partOf(scheduling.service, ClaimsRepository), 'insertTaking');
    const [key, element] = [newId('bkg'), time(10, 12, { resource: newId('ins') })];
    await calendar.supersede(key, 2);
    const late = calendar.take({
      key,
      elements: [element],
      fence: { attempt: 1, deadline: new Deadline(60_000) },
    });
    expect((await rejectionOf(late)).reason).toBe('busy_retry');
    expect(insertTaking).toHaveBeenCalledTimes(1);
    insertTaking.mockRestore();
    expect(await calendar.check([{ ...element, holder: newId('ses') }])).toEqual([]);
  });
});

describe('a claim whose request runs out of time between its locks and its commit', () => {
  it.each([
    ['confirmed', {}],
    ['held', { holdMs: 60_000 }],
  ])('is not %s, and leaves nothing locked', async (_, kind) => {
    const calendar = partOf(scheduling.service, CalendarService);
    const [key, element] = [newId('bkg'), time(10, 12, { resource: newId('ins') })];
    const deadline = new Deadline(1_000);
    const precondition = async () => void (await until(() => deadline.expired, 'the request has run out of time'));
    const late = calendar.take({
      key,
      elements: [element],
      fence: { attempt: 1, deadline },
      precondition,
      ...kind,
    });
    expect((await rejectionOf(late)).reason).toBe('deadline_exceeded');
    expect(await calendar.findLive(key)).toBeNull();
    expect(await calendar.check([{ ...element, holder: newId('ses') }])).toEqual([]);
  });
});

describe('the locks of many days', () => {
  const claimed = async (elements: ClaimElement[]) =>
    partOf(scheduling.service, CalendarService).take({ key: newId('bkg'), elements });

  it('are all taken, or none of them stays', async () => {
    const resources = Array.from({ length: 8 }, () => newId('ins'));
    const [taken] = [time(10, 12, { resource: resources[5]! })];
    expect(await claimed([taken])).toHaveProperty('claim');
    const input = resources.map((resource) => time(10, 11, { resource }));
    expect(await claimed(input)).toEqual({ taken: [input[5]] });
    const others = input.filter((_, index) => index !== 5);
    expect(await claimed(others)).toHaveProperty('claim');
    expect(await claimed(others.slice(0, 1).map((each) => ({ ...each, holder: newId('ses') })))).toHaveProperty(
      'taken',
    );
  });

  it('are taken in one command, counted by the database, whichever of them misses', async () => {
    const [free, taken] = [await aDay(), await aDay()];
    expect(await taken.push('first', time(10, 12))).toBe(true);
    const byDay: [string, ClaimElement[]][] = [taken, free].map(({ id }) => [id, [time(10, 11)]]);
    expect(await days.pushAll(byDay, 'second')).toBe(1);
    expect([await free.takers(), await taken.takers()]).toEqual([['second'], ['first']]);
  });
});
