import { expect } from '@jest/globals';
import type { Closure, Lesson } from '@swim/contracts';
import type { LessonHistory } from './lesson-history.js';

export interface StoredLesson {
  _id: string;
  instructorId: string;
  status: Lesson['status'];
  start: Date;
  end: Date;
  capacity: number;
  priceCents: number;
  version: number;
  eventCount: number;
  busy: { h: string }[];
}

/** A session in a lesson, as scheduling stores it. */
export interface Placed {
  _id: string;
  lessonId: string;
  status: string;
  attendance: string;
  start: Date;
  end: Date;
  priceCents: number;
  /** The school has set the price of this place. */
  priceIsSet?: boolean;
}

export interface StoredClosure {
  _id: string;
  status: string;
}

/** What scheduling has stored of the lessons of a history. */
export interface StoredLessons {
  lessons: ReadonlyMap<string, StoredLesson>;
  closures: ReadonlyMap<string, StoredClosure>;
  sessions: readonly Placed[];
}

/** Expects of the lessons of a history that has come to rest that their places and their time are those of the model. */
export function expectLessonsWhole({ known, closures }: LessonHistory, stored: StoredLessons): void {
  for (const answer of known.values()) {
    const lesson = stored.lessons.get(answer.id)!;
    expectAnswered(lesson, answer);
    expectPlaces(
      lesson,
      stored.sessions.filter(({ lessonId }) => lessonId === lesson._id),
    );
  }
  for (const closure of closures) expectClosed(closure, stored);
}

/** A lesson never goes back behind an answer, and is as it was answered unless it has changed since. */
function expectAnswered({ _id, version, status, start, end }: StoredLesson, answer: Lesson): void {
  expect([_id, version >= answer.version]).toEqual([_id, true]);
  if (version !== answer.version) return;
  const now = { status, date: start.toISOString(), end_date: end.toISOString() };
  expect({ _id, ...now }).toEqual({ _id, status: answer.status, date: answer.date, end_date: answer.end_date });
}

/** Each place has a session that takes place in the lesson, at its time and price; there are no more than the capacity. */
function expectPlaces({ _id, status, busy, capacity, start, end, priceCents }: StoredLesson, sessions: Placed[]): void {
  const placed = sessions.filter((session) => session.status !== 'cancelled');
  const times = placed.map((session) => [
    session.start,
    session.end,
    session.priceIsSet ? priceCents : session.priceCents,
  ]);
  expect([_id, ...times]).toEqual([_id, ...placed.map(() => [start, end, priceCents])]);
  const holders = busy.map(({ h }) => h).sort();
  expect([_id, ...holders]).toEqual([_id, ...placed.map((session) => session._id).sort()]);
  expect([_id, holders.length <= capacity]).toEqual([_id, true]);
  if (status === 'cancelled') expect([_id, placed.length]).toEqual([_id, 0]);
}

/** A closure has ended, and no lesson of its instructor is to take place in its time. */
function expectClosed({ id, instructor_ids, from, to }: Closure, { lessons, closures }: StoredLessons): void {
  expect(closures.get(id)).toMatchObject({ _id: id, status: 'done' });
  const [closedFrom, closedTo] = [new Date(from), new Date(to)];
  const left = [...lessons.values()].filter(
    ({ instructorId, status, start, end }) =>
      instructor_ids.includes(instructorId) && status === 'scheduled' && start < closedTo && end > closedFrom,
  );
  expect([id, ...left.map(({ _id }) => _id)]).toEqual([id]);
}
