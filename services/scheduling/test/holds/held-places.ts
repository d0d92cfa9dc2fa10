import {
  claimBooking,
  createHold,
  getHold,
  getLesson,
  type Hold,
  type InputOf,
  type Lesson,
  type Principal,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, rejectionOf } from '@swim/testing';
import { type SchedulingHarness, school } from '../harness.js';
import { aLesson as aLessonOf, placesIn } from '../lessons/places.js';

/** A family with caps of its own. */
export const aFamily = () => aPrincipal({ accountId: newId('acct') });

/** The reason of a rejection, and its field. */
export const refused = async (work: Promise<unknown>) => {
  const { reason, details } = await rejectionOf(work);
  return [reason, details.field];
};

/** Holds of places in lessons, and their bookings. */
export function heldPlaces(scheduling: () => SchedulingHarness) {
  const call: SchedulingHarness['harness']['call'] = (...request) => scheduling().harness.call(...request);
  const aLesson = (more: Parameters<typeof aLessonOf>[1] = {}) => aLessonOf(scheduling(), more);
  const convert = (input: InputOf<typeof claimBooking>, principal: Principal) =>
    call(claimBooking, input, { principal, budgetMs: 60_000 });
  /** The claim of a booking with a hold of places in these lessons. */
  const booking = (held: Hold, of: Lesson[], memberIds = held.member_ids, more: object = {}) => {
    const members = memberIds.map((id) => ({ id, level: 'beginner' as const, dateOfBirth: '2020-01-15' }));
    return placesIn(scheduling().people, of, members, { holdId: held.id, accountId: held.account_id, ...more });
  };
  return {
    call,
    aLesson,
    convert,
    booking,
    lessons: (...dates: string[]) => Promise.all(dates.map((date) => aLesson({ date }))),
    /** A hold of a place of a member of the family in each of these lessons, and its booking. */
    hold: async (
      of: Lesson[],
      more: Partial<InputOf<typeof createHold>> = {},
      principal: Principal = aFamily(),
    ): Promise<{ held: Hold; principal: Principal; book: (more?: object) => ReturnType<typeof convert> }> => {
      const member_ids = more.member_ids ?? [scheduling().people.member(principal.accountId)];
      const held = await call(createHold, { member_ids, lesson_ids: of.map(({ id }) => id), ...more }, { principal });
      const book = (changes = {}) => convert(booking(held, of, held.member_ids, changes), principal);
      return { held, principal, book };
    },
    read: ({ id: hold_id }: Hold, principal = school) => call(getHold, { hold_id }, { principal }),
    leftIn: async ({ id: lesson_id }: Lesson) =>
      (await call(getLesson, { lesson_id }, { principal: school })).places_left,
    database: () => scheduling().harness.database('scheduling_test'),
  };
}
