import {
  type Booking,
  BookingsApi,
  Configuration,
  ErrorEnvelopeFromJSON,
  EventsApi,
  InstructorsApi,
  type ListedInstructor,
  MembersApi,
  PaymentMethodsApi,
  PaymentsApi,
  ResponseError,
  SessionsApi,
} from './client/index.js';

/** Books, pays and cancels a lesson with the client that openapi-generator makes for `fetch`. */
const { API, KEY, ACCOUNT } = process.env;
const accountId = ACCOUNT!;
const configuration = new Configuration({ basePath: API!, accessToken: KEY! });
const bookings = new BookingsApi(configuration);
const HOUR_MS = 3_600_000;

function check(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new Error(what);
}

async function newMember(name: string): Promise<string> {
  const createMemberBody = { name, dateOfBirth: new Date('2017-05-04') };
  const { data } = await new MembersApi(configuration).createMember({ accountId, createMemberBody });
  return data.id;
}

/** The last free time that an instructor has published. */
async function findTime() {
  const instructors = new InstructorsApi(configuration);
  const { data } = await instructors.listInstructors({ search: 'Greta Lindqvist' });
  const instructor = data[0]!;
  const answer = await instructors.getAvailability({ instructorId: instructor.id, durationMinutes: 30 });
  console.log(`find: ${instructor.name} has ${answer.data.slots.length} free times`);
  return { instructor, start: answer.data.slots.at(-1)!.start };
}

async function create(instructor: ListedInstructor, name: string, date: Date, metadata = {}) {
  const lesson = {
    instructorId: instructor.id,
    memberIds: new Set([await newMember(name)]),
    sessions: [{ date, durationMinutes: 30 }],
    metadata,
  };
  const { data } = await bookings.createBooking({ createBookingBody: lesson, idempotencyKey: crypto.randomUUID() });
  return data;
}

async function book(instructor: ListedInstructor, start: Date, order: string) {
  const booking = await create(instructor, 'Mia', start, { order });
  check(booking.sessions[0]!.date.getTime() === start.getTime(), 'Another time was booked.');
  console.log(`book: ${booking.status}, ${booking.amountDueCents} ${booking.currency} due`);
  return booking;
}

/** Another child asks for the same time, and is offered other times. */
async function readConflict(instructor: ListedInstructor, start: Date) {
  try {
    await create(instructor, 'Ben', start);
  } catch (failure) {
    if (!(failure instanceof ResponseError) || failure.response.status !== 409) throw failure;
    const { error } = ErrorEnvelopeFromJSON(await failure.response.json());
    check(error.code === 'CONFLICT' && error.details.reason === 'conflicting_dates', error.message);
    const { reason, suggestions } = error.details.conflicts[0]!;
    check(reason === 'instructor_busy', `The time is not free because of ${reason}.`);
    console.log(`conflict: ${reason}, free at ${suggestions[0]!.start.toISOString()}`);
    return;
  }
  throw new Error('The time could be booked twice.');
}

async function pay({ id: bookingId, amountDueCents: amountCents, currency }: Booking) {
  const { data: cards } = await new PaymentMethodsApi(configuration).listPaymentMethods({ accountId });
  const createPaymentBody = { bookingId, paymentMethodId: cards[0]!.id, amountCents, currency };
  const { data: payment } = await new PaymentsApi(configuration).createPayment({ createPaymentBody });
  check(payment.status === 'succeeded' && payment.dispute === null, `The payment ${payment.status}.`);
  console.log(`pay: ${payment.amountCents} ${payment.currency} ${payment.status}`);
}

async function cancel({ id: bookingId, amountDueCents: paidCents }: Booking) {
  const { data: quote } = await bookings.quoteBookingCancellation({ bookingId });
  check(quote.feeCents + quote.refundCents === paidCents, 'The quote is about another amount.');
  console.log(`quote: ${quote.refundCents} ${quote.currency} back, free until ${quote.freeUntil.toISOString()}`);
  const { data: cancelled } = await bookings.cancelBooking({ bookingId });
  check(cancelled.status === 'cancelled', `The booking is ${cancelled.status}.`);
  console.log(`cancel: ${cancelled.status}`);
}

async function readPages() {
  const ids = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const { data, pagination } = await new SessionsApi(configuration).listSessions({
      limit: 2,
      ...(cursor ? { cursor } : {}),
    });
    for (const { id } of data) ids.add(id);
    if (pagination.hasMore) cursor = pagination.nextCursor!;
    else {
      check(ids.size === pagination.total && ids.size > 2, 'Pages lack a session.');
      console.log(`pages: ${ids.size} sessions`);
      return;
    }
  }
}

/** The event of the cancellation comes a moment after the answer. */
async function readEvents({ id }: Booking) {
  for (;;) {
    const { data } = await new EventsApi(configuration).listEvents({ type: 'booking.cancelled', objectId: id });
    const [event] = data;
    if (event?.type === 'booking.cancelled') {
      const { expiresAt, makeupCreditId } = event.data.object;
      check(expiresAt === null && makeupCreditId === null, 'A field that is null has a value.');
      console.log(`events: ${event.sequence} ${event.type}, expires_at ${expiresAt}`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function filter({ id: bookingId }: Booking, start: Date, order: string) {
  const sessions = new SessionsApi(configuration);
  const end = new Date(start.getTime() + HOUR_MS).toISOString();
  const dateFrom = start.toISOString().slice(0, 10);
  const found = await sessions.listSessions({ bookingId, dateFrom, dateTo: end });
  const later = await sessions.listSessions({ bookingId, dateFrom: end });
  check(found.pagination.total === 1 && later.pagination.total === 0, 'The filter of dates is wrong.');
  console.log(`dates: ${found.data[0]!.date.toISOString()}`);
  const { data: ordered } = await bookings.listBookings({ metadata: JSON.stringify({ order }) });
  check(ordered.length === 1 && ordered[0]!.id === bookingId, 'The filter of metadata is wrong.');
  console.log(`metadata: ${JSON.stringify(ordered[0]!.metadata)}`);
}

const order = crypto.randomUUID();
const { instructor, start } = await findTime();
const booking = await book(instructor, start, order);
await readConflict(instructor, start);
await pay(booking);
await cancel(booking);
await readPages();
await readEvents(booking);
await filter(booking, start, order);
