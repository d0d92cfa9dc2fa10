import {
  cancelSession,
  getWaitlistEntry,
  type InputOf,
  joinWaitlist,
  leaveWaitlist,
  makeSession,
  type Session,
  type WaitlistEntry,
} from '@swim/contracts';
import { inDays, until } from '@swim/testing';
import { aSession, asFamily, type KnownPeople, type SchedulingHarness } from '../harness.js';

type JoinInput = InputOf<typeof joinWaitlist>;

/** A well-formed request for a waitlist entry: half an hour, ten days from now. */
export const aPlace = (people: KnownPeople, instructor_id: string, overrides: Partial<JoinInput> = {}): JoinInput => ({
  instructor_id,
  member_id: people.member(),
  date_from: inDays(10, 0),
  date_to: inDays(11, 0),
  duration_minutes: 30,
  ...overrides,
});

/** The operations on waitlist entries, by the family unless another account is given. */
export function lineOf(harness: () => SchedulingHarness['harness']) {
  const read = (waitlist_id: string, options: object = asFamily) =>
    harness().call(getWaitlistEntry, { waitlist_id }, options);
  return {
    read,
    join: (input: JoinInput, options: object = asFamily) => harness().call(joinWaitlist, input, options),
    leave: (waitlist_id: string, options: object = asFamily) => harness().call(leaveWaitlist, { waitlist_id }, options),
    reaches: ({ id }: WaitlistEntry, status: WaitlistEntry['status']) =>
      until(async () => {
        const now = await read(id);
        return now.status === status ? now : null;
      }, `the place in line is ${status}`),
  };
}

/** Lessons of a new member of the family each, ten days from now unless another date is given. */
export function lessonsOf(scheduling: () => SchedulingHarness) {
  return {
    book(instructor_id: string, date = inDays(10), overrides: object = {}): Promise<Session> {
      const { harness, people } = scheduling();
      return harness.call(makeSession, aSession(instructor_id, people.member(), { date, ...overrides }), asFamily);
    },
    cancel: ({ id }: Session) => scheduling().harness.call(cancelSession, { session_id: id }, asFamily),
  };
}
