import {
  cancelBooking,
  cancelSession,
  capturePayment,
  completeSession,
  createRefund,
  type InputOf,
  type Operation,
  type Principal,
  recordAttendance,
  updateSession,
  voidPayment,
} from '@swim/contracts';
import fc from 'fast-check';
import { Command, card, fraction, index, policies, refundAs, side } from './command.js';
import type { History } from './history.js';
import { bookPlaces, cancelLesson, closeTime, moveLesson, openLesson } from './lesson-commands.js';
import type { Request } from './player.js';

const book = fc
  .record({
    rate: fc.constantFrom(0, 4_999, 5_000, 7_001),
    hours: fc.uniqueArray(fc.constantFrom(3, 5, 30, 54, 78), { minLength: 1, maxLength: 3 }),
    members: fc.constantFrom(1, 1, 2),
    minutes: fc.constantFrom(30, 45, 60),
    creditOf: fc.option(index, { freq: 3 }),
    policies,
  })
  .map((input) => {
    const text = `book ${JSON.stringify(input)}`;
    return new Command(text, null, 'bookings', (history) => history.bookSessions(input));
  });

const pay = fc
  .record({ of: index, fraction, card, capture: fc.constantFrom(true, true, true, false) })
  .map((input) => new Command(`pay ${JSON.stringify(input)}`, 'bookings', 'payments', (history) => history.pay(input)));

/** A command on a payment of the history, by its school. */
const onPayment = (name: string, make: (paymentId: string) => Request) =>
  index.map(
    (of) =>
      new Command(`${name} payment ${of}`, 'payments', null, (history) => {
        const payment = history.paymentAt(of);
        return payment ? history.request(make(payment), history.school) : Promise.resolve(null);
      }),
  );

const request = <O extends Operation>(operation: O, input: InputOf<O>): Request => ({ operation, input });

const refund = fc.tuple(index, fc.option(fc.integer({ min: 1, max: 6_000 }))).map(([of, amount]) => {
  const amounts = amount === null ? {} : { amount_cents: amount };
  return new Command(`refund payment ${of}, ${amount}`, 'payments', null, (history) => {
    const payment_id = history.paymentAt(of);
    if (!payment_id) return Promise.resolve(null);
    return history.request(request(createRefund, { payment_id, reason: 'Goodwill.', ...amounts }), history.school);
  });
});

/** What happens to a payment at its processor alone. */
const atProcessor = (name: string, happen: (history: History, paymentId: string, cents: number) => Promise<unknown>) =>
  fc.tuple(index, fc.integer({ min: 1, max: 6_000 })).map(
    ([of, cents]) =>
      new Command(`${name} of payment ${of}, ${cents}`, 'payments', null, (history) => {
        const payment = history.paymentAt(of);
        return payment ? happen(history, payment, cents) : Promise.resolve(null);
      }),
  );
const refundByHand = atProcessor('a refund by hand', (history, id, cents) => history.refundByHand(id, cents));
const disputeTurns = atProcessor('another decision on the dispute', (history, id) => history.turnDispute(id));

/** A command on a session of a booking of the history. */
const onSession = <A>(
  name: string,
  input: fc.Arbitrary<A>,
  make: (sessionId: string, input: A, history: History) => [Request, Principal],
) =>
  fc.tuple(index, index, input).map(
    ([of, nth, value]) =>
      new Command(`${name} session ${nth} of booking ${of}: ${JSON.stringify(value)}`, 'bookings', null, (history) => {
        const sessionId = history.sessionAt(of, nth);
        return sessionId ? history.request(...make(sessionId, value, history)) : Promise.resolve(null);
      }),
  );

const change = onSession('change', fc.constantFrom(30, 45, 60, 90), (session_id, duration_minutes, { family }) => [
  request(updateSession, { session_id, changes: { duration_minutes } }),
  family,
]);
const reprice = onSession('price of', fc.constantFrom(3_000, 9_000, 12_000), (session_id, price_cents, { school }) => [
  request(updateSession, { session_id, changes: { price_cents, price_reason: 'As agreed' } }),
  school,
]);
const cancelOne = onSession('cancel', fc.tuple(side, refundAs), (session_id, [by, refund_as], history) => [
  request(cancelSession, { session_id, refund_as }),
  history[by],
]);
const complete = onSession('complete', fc.constant(null), (session_id, _, { school }) => [
  request(completeSession, { session_id }),
  school,
]);
const attend = onSession(
  'attendance of',
  fc.constantFrom('attended', 'no_show', 'excused'),
  (session_id, value, history) => [
    request(recordAttendance, { session_id, attendance: value as 'attended' }),
    history.school,
  ],
);

