import {
  cancelSessions,
  claimBooking,
  type InputOf,
  joinWaitlist,
  type Lesson,
  type Session,
  type SwimClass,
  type WaitlistEntry,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import type { RequestOptions } from '@swim/testing';
import { classesOf, type Fields } from '../classes/classes-client.js';
import { asFamily, type SchedulingHarness, school } from '../harness.js';
import { placesIn } from '../lessons/places.js';
import { linesOf } from './lines.js';

type Parts = Pick<SchedulingHarness, 'harness' | 'people'>;

/** Operations on the lines of classes, and enrollments as booking makes and ends them. */
export function classLinesOf(scheduling: () => Parts) {
  const { create, open, lessonsOf } = classesOf(scheduling);
  const lines = linesOf(scheduling);
  const enroll = async (
    { id: classId }: SwimClass,
    lessons: Lesson[],
    more: Partial<InputOf<typeof claimBooking>> & { memberId?: string } = {},
    options: RequestOptions = asFamily,
  ): Promise<Session[]> => {
    const { harness, people } = scheduling();
    const { memberId = people.member(), ...overrides } = more;
    const member = { id: memberId, level: people.levels.get(memberId) ?? 'beginner', dateOfBirth: '2020-01-15' };
    const input = placesIn(people, lessons, [member as never], { classId, bookingId: newId('bkg'), ...overrides });
    return (await harness.insist(claimBooking, input, options)).sessions!;
  };
  return {
    ...lines,
    enroll,
    joinClass: (
      { id: class_id }: SwimClass,
      member_id = scheduling().people.member(),
      options: RequestOptions = asFamily,
    ): Promise<WaitlistEntry> => scheduling().harness.call(joinWaitlist, { class_id, member_id }, options),
    /** Cancels these sessions at once, as the end of an enrollment does. */
    endAll: (sessions: Session[]) =>
      scheduling().harness.insist(
        cancelSessions,
        {
          sessions: sessions.map(({ id }) => ({ id, late: false, feeCents: 0 })),
          reason: null,
          notifyParticipants: true,
        },
        asFamily,
      ),
    async aClass(more: Partial<Fields> = {}): Promise<{ frogs: SwimClass; lessons: Lesson[] }> {
      const { id } = await create(more);
      const frogs = await open(id, { outside_hours: true });
      return { frogs, lessons: await lessonsOf(id, { principal: school }) };
    },
    /** A class of one place, with the sessions of the enrollment that has it. */
    async aFullClass(more: Partial<Fields> = {}) {
      const { id } = await create({ capacity: 1, ...more });
      const frogs = await open(id, { outside_hours: true });
      const lessons = await lessonsOf(id, { principal: school });
      return { frogs, lessons, sessions: await enroll(frogs, lessons) };
    },
  };
}
