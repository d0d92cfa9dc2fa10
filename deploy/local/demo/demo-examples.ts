const LESSON_MINUTES = 30;
const HOUR_MS = 3_600_000;

export interface DemoExamplesOptions {
  baseUrl: string;
  /** A key of the family. */
  key: string;
  /** Start of a free slot of 30 minutes. */
  start: string;
  instructor: { id: string; hourly_rate_cents: number; currency: string };
  memberId: string;
  paymentMethodId: string;
}

/** Lines for a shell. The first stores the id of the booking in a variable for the last. */
export interface DemoExamples {
  book: string;
  bookTwice: string;
  pay: string;
}

/** Returns three lines for a shell: book a lesson, book it again, pay for it. */
export function demoExamples({
  baseUrl,
  key,
  start,
  instructor,
  memberId,
  paymentMethodId,
}: DemoExamplesOptions): DemoExamples {
  const curl = (path: string) =>
    `curl -s -w '\\n' ${baseUrl}${path} -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json'`;
  const booking = JSON.stringify({
    instructor_id: instructor.id,
    member_ids: [memberId],
    sessions: [{ date: new Date(start).toISOString(), duration_minutes: LESSON_MINUTES }],
  });
  const book = `${curl('/bookings')} -d '${booking}'`;
  const payment = JSON.stringify({
    booking_id: '$BOOKING',
    payment_method_id: paymentMethodId,
    amount_cents: Math.floor((instructor.hourly_rate_cents * LESSON_MINUTES) / 60 + 0.5),
    currency: instructor.currency,
  });
  return {
    book: `ANSWER=$(${book}); echo "$ANSWER"; BOOKING=$(echo "$ANSWER" | grep -o 'bkg_[0-9a-z]*' | head -n 1)`,
    bookTwice: book,
    pay: `${curl('/payments')} -d "${payment.replaceAll('"', '\\"')}"`,
  };
}

/** Returns the query for free slots within a week from tomorrow on. */
export function slotQuery(nowMs: number): string {
  const at = (hours: number) => new Date(nowMs + hours * HOUR_MS).toISOString();
  return `date_from=${at(24)}&date_to=${at(8 * 24)}&duration_minutes=${LESSON_MINUTES}`;
}