const cancel = fc.tuple(index, side, refundAs).map(
  ([of, by, refund_as]) =>
    new Command(`cancel booking ${of} by ${by}, ${refund_as}`, 'bookings', null, (history) => {
      const booking_id = history.bookingAt(of);
      if (!booking_id) return Promise.resolve(null);
      return history.request(request(cancelBooking, { booking_id, refund_as }), history[by]);
    }),
);

const onBooking = (name: string, perform: (history: History, bookingId: string, n: number) => Promise<unknown>) =>
  fc.tuple(index, fc.nat(40)).map(
    ([of, n]) =>
      new Command(`${name} of booking ${of}, ${n}`, 'bookings', null, (history) => {
        const bookingId = history.bookingAt(of);
        return bookingId ? perform(history, bookingId, n) : Promise.resolve(null);
      }),
  );

const consent = fc
  .tuple(index, fc.option(fc.oneof(card, fc.constant('pm_card_authenticationRequired')), { freq: 4 }))
  .map(
    ([of, token]) =>
      new Command(`consent to booking ${of}: ${token}`, 'bookings', null, (history) => {
        const bookingId = history.bookingAt(of);
        return bookingId ? history.consents.give(bookingId, token) : Promise.resolve(null);
      }),
  );
const collect = fc.tuple(index, fc.constantFrom(0.5, 1, 2)).map(
  ([of, part]) =>
    new Command(`the school charges ${part} of booking ${of} by consent`, 'bookings', 'payments', (history) => {
      const bookingId = history.bookingAt(of);
      return bookingId ? history.consents.collect(bookingId, part) : Promise.resolve(null);
    }),
);
const timePasses = onBooking('time passes to a lesson', (history, id, n) => history.pass(id, n));
const payTimeEnds = onBooking('the time to pay ends', (history, id) => history.endTimeToPay(id));
const lateRequest = onBooking('a late request', (history, id, n) =>
  history.services.repeatRequest(history.idsOf(id), n),
);
const lateEvent = onBooking('a late event', async ({ services }, id, n) => services.traffic.repeatEvent(id, n));
const crash = fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 8 })).map(
  ([service, n]) =>
    new Command(`crash of service ${service} at write ${n}`, null, null, async ({ services }) => {
      services.crash(service, n);
    }),
);

const single = fc.oneof(
  { weight: 4, arbitrary: book },
  { weight: 8, arbitrary: pay },
  { weight: 2, arbitrary: onPayment('capture', (payment_id) => request(capturePayment, { payment_id })) },
  { weight: 2, arbitrary: onPayment('void', (payment_id) => request(voidPayment, { payment_id })) },
  { weight: 3, arbitrary: refund },
  { weight: 2, arbitrary: refundByHand },
  { weight: 2, arbitrary: disputeTurns },
  { weight: 3, arbitrary: change },
  { weight: 4, arbitrary: cancelOne },
  { weight: 3, arbitrary: cancel },
  { weight: 4, arbitrary: timePasses },
  { weight: 3, arbitrary: complete },
  { weight: 4, arbitrary: attend },
  { weight: 1, arbitrary: payTimeEnds },
  { weight: 3, arbitrary: consent },
  { weight: 4, arbitrary: collect },
  { weight: 3, arbitrary: reprice },
  { weight: 1, arbitrary: openLesson },
  { weight: 4, arbitrary: bookPlaces },
  { weight: 5, arbitrary: moveLesson },
  { weight: 2, arbitrary: cancelLesson },
  { weight: 2, arbitrary: closeTime },
  { weight: 3, arbitrary: lateRequest },
  { weight: 2, arbitrary: lateEvent },
);

/** Two commands at the same time. */
const atOnce = fc
  .tuple(single, single)
  .map(
    ([one, other]) =>
      new Command(`at once: ${one} | ${other}`, 'bookings', null, (history) =>
        Promise.all([one.perform(history), other.perform(history)]),
      ),
  );

/** What comes first in many histories: otherwise few have places in lessons, or charges by consent. */
const beginning = fc.oneof(
  fc.tuple(book, pay),
  fc.tuple(book, consent, reprice, collect, collect),
  fc.tuple(openLesson, bookPlaces, openLesson, bookPlaces, pay),
  fc.tuple(openLesson, bookPlaces, bookPlaces, consent, collect),
);

/** A history of a family's bookings and their money. */
export const histories = fc.tuple(
  beginning,
  fc.commands(
    [fc.oneof({ weight: 30, arbitrary: single }, { weight: 12, arbitrary: atOnce }, { weight: 1, arbitrary: crash })],
    { maxCommands: 12, size: 'max' },
  ),
);
