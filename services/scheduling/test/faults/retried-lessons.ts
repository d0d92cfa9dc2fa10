import {
  cancelLesson,
  createHold,
  createLesson,
  getHold,
  getLesson,
  listLessons,
  removeHold,
  updateLesson,
} from '@swim/contracts';
import { aSchedule, inDays, retried } from '@swim/testing';
import { type SchedulingHarness, school } from '../harness.js';
import { aLesson } from '../lessons/places.js';

const asSchool = { principal: school };

/** A hold of a place in a lesson, and its removal by another client. */
export const heldPlaces = (scheduling: () => SchedulingHarness) =>
  retried(createHold, async () => {
    const { harness, people } = scheduling();
    const { id: lesson_id } = await aLesson({ harness, people }, { capacity: 2 });
    return {
      principal: school,
      input: { lesson_ids: [lesson_id], member_ids: [people.member()] },
      rival: ({ id: hold_id }) => harness.call(removeHold, { hold_id }, asSchool),
      // Not the places: the run that is stopped may have one until it goes on, or until recovery has ended it.
      look: ({ id: hold_id }) =>
        harness.call(getHold, { hold_id }, asSchool).then(
          ({ status }) => status as string,
          ({ reason }) => reason as string,
        ),
    };
  });

/** The writes of lessons, each with what another client does in between. */
export function retriedLessons(scheduling: () => SchedulingHarness) {
  const call: SchedulingHarness['harness']['call'] = (...request) => scheduling().harness.call(...request);
  const anInstructor = () => scheduling().people.instructor({ schedule: aSchedule({ weekly: [] }) });
  const requested = (instructor_id = anInstructor(), date = inDays(10)) => ({
    ...{ instructor_id, date, duration_minutes: 30, capacity: 6, price_cents: 1_500 },
  });
  const make = (...of: Parameters<typeof requested>) => call(createLesson, requested(...of), asSchool);
  const lessonsOf = async (instructor_id: string) =>
    (await call(listLessons, { instructor_id }, asSchool)).items.map(({ id, version, status }) => [
      id,
      version,
      status,
    ]);
  return [
    retried(createLesson, async () => {
      const input = requested();
      return {
        principal: school,
        input,
        rival: () => make(input.instructor_id, inDays(11)),
        look: () => lessonsOf(input.instructor_id),
      };
    }),
    retried(updateLesson, async () => {
      const { id: lesson_id } = await make();
      const changed = (date: string, capacity: number) => ({ lesson_id, changes: { date, capacity } });
      return {
        principal: school,
        input: changed(inDays(11), 8),
        rival: () => call(updateLesson, changed(inDays(12), 9), asSchool),
        look: () => call(getLesson, { lesson_id }, asSchool),
      };
    }),
    retried(cancelLesson, async () => {
      const { id: lesson_id, instructor_id } = await make();
      return {
        principal: school,
        input: { lesson_id },
        rival: () => make(instructor_id),
        look: () => lessonsOf(instructor_id),
      };
    }),
  ];
}
