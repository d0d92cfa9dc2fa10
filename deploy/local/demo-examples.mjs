const LESSON_MINUTES = 30;
const HOUR_MS = 3_600_000;

/**
 * Writes three lines for a shell: book a lesson, book it again, pay for it.
 * @param {object} options
 * @param {string} options.baseUrl
 * @param {string} options.key the family's.
 * @param {string} options.start of a free slot of 30 minutes.
 * @param {{id: string, hourly_rate_cents: number, currency: string}} options.instructor
 * @param {string} options.memberId
 * @param {string} options.paymentMethodId
 * @returns {{book: string, bookTwice: string, pay: string}} the first keeps the booking's id for the last.
 */
export function demoExamples({ baseUrl, key, start, instructor, memberId, paymentMethodId }) {
  const curl = (path) =>
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

/**
 * @param {number} nowMs
 * @returns {string} the query for free slots from tomorrow on, for a week.
 */
export function slotQuery(nowMs) {
  const at = (hours) => new Date(nowMs + hours * HOUR_MS).toISOString();
  return `date_from=${at(24)}&date_to=${at(8 * 24)}&duration_minutes=${LESSON_MINUTES}`;
}
