import {
  type BusEvent,
  getMember,
  type Principal,
  type Session,
  type SessionObject,
  sessionCancelled,
  sessionCreated,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import type { PeopleHarness } from '../harness.js';

const DAY_MS = 86_400_000;
export const START = new Date('2027-03-01T12:00:00.000Z');
export const day = (days: number) => new Date(START.getTime() + days * DAY_MS);

/** The fields of a session's event that a test sets. */
export interface SessionSeed {
  id: string;
  memberId: string;
  n: number;
  endsInDays: number;
  status: Session['status'];
  school?: Principal;
  /** Whether the school booked it. */
  isBySchool?: boolean;
}

/** A session as its events contain it. */
export const sessionOf = (people: PeopleHarness, { id, memberId, endsInDays, status }: SessionSeed): SessionObject => ({
  id,
  account_id: people.family.accountId,
  booking_id: null,
  lesson_id: newId('lsn'),
  instructor_id: newId('ins'),
  member_id: memberId,
  date: new Date(day(endsInDays).getTime() - 3_600_000).toISOString(),
  end_date: day(endsInDays).toISOString(),
  duration_minutes: 60,
  location: null,
  status,
  attendance: 'pending',
  cancellation: null,
  price_cents: 0,
  currency: 'EUR',
  version: 1,
  created_at: START.toISOString(),
  updated_at: START.toISOString(),
});

export function eventOf(people: PeopleHarness, seed: SessionSeed): BusEvent<SessionObject> {
  const object = sessionOf(people, seed);
  const audience = [people.family.accountId, (seed.school ?? people.school).accountId];
  const cause = { requestId: null, idempotencyKey: null, actor: 'system', accountId: audience[0]! };
  const { id: objectId, n } = seed;
  const occurredAt = START.toISOString();
  const type = seed.status === 'cancelled' ? sessionCancelled.type : sessionCreated.type;
  const facts = seed.isBySchool ? {} : { bookedUntil: object.end_date };
  return { id: newId('evt'), n, type, env: 'test', occurredAt, audience, objectId, object, facts, cause };
}

export const scheduled = (memberId: string, endsInDays: number, more: Partial<SessionSeed> = {}): SessionSeed => ({
  id: newId('ses'),
  memberId,
  n: 1,
  endsInDays,
  status: 'scheduled',
  ...more,
});

/** Consumes events of sessions as a replica of the service does. */
export async function consumerIn({ app }: PeopleHarness['service']) {
  const { SchoolRightsService } = await import('../../src/people/members/school-rights/school-rights.service.js');
  const rights = app.get(SchoolRightsService, { strict: false });
  return (event: BusEvent<SessionObject>) => rights.consume(event);
}

export const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'reads',
    (error: { reason: string }) => error.reason,
  );
/** Whether an account reads a member, or the reason why not. */
export const outcomeOfRead = (people: PeopleHarness, member_id: string, principal: Principal) =>
  outcome(people.harness.call(getMember, { member_id }, { principal }));
