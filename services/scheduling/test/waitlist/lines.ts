import {
  cancelSession,
  getLesson,
  getWaitlistEntry,
  joinWaitlist,
  type Lesson,
  leaveWaitlist,
  removeHold,
  type Session,
  type WaitlistEntry,
} from '@swim/contracts';
import { type RequestOptions, until } from '@swim/testing';
import { asFamily, type SchedulingHarness, school } from '../harness.js';
import { aLesson, bookPlace, PATIENT_MS } from '../lessons/places.js';

/** Operations on the lines of lessons, by the family unless another account is given. */
export function linesOf(scheduling: () => Pick<SchedulingHarness, 'harness' | 'people'>) {
  const harness = () => scheduling().harness;
  const read = ({ id }: Pick<WaitlistEntry, 'id'>, options: RequestOptions = asFamily) =>
    harness().insist(getWaitlistEntry, { waitlist_id: id }, options);
  return {
    read,
    join: (
      { id: lesson_id }: Pick<Lesson, 'id'>,
      member_id = scheduling().people.member(),
      options: RequestOptions = asFamily,
    ): Promise<WaitlistEntry> =>
      harness().call(joinWaitlist, { lesson_id, member_id }, { budgetMs: PATIENT_MS, ...options }),
    leave: ({ id }: WaitlistEntry) => harness().insist(leaveWaitlist, { waitlist_id: id }, asFamily),
    decline: ({ offer }: WaitlistEntry) => harness().call(removeHold, { hold_id: offer!.hold_id }, asFamily),
    cancel: ({ id }: Session) => harness().insist(cancelSession, { session_id: id }, asFamily),
    lessonOf: ({ id }: Pick<Lesson, 'id'>) => harness().insist(getLesson, { lesson_id: id }, { principal: school }),
    /** The entry, once it has this status. */
    reaches: (entry: WaitlistEntry, status: WaitlistEntry['status']): Promise<WaitlistEntry> =>
      until(async () => {
        const now = await read(entry);
        return now.status === status ? now : null;
      }, `the entry is ${status}`),
    /** A lesson whose places are taken, with their sessions. */
    async aFullLesson(capacity = 1, more: Parameters<typeof aLesson>[1] = {}) {
      const lesson = await aLesson(scheduling(), { ...more, capacity });
      const sessions: Session[] = [];
      while (sessions.length < capacity) sessions.push(await bookPlace(scheduling(), lesson));
      return { lesson, sessions };
    },
  };
}
