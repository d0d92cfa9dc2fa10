import fc from 'fast-check';
import { Command, index, policies, refundAs } from './command.js';
import type { LessonInput, PlacesInput } from './lesson-history.js';

export const openLesson = fc
  .record<LessonInput>({
    hour: fc.constantFrom(3, 30, 54),
    capacity: fc.constantFrom(1, 2, 3),
    priceCents: fc.constantFrom(0, 1_800, 5_001),
    policies,
  })
  .map((input) => {
    const text = `open a lesson ${JSON.stringify(input)}`;
    return new Command(text, null, 'lessons', ({ lessons }) => lessons.open(input));
  });

export const bookPlaces = fc
  .record<PlacesInput>({
    of: fc.uniqueArray(index, { minLength: 1, maxLength: 2 }),
    members: fc.constantFrom(1, 1, 2),
    skip: fc.boolean(),
  })
  .map((input) => {
    const text = `book places ${JSON.stringify(input)}`;
    return new Command(text, 'lessons', 'bookings', ({ lessons }) => lessons.book(input));
  });

export const moveLesson = fc
  .tuple(
    index,
    fc.constantFrom({ duration_minutes: 30 }, { duration_minutes: 60 }, { hours: 1 }, { hours: 24 }, { hours: -1 }),
  )
  .map(([of, changes]) => {
    const text = `the school moves lesson ${of}: ${JSON.stringify(changes)}`;
    return new Command(text, 'lessons', null, ({ lessons }) => lessons.change(of, changes));
  });

export const cancelLesson = fc
  .tuple(index, refundAs)
  .map(
    ([of, refund_as]) =>
      new Command(`the school cancels lesson ${of}, ${refund_as}`, 'lessons', null, ({ lessons }) =>
        lessons.cancel(of, refund_as),
      ),
  );

export const closeTime = index.map(
  (of) =>
    new Command(`the school closes the time of lesson ${of}`, 'lessons', null, ({ lessons }) => lessons.close(of)),
);
