import { expect } from '@jest/globals';
import type { Session } from '@swim/contracts';
import { until } from '@swim/testing';
import type { mongo } from 'mongoose';
import { elementsByDay } from '../../src/calendar/claim.rules.js';
import type { Claim } from '../../src/calendar/claim.schema.js';
import type { Day } from '../../src/calendar/day.schema.js';
import type { LessonDocument } from '../../src/calendar/places/lesson.schema.js';
import type { SessionDocument } from '../../src/sessions/storage/session.schema.js';

/** Pairs of sessions that overlap, or lie nearer to each other than `gapMinutes`. */
export function overlapsOf(sessions: Session[], gapMinutes: number): [string, string][] {
  const inOrder = [...sessions].sort((a, b) => (a.date < b.date ? -1 : 1));
  return inOrder.flatMap((session, index) => {
    const next = inOrder[index + 1];
    const apart = next ? Date.parse(next.date) - Date.parse(session.end_date) : Number.POSITIVE_INFINITY;
    return apart < gapMinutes * 60_000 ? [[session.id, next!.id] as [string, string]] : [];
  });
}

export interface Calendar {
  claims: Claim[];
  days: Day[];
  /** Those that are to take place. */
  lessons: LessonDocument[];
  sessions: SessionDocument[];
}

/** The calendar as stored. */
export const read = async (database: mongo.Db): Promise<Calendar> => ({
  // Fences stay for a day, and have no time.
  claims: await database
    .collection<Claim>('claims')
    .find({ _id: { $not: /\// } })
    .toArray(),
  days: await database.collection<Day>('days').find().toArray(),
  lessons: await database.collection<LessonDocument>('lessons').find({ status: 'scheduled' }).toArray(),
  sessions: await database.collection<SessionDocument>('sessions').find().toArray(),
});

// Fences are not part of the calendar, and holds that do not end soon may stay.
const openClaims = (soon: Date) => ({
  _id: { $not: /\// },
  $or: [{ state: 'held', until: { $lt: soon } }, { state: { $nin: ['held', 'confirmed'] } }, { dueAt: { $lt: soon } }],
});
const OPEN_LESSONS = {
  $or: [{ dueAt: { $type: 'date' } }, { lineDueAt: { $type: 'date' } }, { relayAt: { $type: 'date' } }],
};
const OPEN_SESSIONS = {
  $or: [{ 'drop.0': { $exists: true } }, { relayAt: { $type: 'date' } }],
};

const SOON_MS = 15_000;
const FAR_AHEAD = new Date('9999-01-01T00:00:00Z');

/** Whether recovery and the outbox have nothing left to do before `until`, and no hold ends before. */
export async function isQuiet(database: mongo.Db, until = FAR_AHEAD): Promise<boolean> {
  const [claim, session, lesson] = await Promise.all([
    database.collection<Claim>('claims').findOne(openClaims(until) as object),
    database.collection('sessions').findOne(OPEN_SESSIONS),
    database.collection('lessons').findOne(OPEN_LESSONS),
  ]);
  return !claim && !session && !lesson;
}

/** As `isQuiet`, but holds that do not end soon may stay. */
export const isConsistent = (database: mongo.Db): Promise<boolean> => isQuiet(database, new Date(Date.now() + SOON_MS));

/** A consistent snapshot of the calendar: each part is equal before and after all others were read. */
async function readAtOnce(database: mongo.Db): Promise<Calendar | null> {
  const [before, after] = [await read(database), await read(database)];
  return JSON.stringify(before) === JSON.stringify(after) ? after : null;
}

/**
 * Waits until recovery has nothing left to do, and then expects a consistent calendar: each scheduled session has one
 * confirmed claim that holds it and one place in its lesson, each lesson has a claim too, each claim has its elements on its days, and nothing else exists.
 */
export async function wholeness(database: mongo.Db): Promise<Calendar> {
  const calendar = await until(async () => {
    const now = (await isQuiet(database)) && (await readAtOnce(database));
    return now && (await isQuiet(database)) ? now : null;
  }, 'recovery has nothing left to do');
  const { claims, days, sessions, lessons } = calendar;
  const scheduled = sessions.filter(({ status }) => status === 'scheduled');
  const holders = [...scheduled, ...lessons].map(({ _id }) => _id);
  expect(claims.flatMap((claim) => claim.holders).sort()).toEqual(holders.sort());
  for (const lesson of lessons) expect(claims.find(({ _id }) => _id === lesson.claimId)?.holders).toContain(lesson._id);
  const placesOf = ({ _id, busy }: LessonDocument) => busy.map(({ c, h }) => `${_id} ${c} ${h}`);
  const expectedPlaces = scheduled.map(({ _id, lessonId, claimId }) => `${lessonId} ${claimId} ${_id}`);
  expect(lessons.flatMap(placesOf).sort()).toEqual(expectedPlaces.sort());
  for (const session of scheduled)
    expect(claims.find(({ _id }) => _id === session.claimId)?.holders).toContain(session._id);
  const expected = claims.flatMap((claim) =>
    elementsByDay(claim.elements.filter(({ place }) => !place)).flatMap(([day, elements]) =>
      elements.flatMap(({ holder, startMs, endMs }) =>
        claim.holders.includes(holder) ? [`${day} ${claim._id} ${startMs} ${endMs} ${holder}`] : [],
      ),
    ),
  );
  const found = days.flatMap((day) =>
    day.busy.map(({ s, e, c, h }) => `${day._id} ${c} ${s.getTime()} ${e.getTime()} ${h}`),
  );
  expect(found.sort()).toEqual(expected.sort());
  return calendar;
}
