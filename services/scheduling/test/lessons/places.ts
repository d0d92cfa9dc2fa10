import {
  claimBooking,
  createLesson,
  type InputOf,
  type Lesson,
  type PlacedMember,
  type Session,
} from '@swim/contracts';
import { Deadline, newId } from '@swim/platform';
import { inDays, partOf, type RequestOptions } from '@swim/testing';
import { LessonsRepository } from '../../src/lessons/lessons.repository.js';
import { FulfilmentService } from '../../src/sessions/making/fulfilment.service.js';
import { toSession } from '../../src/sessions/storage/session.mapper.js';
import type { SessionPlan } from '../../src/sessions/storage/session.rules.js';
import { SlotsService } from '../../src/slots/slots.service.js';
import { asFamily, family, type KnownPeople, type SchedulingHarness, school, TERMS } from '../harness.js';
import { conversionOf } from '../holds/hold-conversion.js';

/** How long writes may take that only prepare a test: longer than a busy machine needs. */
export const PATIENT_MS = 30_000;

/** A lesson of the school, ten days from now. */
export function aLesson(
  { harness, people }: Pick<SchedulingHarness, 'harness' | 'people'>,
  more: Partial<InputOf<typeof createLesson>> = {},
  options: RequestOptions = {},
): Promise<Lesson> {
  const instructor_id = more.instructor_id ?? people.instructor();
  const input = { date: inDays(10), duration_minutes: 30, capacity: 6, price_cents: 1_500, ...more, instructor_id };
  return harness.call(createLesson, input, { principal: school, budgetMs: PATIENT_MS, ...options });
}

/** The claim of places in these lessons, as booking sends it. */
export const placesIn = (
  people: KnownPeople,
  lessons: Lesson[],
  members: PlacedMember[],
  more: Partial<InputOf<typeof claimBooking>> = {},
): InputOf<typeof claimBooking> => ({
  ...conversionOf(people, {
    id: '',
    instructor_id: lessons[0]!.instructor_id,
    member_ids: members.map(({ id }) => id),
    sessions: lessons,
  }),
  holdId: null,
  members,
  slots: lessons.map(({ id: lessonId, date, duration_minutes, price_cents }) => ({
    lessonId,
    date,
    durationMinutes: duration_minutes,
    priceCents: price_cents,
    sessions: members.map(({ id: memberId }) => ({ id: newId('ses'), memberId })),
  })),
  ...more,
});

/** Books a place in a lesson, as booking does. */
export async function bookPlace(
  { harness, people }: Pick<SchedulingHarness, 'harness' | 'people'>,
  lesson: Lesson,
  more: Partial<InputOf<typeof claimBooking>> & { memberId?: string } = {},
): Promise<Session> {
  const { memberId = people.member(), ...overrides } = more;
  const member = { id: memberId, level: 'beginner' as const, dateOfBirth: '2020-01-15' };
  const made = await harness.insist(claimBooking, placesIn(people, [lesson], [member], overrides), asFamily);
  return made.sessions![0]!;
}

/** Whose place, and how it is taken. */
interface Taking {
  memberId?: string;
  /** Held for so long instead of booked. */
  holdMs?: number;
  /** Booked, but its session is left to recovery. */
  unmade?: boolean;
  makeupCredits?: boolean;
}

/** Takes a place in a lesson; null where there is no session yet. */
export async function takePlace(
  { service, people }: SchedulingHarness,
  lessonId: string,
  { memberId = people.member(), holdMs, unmade, ...terms }: Taking = {},
): Promise<Session | null> {
  const lesson = (await partOf(service, LessonsRepository).findAny(lessonId))!;
  const [startMs, endMs] = [lesson.start.getTime(), lesson.end.getTime()];
  const id = newId('ses');
  const { schedule, timezone } = people.instructors.get(lesson.instructorId)!;
  const { schoolId, instructorId, currency, location, priceCents, gen, capacity } = lesson;
  const accountId = people.memberAccounts.get(memberId)!;
  const bookingId = newId('bkg');
  const plan: SessionPlan = {
    ...{
      kind: 'sessions',
      accountId,
      schoolId,
      bookingId,
      instructorId,
      currency,
      location,
      notes: null,
      terms: { ...TERMS, ...terms },
    },
    cause: { requestId: newId('req'), idempotencyKey: null, actor: family.keyId, accountId },
    sessions: [{ id, lessonId, memberId, startMs, endMs, priceCents }],
  };
  const claim = await partOf(service, SlotsService).claimOne({
    key: bookingId,
    rules: { instructorId, schoolId, timezone, schedule, enforceAvailability: false, defaultPoolId: null },
    pool: null,
    slots: [{ startMs, endMs, sessions: [{ id, memberId }], lessonId, place: { gen, capacity, asSchool: true } }],
    skip: false,
    nowMs: Date.now(),
    fence: { attempt: 1, deadline: new Deadline(10_000) },
    plan: () => plan,
    ...(holdMs === undefined ? {} : { holdMs }),
  });
  if (holdMs !== undefined || unmade) return null;
  const [session] = await partOf(service, FulfilmentService).fulfil(claim);
  return toSession(session!);
}
