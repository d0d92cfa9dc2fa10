import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Booking,
  cancelBooking,
  type DescribedLesson,
  type Enrollment,
  enrollmentCreated,
  enrollmentEnded,
  getBooking,
  listCredits,
} from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { inDays, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { moneyIn } from '../money/money.js';
import { dateIn, enrollmentsIn } from './enrolling.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture?.stop());

const { aClass, enroll, read, listed } = enrollmentsIn(() => fixture);
const { create, pay } = moneyIn(() => fixture);
const bookingOf = ({ booking_id }: Enrollment): Promise<Booking> =>
  fixture.harness.call(getBooking, { booking_id }, { principal: fixture.family });
// `create` gives times where there are none.
const PLACES = { instructor_id: undefined, sessions: undefined };
const aPrepaidClass = () =>
  aClass({ instructor_id: fixture.people.anInstructor(fixture.school.accountId, {}, { requirePrepayment: true }) });

describe('a booking of lessons', () => {
  const lessonsIn = (...of: ReturnType<typeof aClass>[]) =>
    of.flatMap(({ class_id }) => fixture.calendar.classes.get(class_id)!);
  const members = (count: number) =>
    Array.from({ length: count }, () => fixture.people.aMember(fixture.family.accountId, [fixture.school.accountId]));

  it('is one with the instructor of the first, for more members than he teaches at once', async () => {
    const [few, other] = [fixture.people.anInstructor(fixture.school.accountId, { maxGroupSize: 1 }), aClass()];
    const lessons = lessonsIn(aClass({ instructor_id: few }), other);
    const lesson_ids = [lessons[0]!.id, lessons[4]!.id];
    const booking = await create({ ...PLACES, lesson_ids, member_ids: members(3) });
    expect(booking).toMatchObject({ instructor_id: few, amount_cents: 30_000, status: 'confirmed' });
    expect(booking.sessions.map(({ date }) => date)).toEqual([1, 2].flatMap((day) => Array(3).fill(inDays(day))));
  });

  it.each<[string, string, string, (lessons: DescribedLesson[]) => DescribedLesson[]]>([
    [
      'lessons_of_several_schools',
      'lesson_ids',
      'several schools',
      ([a, b]) => [a!, { ...b!, schoolId: newId('acct') }],
    ],
    ['currency_mismatch', 'lesson_ids', 'two currencies', ([a, b]) => [a!, { ...b!, currency: 'EUR' }]],
    ['overlapping_sessions', 'lesson_ids', 'one time', ([a, b]) => [a!, { ...b!, date: a!.date }]],
    ['duplicate_value', 'lesson_ids', 'the same lesson twice', ([a]) => [a!, a!]],
    ['too_long', 'lesson_ids', '53 lessons', ([a]) => Array.from({ length: 53 }, () => ({ ...a!, id: newId('lsn') }))],
    ['too_short', 'lesson_ids', 'no lesson', () => []],
  ])('is rejected with %s at %s for %s', async (reason, field, _, changed) => {
    const { class_id, member_id } = aClass();
    const lessons = changed(lessonsIn({ class_id, member_id }));
    fixture.calendar.classes.set(class_id, lessons);
    const lesson_ids = lessons.map(({ id }) => id);
    const { details } = await rejectionOf(create({ ...PLACES, lesson_ids, member_ids: [member_id] }));
    expect([details.reason, details.field]).toEqual([reason, field]);
  });
});

describe('an enrollment that another one precedes', () => {
  it('is rejected once the member has all of its lessons: already_enrolled', async () => {
    const input = aClass();
    const precede = async () => {
      fixture.calendar.calm();
      await enroll(input);
      throw new AppError('member_busy', { field: 'lesson_ids.0' });
    };
    fixture.calendar.disturb('claim', { before: precede });
    expect((await rejectionOf(enroll(input))).reason).toBe('already_enrolled');
    expect(await listed({ class_id: input.class_id })).toHaveLength(1);
  });
});

describe('an enrollment in a class of a school that has ended the connection', () => {
  it('is rejected: connection_ended', async () => {
    fixture.people.endedBySchool.add(fixture.family.accountId);
    const rejected = await rejectionOf(enroll(aClass()));
    fixture.people.endedBySchool.clear();
    expect([rejected.reason, rejected.details.field]).toEqual(['connection_ended', 'class_id']);
  });
});

describe('an enrollment that requires prepayment', () => {
  it('is pending, and active once its booking is paid in full', async () => {
    const made = await enroll(aPrepaidClass());
    expect(made.status).toBe('pending');
    const booking = await bookingOf(made);
    await pay(booking, 10_000);
    expect((await read(made)).status).toBe('pending');
    await pay(booking, 5_000);
    expect((await read(made)).status).toBe('active');
  });

  it('has ended when the time to pay has, and the member can enroll anew', async () => {
    const input = aPrepaidClass();
    const made = await enroll(input);
    const ended = await until(async () => {
      await fixture.letLapse({ _id: made.booking_id });
      const now = await read(made);
      return now.status === 'ended' ? now : null;
    }, 'the enrollment ends');
    expect(ended).toMatchObject({ ends_on: null, booking_id: made.booking_id });
    expect((await bookingOf(made)).status).toBe('expired');
    const events = await fixture.recorder.atLeast(2, made.id);
    expect(events.map(({ type }) => type)).toEqual([enrollmentCreated.type, enrollmentEnded.type]);
    expect(events[1]).toMatchObject({
      object: { id: made.id, status: 'ended' },
      previous: { status: 'pending' },
      audience: [fixture.family.accountId, fixture.school.accountId],
    });
    const { class_id } = input;
    expect((await listed({ class_id, status: 'ended' })).map(({ id }) => id)).toEqual([made.id]);
    expect(await listed({ class_id, status: 'pending,active' })).toEqual([]);
    expect((await enroll(input)).status).toBe('pending');
  });
});

describe('an enrollment with makeup_credit_id', () => {
  const credits = async () => {
    const input = { account_id: fixture.family.accountId, limit: 100 };
    return (await fixture.harness.call(listCredits, input, { principal: fixture.family })).items;
  };
  /** A credit of 5000 cents. */
  async function aCredit(): Promise<string> {
    const booking = await create({ sessions: times(5) });
    await pay(booking);
    const cancel = { booking_id: booking.id, refund_as: 'credit' as const };
    await fixture.harness.call(cancelBooking, cancel, { principal: fixture.family });
    const given = async () => (await credits()).find(({ session_id }) => booking.session_ids.includes(session_id));
    return (await until(given, 'the credit is given')).id;
  }

  it('is paid in part by the credit, and gives it back when the rest is not paid', async () => {
    const makeup_credit_id = await aCredit();
    const made = await enroll({ ...aPrepaidClass(), makeup_credit_id });
    expect(made.status).toBe('pending');
    expect(await bookingOf(made)).toMatchObject({
      ...{ makeup_credit_id, amount_cents: 15_000, amount_credited_cents: 5_000, amount_due_cents: 10_000 },
      payment_status: 'partially_paid',
    });
    const credit = async () => (await credits()).find(({ id }) => id === makeup_credit_id)!;
    expect(await credit()).toMatchObject({ status: 'spent', booking_id: made.booking_id });
    await until(async () => {
      await fixture.letLapse({ _id: made.booking_id });
      return (await read(made)).status === 'ended';
    }, 'the enrollment ends');
    await until(async () => (await credit()).amount_cents === 5_000, 'the credit is given back');
  });

  it('is active once the rest is paid', async () => {
    const made = await enroll({ ...aPrepaidClass(), makeup_credit_id: await aCredit() });
    await pay(await bookingOf(made), 10_000);
    expect((await read(made)).status).toBe('active');
    expect(await bookingOf(made)).toMatchObject({ payment_status: 'paid', amount_due_cents: 0 });
  });

  it('is rejected for a credit that the family does not have', async () => {
    const { details } = await rejectionOf(enroll({ ...aClass(), makeup_credit_id: newId('crd') }));
    expect(details).toMatchObject({ reason: 'not_found', field: 'makeup_credit_id' });
  });
});

describe('an enrollment by the school', () => {
  const asSchool = () => ({ principal: fixture.school });

  it('of a connected child is that of its family, which sees, pays and ends it', async () => {
    const input = aClass();
    const made = await enroll({ ...input, starts_on: dateIn(2) }, asSchool());
    expect(made).toMatchObject({ ...input, account_id: fixture.family.accountId, status: 'active' });
    expect(await read(made)).toEqual(await read(made, asSchool()));
    const booking = await bookingOf(made);
    expect(booking).toMatchObject({ account_id: fixture.family.accountId, amount_due_cents: 10_000 });
    await pay(booking, 10_000);
    expect((await bookingOf(made)).payment_status).toBe('paid');
    const [created] = await fixture.recorder.atLeast(1, made.id);
    expect(created).toMatchObject({
      type: enrollmentCreated.type,
      audience: [fixture.family.accountId, fixture.school.accountId],
    });
  });

  it('is rejected of a child that is not connected, and with a payment method', async () => {
    const stranger = fixture.people.aMember(fixture.family.accountId);
    const rejected = async (changes: object) =>
      (await rejectionOf(enroll({ ...aClass(), ...changes }, asSchool()))).details;
    expect(await rejected({ member_id: stranger })).toMatchObject({ reason: 'not_found', field: 'member_id' });
    expect(await rejected({ payment_method_id: fixture.method })).toMatchObject({
      ...{ reason: 'not_found', field: 'payment_method_id' },
    });
  });
});
