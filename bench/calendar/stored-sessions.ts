import crypto from 'node:crypto';
import type { IdPrefix } from '@swim/contracts';
import { newId } from '@swim/platform';
import { DAY_MS, type Dataset } from '../stack/dataset.ts';

const LESSON_MS = 1_800_000;
const FIRST_HOUR_MS = 8 * 3_600_000;
const LESSONS_A_DAY = 10;
const DAYS_APART = 21;
const AHEAD_DAYS = 400;
const WEEK_AHEAD_DAYS = 2_000;
const INSTRUCTORS = 2_000;
const ACCOUNTS = 1_000;
const SCHOOLS = 50;

export const WEEK_SESSIONS = 20;

const idsOf = (prefix: IdPrefix, count: number) => Array.from({ length: count }, () => newId(prefix));
const today = () => Math.floor(Date.now() / DAY_MS) * DAY_MS;

/** The listed week is later than all other sessions. */
export const weekRange = () => {
  const fromMs = today() + WEEK_AHEAD_DAYS * DAY_MS;
  return { from: new Date(fromMs).toISOString(), to: new Date(fromMs + 7 * DAY_MS).toISOString() };
};

/**
 * Makes up documents as scheduling would have stored them: 2,000 instructors with ten lessons on every 21st day, half
 * of them completed years ago and half in the future; 1,000 accounts of 50 schools. The instructors of the dataset have
 * these lessons in the past only, so that the measured requests meet the made-up documents in indexes only.
 */
export function createStore({ familyId, pairs }: Dataset) {
  const known = pairs.map(({ instructorId }) => instructorId);
  const instructors = [...known, ...idsOf('ins', INSTRUCTORS - known.length)];
  const members = [pairs[0]!.memberId, ...idsOf('mem', ACCOUNTS - 1)];
  const accounts = [familyId, ...idsOf('acct', ACCOUNTS - 1)];
  const schools = idsOf('acct', SCHOOLS);
  const startOf = (instructor: number, lesson: number) => {
    const days = Math.floor(lesson / LESSONS_A_DAY) * DAYS_APART;
    const isPast = instructor < known.length || instructor % 2 === 0;
    const dayMs = isPast ? today() - (days + 1) * DAY_MS : today() + (AHEAD_DAYS + days) * DAY_MS;
    return dayMs + FIRST_HOUR_MS + (lesson % LESSONS_A_DAY) * LESSON_MS;
  };
  return {
    /** Returns a session and its claim. */
    lesson(index: number) {
      const instructor = index % INSTRUCTORS;
      const account = (index * 7) % ACCOUNTS;
      return lessonOf({
        accountId: accounts[account]!,
        schoolId: schools[instructor % SCHOOLS]!,
        instructorId: instructors[instructor]!,
        memberId: members[account]!,
        startMs: startOf(instructor, Math.floor(index / INSTRUCTORS)),
      });
    },
    /** Returns a session of the listed week and its claim. */
    lessonOfWeek(index: number) {
      const startMs = today() + (WEEK_AHEAD_DAYS + (index % 7)) * DAY_MS + FIRST_HOUR_MS + index * LESSON_MS;
      const { instructorId, memberId } = pairs[0]!;
      return lessonOf({ accountId: familyId, schoolId: schools[0]!, instructorId, memberId, startMs });
    },
  };
}

interface Lesson extends Record<'accountId' | 'schoolId' | 'instructorId' | 'memberId', string> {
  startMs: number;
}

function lessonOf({ accountId, schoolId, instructorId, memberId, startMs }: Lesson) {
  const claimId = crypto.randomBytes(12).toString('base64url');
  const id = newId('ses');
  const endMs = startMs + LESSON_MS;
  const who = { readers: [accountId, schoolId], accountId, schoolId, bookingId: null, instructorId, memberId };
  const session = { _id: id, ...who, ...timesOf(startMs, endMs), ...REST_OF_SESSION, claimId, ...madeNow() };
  const elements = [instructorId, memberId].map((resource) => ({ resource, startMs, endMs, holders: [id] }));
  const key = `${id}#0`;
  const states = { state: 'confirmed', confirmedKey: key, createdAt: new Date() };
  return { session, claim: { _id: claimId, key, elements, holders: [id], skipped: [], ...states } };
}

const REST_OF_SESSION = {
  location: null,
  notes: null,
  attendance: 'pending',
  cancellation: null,
  priceCents: 2_400,
  currency: 'EUR',
  version: 1,
  gen: 0,
  drop: [],
  dueAt: null,
};

function timesOf(startMs: number, endMs: number) {
  const isPast = endMs < Date.now();
  return {
    start: new Date(startMs),
    end: new Date(endMs),
    durationMinutes: (endMs - startMs) / 60_000,
    status: isPast ? 'completed' : 'scheduled',
    // The service would complete a past session that is due while the requests are measured.
    nextDueAt: isPast ? null : new Date(endMs + 900_000),
  };
}

const madeNow = () => ({ rev: 1, eventCount: 1, outbox: [], ops: [], createdAt: new Date(), updatedAt: new Date() });
