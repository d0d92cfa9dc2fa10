import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool, getAvailability, makeSession, updateLesson } from '@swim/contracts';
import { Databases } from '@swim/mongo';
import { newId } from '@swim/platform';
import { aSchedule, inDays, partOf, rejectionOf, until } from '@swim/testing';
import { mongo } from 'mongoose';
import { CalendarService } from '../../src/calendar/calendar.service.js';
import type { ClaimElement } from '../../src/calendar/claim.schema.js';
import type { Day } from '../../src/calendar/day.schema.js';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { aLesson, bookPlace } from '../lessons/places.js';

const DAY = 20;
const DAY_MS = 86_400_000;
const MOST_BYTES = 64 * 1024;
const MOST_BYTES_AN_ELEMENT = 120;

let scheduling: SchedulingHarness;
let calendar: CalendarService;
beforeAll(async () => {
  const uri = new URL(process.env.TEST_MONGODB_URI!);
  uri.searchParams.set('monitorCommands', 'true');
  scheduling = await startScheduling({ MONGODB_URI: uri.href });
  calendar = partOf(scheduling.service, CalendarService);
});
afterAll(() => scheduling?.stop());

const days = () => scheduling.harness.database('scheduling_test').collection<Day>('days');
const dayIdOf = (resource: string, day = DAY) => `${resource}:${inDays(day).slice(0, 10)}`;
const dayOf = async (resource: string) => (await days().findOne({ _id: dayIdOf(resource) }))!;
const bytesOf = (value: unknown) => mongo.BSON.calculateObjectSize(value as object);

/** Time of a resource on the day, from this many minutes after midnight on. */
const minutesOf = (resource: string, from: number, minutes: number): ClaimElement => {
  const startMs = Date.parse(inDays(DAY, 0)) + from * 60_000;
  return { resource, startMs, endMs: startMs + minutes * 60_000, holder: newId('ses') };
};

/** Claims of six minutes each, one after the other from midnight on; returns their ids. */
async function claims(resource: string, count: number, from = 0): Promise<string[]> {
  const ids: string[] = [];
  for (let index = from; index < from + count; index++) {
    const taken = await calendar.take({ key: newId('bkg'), elements: [minutesOf(resource, index * 6, 6)] });
    if (!('claim' in taken)) throw new Error('It was rejected.');
    ids.push(taken.claim._id);
  }
  return ids;
}

const lesson = (instructorId: string, hours: number, more = {}) =>
  scheduling.harness.call(
    makeSession,
    aSession(instructorId, scheduling.people.member(), { date: inDays(DAY, hours), ...more }),
    asFamily,
  );

describe('a day with 200 claims', () => {
  let instructor: string;
  beforeAll(async () => {
    instructor = scheduling.people.instructor();
    await claims(instructor, 200);
  });

  it('is a small document: at most 120 bytes for each', async () => {
    const day = await dayOf(instructor);
    expect(day.busy).toHaveLength(200);
    expect(bytesOf(day)).toBeLessThanOrEqual(MOST_BYTES);
    expect(bytesOf(day.busy) / 200).toBeLessThanOrEqual(MOST_BYTES_AN_ELEMENT);
  });

  it('offers the remaining time, and it can be booked', async () => {
    const range = { date_from: inDays(DAY, 0), date_to: inDays(DAY + 1, 0) };
    const listSlots = () => scheduling.harness.call(getAvailability, { instructor_id: instructor, ...range }, asFamily);
    const startsOf = async () => (await listSlots()).slots.map(({ start }) => start.slice(11, 16));
    expect(await startsOf()).toEqual(['20:00', '20:30', '21:00', '21:30']);
    expect((await rejectionOf(lesson(instructor, 19))).reason).toBe('instructor_busy');
    await lesson(instructor, 21);
    expect(await startsOf()).toEqual(['20:00', '20:30', '21:30']);
    expect((await rejectionOf(lesson(instructor, 21))).reason).toBe('instructor_busy');
  });

  it('records the last 64 released claims, and stays small after any number of them', async () => {
    const given = await claims(instructor, 15, 215);
    for (let round = 0; round < 5; round++) {
      for (const id of given) await calendar.release(id);
      given.splice(0, given.length, ...(await claims(instructor, 15, 215)));
    }
    const last = given.at(-1)!;
    for (const id of given) await calendar.release(id);
    const day = await dayOf(instructor);
    expect(day.gone).toHaveLength(64);
    expect(day.gone.at(-1)).toBe(last);
    expect(day.busy).toHaveLength(201);
    expect(bytesOf(day)).toBeLessThanOrEqual(MOST_BYTES);
  });
});

