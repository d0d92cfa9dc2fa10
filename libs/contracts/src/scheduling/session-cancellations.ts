import { z } from 'zod';
import { id, idText, instantText, text, timestamp } from '../formats/formats.js';
import { rpc } from '../operations/operation.js';
import { session } from './sessions.js';

/**
 * How a cancellation gives back what was paid by a payment method: by a refund, or by a makeup credit. What was paid by a credit
 * goes back to that credit in either case.
 */
const refundAs = z
  .enum(['payment_method', 'credit'])
  .default('payment_method')
  .meta({ description: '`credit`: a makeup credit instead of a refund, where the school gives them' });

/** What every cancellation takes, of a session or of a booking. */
export const cancellationFields = {
  reason: text(500).nullish(),
  notify_participants: z.boolean().default(true),
  refund_as: refundAs,
};

export const cancelSession = rpc('scheduling.cancelSession', {
  summary: 'Cancel a session',
  description:
    'What was paid beyond the fee is refunded, or becomes a makeup credit. Cancelling again answers the same.',
  kind: 'write',
  input: z.strictObject({
    session_id: id('ses'),
    ...cancellationFields,
  }),
  output: session,
  errors: ['resource_not_found', 'invalid_state', 'already_started', 'change_in_progress', 'credits_not_offered'],
});

/**
 * What cancelling a session would do now, were the caller to do it. Free until `free_until` (UTC), `late` from then on.
 * `fee_cents` is owed, whether or not anything is paid, `refund_cents` is refunded, and `credit_returned_cents` goes back to the
 * makeup credit that it was booked with; a cancellation by the school, and one of a session outside a booking, costs nothing.
 * `makeup_credit`: whether it can give a makeup credit instead of the refund (`refund_as`).
 */
export const cancellationQuote = z.object({
  session_id: idText('ses'),
  late: z.boolean(),
  free_until: instantText,
  fee_cents: z.int(),
  refund_cents: z.int(),
  credit_returned_cents: z.int(),
  makeup_credit: z.boolean(),
  currency: z.string(),
});
export type CancellationQuote = z.output<typeof cancellationQuote>;

export const quoteCancellation = rpc('scheduling.quoteCancellation', {
  summary: 'Quote the cancellation of a session',
  description: 'What a cancellation would cost and give back now. It changes nothing.',
  kind: 'read',
  input: z.strictObject({ session_id: id('ses') }),
  output: cancellationQuote,
  errors: ['resource_not_found', 'invalid_state', 'already_started'],
});

/** The fee of each missed session of a booking, in minor units: none of one that was missed while the booking was pending. */
export const missedFees = z.array(z.object({ sessionId: z.string(), feeCents: z.int().min(0) }));

/** The terms by which cancellations of one booking are evaluated: the policies when it was booked, and what is paid. */
const cancellationTermsOfBooking = z.strictObject({
  freeCancellationHours: z.int(),
  lateFeePercent: z.int(),
  /** What is paid, makeup credits included. */
  paidCents: z.int(),
  missedFees,
});

/**
 * What cancelling all sessions of a booking that are still to come would do at an instant, were the caller to do it, in order of date.
 * `refund_cents` is what the money that covers a session before any of them is cancelled exceeds its fee.
 */
export const quoteCancellations = rpc('scheduling.quoteCancellations', {
  kind: 'read',
  callers: ['booking'],
  input: z.strictObject({
    bookingId: id('bkg'),
    terms: cancellationTermsOfBooking,
    /** The account's time of the request; now by default. */
    at: timestamp.optional(),
  }),
  output: z.array(cancellationQuote),
});

/**
 * Cancels sessions of a booking with the fees of an earlier quote. Idempotent; a session that is no longer scheduled stays as it
 * is. Returns all of these sessions as they are then.
 */
export const cancelSessions = rpc('scheduling.cancelSessions', {
  kind: 'write',
  callers: ['booking'],
  input: z.strictObject({
    sessions: z
      .array(
        z.strictObject({
          id: id('ses'),
          late: z.boolean(),
          feeCents: z.int().min(0),
          /** The makeup credit that is given instead of a refund. */
          creditId: id('crd').nullish(),
        }),
      )
      .max(100),
    reason: text(500).nullable(),
    notifyParticipants: z.boolean(),
  }),
  output: z.array(session),
  errors: ['resource_not_found', 'change_in_progress'],
});
