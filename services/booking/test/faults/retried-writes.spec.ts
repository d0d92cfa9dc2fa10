import { afterAll, beforeAll, it } from '@jest/globals';
import {
  type Booking,
  cancelBooking,
  createBooking,
  createEnrollment,
  createSession,
  endEnrollment,
  getBooking,
  updateBooking,
} from '@swim/contracts';
import { publicWrites, RetriedWrites, retried } from '@swim/testing';
import { type BookingFixture, familyIn, startFixture, times } from '../harness.js';
import { dateIn, enrollmentsIn } from '../making/enrolling.js';

const PATIENCE_MS = 240_000;

let fixture: BookingFixture;
let writes: RetriedWrites;
beforeAll(async () => {
  writes = await RetriedWrites.before('booking');
  fixture = await startFixture();
});
afterAll(async () => {
  writes?.release();
  await fixture?.stop();
  await writes?.close();
});

const { create, listed } = familyIn(() => fixture);
const asFamily = () => ({ principal: fixture.family });
const noted = (booking_id: string, notes: string) => ({ booking_id, changes: { notes, metadata: { notes } } });
const change = ({ id }: Pick<Booking, 'id'>, notes: string) =>
  fixture.harness.call(updateBooking, noted(id, notes), asFamily());
const read = ({ id: booking_id }: Pick<Booking, 'id'>) => fixture.harness.call(getBooking, { booking_id }, asFamily());

/** A session that is requested by itself, and the booking that it is. */
const single = () => {
  const group = fixture.bookingInput();
  const [member_id, [time]] = [group.member_ids[0]!, times(1)];
  return { group, input: { instructor_id: group.instructor_id!, member_id, ...time! } };
};

const { aClass, enroll, listed: listedEnrollments, end } = enrollmentsIn(() => fixture);
const enrollments = async (class_id: string) =>
  (await listedEnrollments({ class_id })).map(({ updated_at: _, ...item }) => item);

const CASES = [
  retried(createBooking, async () => {
    const input = fixture.bookingInput();
    return {
      principal: fixture.family,
      input,
      rival: (made) => change(made, 'second'),
      look: async () => [await listed(input), [...fixture.calendar.claims].length],
    };
  }),
  retried(createSession, async () => {
    const { input, group } = single();
    return {
      principal: fixture.family,
      input,
      rival: ({ booking_id }) => change({ id: booking_id! }, 'second'),
      look: async () => [await listed(group), [...fixture.calendar.claims].length],
    };
  }),
  retried(createEnrollment, async () => {
    const input = aClass();
    return {
      principal: fixture.family,
      input,
      rival: ({ id }) => end(id, 2),
      look: () => enrollments(input.class_id),
    };
  }),
  retried(endEnrollment, async () => {
    const input = aClass();
    const { id } = await enroll(input);
    return {
      principal: fixture.family,
      input: { enrollment_id: id, ends_on: dateIn(3) },
      rival: () => end(id, 2),
      look: () => enrollments(input.class_id),
    };
  }),
  retried(updateBooking, async () => {
    const booking = await create(fixture.bookingInput());
    return {
      principal: fixture.family,
      input: noted(booking.id, 'first'),
      rival: () => change(booking, 'second'),
      look: () => read(booking),
    };
  }),
  retried(cancelBooking, async () => {
    const input = fixture.bookingInput({ sessions: times(3, 4) });
    const booking = await create(input);
    return {
      principal: fixture.family,
      input: { booking_id: booking.id },
      rival: () => change(booking, 'second'),
      look: () => read(booking),
    };
  }),
];

it.each(publicWrites('booking'))(
  'the effect of another client stands when $name, which came before it, is repeated or ends late',
  (operation) => writes.check(fixture.harness, operation, CASES),
  PATIENCE_MS,
);
