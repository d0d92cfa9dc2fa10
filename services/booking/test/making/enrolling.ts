import {
  createEnrollment,
  type Enrollment,
  endEnrollment,
  getEnrollment,
  type InputOf,
  listEnrollments,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, type RequestOptions } from '@swim/testing';
import type { BookingFixture } from '../harness.js';

export const dateIn = (days: number) => inDays(days).slice(0, 10);

/** Enrollments as clients of a running service use them. */
export const enrollmentsIn = (fixture: () => BookingFixture) => {
  const asFamily = (): RequestOptions => ({ principal: fixture().family });
  return {
    /** A new member in a new class of three lessons of 5000 cents, tomorrow and on the two days after. */
    aClass: (changes: { instructor_id?: string } = {}) => {
      const { instructor_id, member_ids } = fixture().bookingInput(changes);
      const lessons = [1, 2, 3].map((days) => ({
        ...{ id: newId('lsn'), schoolId: fixture().school.accountId, instructorId: instructor_id!, date: inDays(days) },
        ...{ durationMinutes: 60, priceCents: 5_000, currency: 'USD' },
      }));
      const class_id = newId('cls');
      fixture().calendar.classes.set(class_id, lessons);
      return { class_id, member_id: member_ids[0]! };
    },
    enroll: (input: InputOf<typeof createEnrollment>, options = asFamily()): Promise<Enrollment> =>
      fixture().harness.call(createEnrollment, input, options),
    read: ({ id }: Pick<Enrollment, 'id'>, options = asFamily()): Promise<Enrollment> =>
      fixture().harness.call(getEnrollment, { enrollment_id: id }, options),
    listed: async (query: InputOf<typeof listEnrollments>, options = asFamily()): Promise<Enrollment[]> =>
      (await fixture().harness.call(listEnrollments, query, options)).items,
    /** Ends an enrollment so many days from now. */
    end: (enrollment_id: string, days: number, options = asFamily()): Promise<Enrollment> =>
      fixture().harness.call(endEnrollment, { enrollment_id, ends_on: dateIn(days) }, options),
  };
};
