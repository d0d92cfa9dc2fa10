import { ConflictError, type Payment, type Swim } from '@swim/sdk';

/** What `bookAndPay` did. */
export interface Outcome {
  /** The time that was taken, and the one of the booking. */
  readonly requested: string;
  readonly booked: string;
  readonly payment: Payment;
  /** The event of that payment, and a member of its object. */
  readonly event: { readonly type: string; readonly paidCents: number };
}

/** The first time that the API suggests instead of those of a booking; throws other errors. */
async function firstSuggestion(booking: PromiseLike<unknown>): Promise<string> {
  try {
    await booking;
  } catch (error) {
    if (!(error instanceof ConflictError) || error.details.reason !== 'conflicting_dates') throw error;
    for (const { suggestions } of error.details.conflicts) for (const { start } of suggestions) return start;
  }
  throw new Error('The API made no suggestion.');
}

/**
 * Books a taken time, takes the suggestion of the conflict, pays, and handles the event of the payment. It is written without a
 * cast: that it compiles shows that the types of the client suffice.
 */
export async function bookAndPay(
  client: Swim,
  accountId: string,
  instructorId: string,
  date: string,
): Promise<Outcome> {
  const member = await client.members.create(accountId, { name: 'Mia', date_of_birth: '2017-05-04' });
  const lesson = { instructor_id: instructorId, member_ids: [member.id] };
  const at = (start: string) => ({ ...lesson, sessions: [{ date: start, duration_minutes: 60 }] });
  const booked = await firstSuggestion(client.bookings.create(at(date)));
  const booking = await client.bookings.create(at(booked), { idempotencyKey: `book-${member.id}` });
  const { id: payment_method_id } = await client.paymentMethods.add(accountId, {
    processor_payment_method_id: 'pm_card_visa',
  });
  const { id: booking_id, amount_due_cents: amount_cents, currency } = booking;
  const payment = await client.payments.create({ booking_id, payment_method_id, amount_cents, currency });
  for await (const event of client.events.listen({ after: 0 }))
    if (event.type === 'payment.succeeded')
      return {
        requested: date,
        booked,
        payment,
        event: { type: event.type, paidCents: event.data.object.amount_cents },
      };
  throw new Error('No event came.');
}
