import { type Booking, ConflictError, type Instructor, Swim } from '@swim/sdk';

/** Books, pays and cancels a lesson with `@swim/sdk`. */
const { API, KEY, ACCOUNT } = process.env;
const client = new Swim({ apiKey: KEY!, baseUrl: API! });
const HOUR_MS = 3_600_000;

function check(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new Error(what);
}

async function newMember(name: string): Promise<string> {
  const { id } = await client.members.create(ACCOUNT!, { name, date_of_birth: '2017-05-04' });
  return id;
}

/** The last free time that an instructor has published. */
async function findTime() {
  const { data: instructors } = await client.instructors.list({ search: 'Greta Lindqvist' });
  const instructor = instructors[0]!;
  const { slots } = await client.instructors.getAvailability(instructor.id, { duration_minutes: 30 });
  console.log(`find: ${instructor.name} has ${slots.length} free times`);
  return { instructor, start: new Date(slots.at(-1)!.start) };
}

const lessonOf = (instructor: Pick<Instructor, 'id'>, memberId: string, start: Date) => ({
  instructor_id: instructor.id,
  member_ids: [memberId],
  sessions: [{ date: start, duration_minutes: 30 }],
});

async function book(instructor: Pick<Instructor, 'id'>, start: Date, order: string) {
  const lesson = lessonOf(instructor, await newMember('Mia'), start);
  const booking = await client.bookings.create({ ...lesson, metadata: { order } });
  check(Date.parse(booking.sessions[0]!.date) === start.getTime(), 'Another time was booked.');
  console.log(`book: ${booking.status}, ${booking.amount_due_cents} ${booking.currency} due`);
  return booking;
}

/** Another child asks for the same time, and is offered other times. */
async function readConflict(instructor: Pick<Instructor, 'id'>, start: Date) {
  try {
    await client.bookings.create(lessonOf(instructor, await newMember('Ben'), start));
  } catch (error) {
    if (!(error instanceof ConflictError) || error.details.reason !== 'conflicting_dates') throw error;
    const { reason, suggestions } = error.details.conflicts[0]!;
    check(reason === 'instructor_busy', `The time is not free because of ${reason}.`);
    console.log(`conflict: ${reason}, free at ${suggestions[0]!.start}`);
    return;
  }
  throw new Error('The time could be booked twice.');
}

async function pay({ id: booking_id, amount_due_cents: amount_cents, currency }: Booking) {
  const { data: cards } = await client.paymentMethods.list(ACCOUNT!);
  const payment = await client.payments.create({ booking_id, payment_method_id: cards[0]!.id, amount_cents, currency });
  check(payment.status === 'succeeded' && payment.dispute === null, `The payment ${payment.status}.`);
  console.log(`pay: ${payment.amount_cents} ${payment.currency} ${payment.status}`);
}

async function cancel({ id, amount_due_cents: paidCents }: Booking) {
  const quote = await client.bookings.quoteCancellation(id);
  check(quote.fee_cents + quote.refund_cents === paidCents, 'The quote is about another amount.');
  console.log(`quote: ${quote.refund_cents} ${quote.currency} back, free until ${quote.free_until}`);
  const { status } = await client.bookings.cancel(id);
  check(status === 'cancelled', `The booking is ${status}.`);
  console.log(`cancel: ${status}`);
}

async function readPages() {
  const ids = new Set<string>();
  for await (const { id } of client.sessions.list({ limit: 2 })) ids.add(id);
  const { pagination } = await client.sessions.list({ limit: 1 });
  check(ids.size === pagination.total && ids.size > 2, 'Pages lack a session.');
  console.log(`pages: ${ids.size} sessions`);
}

/** The event of the cancellation comes a moment after the answer. */
async function readEvents({ id }: Booking) {
  for await (const event of client.events.listen({ after: 0, types: ['booking.cancelled'] })) {
    if (event.type !== 'booking.cancelled' || event.data.object.id !== id) continue;
    const { object } = event.data;
    check(object.expires_at === null && object.makeup_credit_id === null, 'A field that is null has a value.');
    console.log(`events: ${event.sequence} ${event.type}, expires_at ${object.expires_at}`);
    return;
  }
}

async function filter({ id }: Booking, start: Date, order: string) {
  const date = start.toISOString().slice(0, 10);
  const end = new Date(start.getTime() + HOUR_MS);
  const found = await client.sessions.list({ booking_id: id, date_from: date, date_to: end });
  const later = await client.sessions.list({ booking_id: id, date_from: end });
  check(found.pagination.total === 1 && later.pagination.total === 0, 'The filter of dates is wrong.');
  console.log(`dates: ${found.data[0]!.date}`);
  const { data: ordered } = await client.bookings.list({ metadata: { order } });
  check(ordered.length === 1 && ordered[0]!.id === id, 'The filter of metadata is wrong.');
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