describe('a pool with 200 groups on one day', () => {
  it('is a small document too, and still counts its lanes', async () => {
    const baths = { name: 'B', address: 'A', latitude: 0, longitude: 0, timezone: 'UTC', lanes: 2 };
    const { id: pool_id } = await scheduling.harness.call(createPool, baths);
    for (let index = 0; index < 200; index++) {
      const element = { ...minutesOf(pool_id, Math.floor(index / 2) * 12, 12), lanes: 2 };
      expect(await calendar.take({ key: newId('bkg'), elements: [element] })).toHaveProperty('claim');
    }
    const day = await dayOf(pool_id);
    expect(day.busy).toHaveLength(200);
    expect(bytesOf(day)).toBeLessThanOrEqual(MOST_BYTES);
    expect(bytesOf(day.busy) / 200).toBeLessThanOrEqual(MOST_BYTES_AN_ELEMENT);
    const location = { type: 'pool', pool_id } as const;
    expect((await rejectionOf(lesson(scheduling.people.instructor(), 19, { location }))).reason).toBe('pool_full');
    for (let lane = 0; lane < 2; lane++) await lesson(scheduling.people.instructor(), 20, { location });
    expect((await rejectionOf(lesson(scheduling.people.instructor(), 20, { location }))).reason).toBe('pool_full');
  });
});

describe('a year of history', () => {
  const requested: { name: string; filter: Record<string, unknown> }[] = [];
  beforeAll(() => {
    const client = scheduling.service.app.get(Databases, { strict: false }).connection.getClient();
    client.on('commandStarted', ({ commandName, command }: mongo.CommandStartedEvent) => {
      if (command[commandName] !== 'days') return;
      const filters =
        commandName === 'update' ? command.updates.map((each: { q: object }) => each.q) : [command.filter];
      for (const filter of filters) if (filter) requested.push({ name: commandName, filter });
    });
  });
  beforeEach(() => void requested.splice(0));

  it('is not read by a claim: its query reads the days of the claim by id', async () => {
    const instructor = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
    const member = scheduling.people.member();
    const past = [instructor, member].flatMap((resource) =>
      Array.from({ length: 365 }, (_, index) => {
        const s = new Date(Date.parse(inDays(DAY)) - index * DAY_MS - 3_600_000);
        const busy = [{ s, e: new Date(s.getTime() + 1_800_000), c: `past-${index}`, h: `ses_${index}` }];
        return { _id: dayIdOf(resource, DAY - index), busy, gone: [] };
      }),
    );
    await days().insertMany(past as Day[]);
    const input = aSession(instructor, member, { date: inDays(DAY, 23, 45) });
    // Ends on the next day: two day documents of each resource.
    await scheduling.harness.call(makeSession, input, asFamily);
    const ids = [instructor, member].flatMap((resource) => [dayIdOf(resource), dayIdOf(resource, DAY + 1)]).sort();
    const read = requested.filter(({ name }) => name === 'find').map(({ filter }) => filter._id as { $in: string[] });
    expect(read.map(({ $in }) => [...$in].sort())).toEqual([ids]);
    expect(requested.filter(({ name }) => name === 'update').map(({ filter }) => filter._id)).toEqual(ids);
  });
});

describe('a lesson that families share', () => {
  const ofClaims: string[] = [];
  beforeAll(() => {
    const client = scheduling.service.app.get(Databases, { strict: false }).connection.getClient();
    client.on('commandStarted', ({ commandName, command }: mongo.CommandStartedEvent) => {
      if (command[commandName] === 'claims') ofClaims.push(commandName);
    });
  });
  const countOf = (...names: string[]) => ofClaims.filter((name) => names.includes(name)).length;

  it('moves with five children, whose claims end together', async () => {
    const lesson = await aLesson(scheduling);
    for (let child = 0; child < 5; child++) await bookPlace(scheduling, lesson);
    const unfinished = { 'elements.resource': lesson.id, plan: { $exists: true } };
    const claimsOf = scheduling.harness.database('scheduling_test').collection('claims');
    await until(
      async () => (await claimsOf.countDocuments(unfinished)) === 0,
      'the claims of the places are fulfilled',
    );
    ofClaims.splice(0);
    const input = { lesson_id: lesson.id, changes: { date: inDays(12) } };
    await scheduling.harness.call(updateLesson, input, { principal: school });
    expect(countOf('delete', 'findAndModify')).toBeLessThanOrEqual(2);
    expect(await claimsOf.countDocuments({ 'elements.resource': lesson.id })).toBe(0);
  });

  it('rejects a child without a claim once it is full', async () => {
    const lesson = await aLesson(scheduling, { capacity: 1 });
    await bookPlace(scheduling, lesson);
    ofClaims.splice(0);
    expect((await rejectionOf(bookPlace(scheduling, lesson))).reason).toBe('lesson_full');
    expect(countOf('insert')).toBe(0);
  });
});
