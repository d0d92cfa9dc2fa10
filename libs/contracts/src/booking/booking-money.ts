import { z } from 'zod';
import { currency, id, instantText } from '../formats/formats.js';
import { rpc } from '../operations/operation.js';
import { RECORDED_METHODS } from '../payment/payment.js';
import { missedFees } from '../scheduling/session-cancellations.js';

/**
 * Sets money of a booking aside for one payment, in one update: not cancelled, amount within what is due. Its account pays; with
 * `method` its school records money that it got elsewhere, and with `byConsent` charges the method of the booking, which is answered
 * and has to be `methodId`.
 * Idempotent per payment id: a repetition returns the same. `dueCents` is what could be set aside before: the price
 * less what is paid and what other payments hold.
 */
export const reservePayment = rpc('booking.reserve', {
  kind: 'write',
  callers: ['payment'],
  input: z.strictObject({
    bookingId: id('bkg'),
    paymentId: id('pay'),
    amountCents: z.int().min(1),
    currency,
    method: z.enum(RECORDED_METHODS).optional(),
    byConsent: z.boolean().optional(),
    methodId: id('pm').optional(),
    dryRun: z.boolean(),
  }),
  output: z.object({
    bookingId: z.string(),
    accountId: z.string(),
    schoolId: z.string(),
    dueCents: z.int(),
    methodId: z.string().optional(),
  }),
  errors: [
    'not_found',
    'school_only',
    'required',
    'no_consent',
    'consent_exceeded',
    'invalid_state',
    'already_paid',
    'amount_exceeds_due',
    'not_representable',
    'currency_mismatch',
    'too_many_attempts',
    'change_in_progress',
  ],
});

/**
 * Records the outcome of a reserved payment: it is charged or it failed, at once or after it was authorized. Idempotent per
 * payment id and outcome; `invalid_state` for a different one after the last. A failure may arrive before its reservation,
 * which is then `invalid_state`.
 */
export const settlePayment = rpc('booking.settle', {
  kind: 'write',
  callers: ['payment'],
  input: z.strictObject({
    bookingId: id('bkg'),
    paymentId: id('pay'),
    outcome: z.enum(['authorized', 'succeeded', 'failed']),
  }),
  output: z.object({ settled: z.literal(true) }),
  errors: ['not_found', 'invalid_state', 'change_in_progress'],
});

/**
 * What has been paid of a booking that the account sees, by payment methods and by a makeup credit, what the school waives of its
 * amount, and what is kept of its missed sessions, in minor units. `refundableCents`: what can be refunded of its payments by itself,
 * which is nothing of one in dispute.
 */
export const paidOfBooking = rpc('booking.paid', {
  kind: 'read',
  callers: ['scheduling'],
  input: z.strictObject({ bookingId: id('bkg') }),
  output: z.object({
    paidCents: z.int(),
    waivedCents: z.int(),
    creditedCents: z.int(),
    refundableCents: z.int(),
    missedFees,
    /** Whether a late cancellation of one of its sessions costs a fee now. */
    owesFees: z.boolean(),
  }),
  errors: ['resource_not_found'],
});

/**
 * Reserves money of a charged payment for a refund by the booking's school, in one update; `amountCents` null: all that is left
 * of the payment. Idempotent per refund id. Such a refund waives as much of the amount due (contract, Payments).
 */
export const reserveRefund = rpc('booking.reserveRefund', {
  kind: 'write',
  callers: ['payment'],
  input: z.strictObject({
    bookingId: id('bkg'),
    paymentId: id('pay'),
    refundId: id('rfd'),
    amountCents: z.int().min(1).nullable(),
    dryRun: z.boolean(),
  }),
  output: z.object({ amountCents: z.int(), refundableCents: z.int() }),
  errors: [
    'not_found',
    'school_only',
    'invalid_state',
    'payment_disputed',
    'not_representable',
    'amount_exceeds_refundable',
    'change_in_progress',
  ],
});

/**
 * Records the outcome of a refund. Idempotent per refund id and outcome; `invalid_state` for a second, different one. A failure may
 * arrive before its reservation, which is then `invalid_state`. `made`: the refund was made by hand at the processor, so that nobody
 * has reserved it; it may fail after it has succeeded, when the bank returns it.
 */
export const settleRefund = rpc('booking.settleRefund', {
  kind: 'write',
  callers: ['payment'],
  input: z.strictObject({
    bookingId: id('bkg'),
    refundId: id('rfd'),
    outcome: z.enum(['succeeded', 'failed']),
    made: z.strictObject({ paymentId: id('pay'), amountCents: z.int().min(1) }).optional(),
  }),
  output: z.object({ settled: z.literal(true) }),
  errors: ['not_found', 'invalid_state', 'change_in_progress'],
});

/**
 * Records the state of a dispute about a charged payment. While it is open or lost, the booking requests no refunds of this payment; a
 * lost one takes `amountCents` from the paid amount until it is won. Idempotent per payment and revision; an earlier revision than
 * the recorded one changes nothing.
 */
export const recordDispute = rpc('booking.recordDispute', {
  kind: 'write',
  callers: ['payment'],
  input: z.strictObject({
    bookingId: id('bkg'),
    paymentId: id('pay'),
    /** The processor's id of the dispute: a payment may have several. */
    disputeId: z.string().min(1).max(255),
    /** Counts the states of the dispute. */
    revision: z.int().min(1),
    state: z.enum(['open', 'won', 'lost']),
    amountCents: z.int().min(1),
  }),
  output: z.object({ recorded: z.literal(true) }),
  errors: ['not_found', 'invalid_state', 'change_in_progress'],
});

/**
 * Requests a refund that a booking has allocated to one of its payments: an excess after a cancellation or a change. Idempotent
 * per refund id. Accepted means stored: the outcome follows by `booking.settleRefund`.
 */
export const refundForBooking = rpc('payment.refundForBooking', {
  kind: 'write',
  callers: ['booking'],
  input: z.strictObject({
    bookingId: id('bkg'),
    paymentId: id('pay'),
    refundId: id('rfd'),
    amountCents: z.int().min(1),
    reason: z.string().max(200),
  }),
  output: z.object({ accepted: z.literal(true) }),
  errors: ['not_found'],
});

/**
 * Requests to void an authorized payment of a booking that was cancelled or has expired. Idempotent; a payment that is captured
 * meanwhile stays: the booking then requests its refund. `change_in_progress` while the processor decides on the payment. The
 * outcome follows by `booking.settle`.
 */
export const voidForBooking = rpc('payment.voidForBooking', {
  kind: 'write',
  callers: ['booking'],
  input: z.strictObject({ bookingId: id('bkg'), paymentId: id('pay') }),
  output: z.object({ accepted: z.literal(true) }),
  errors: ['not_found', 'change_in_progress'],
});

/**
 * Removes what clients wrote to the payments of bookings with an erased member, and to their refunds: metadata, reasons, and stored
 * answers with them. Idempotent. Not done while requests of these accounts that began before the erasure are in progress.
 */
export const eraseTextsOfBookings = rpc('payment.eraseTextsOfBookings', {
  kind: 'write',
  callers: ['booking'],
  input: z.strictObject({
    bookingIds: z.array(id('bkg')).min(1).max(100),
    /** The accounts that could write to the payments: that of the member, and its schools. */
    accountIds: z.array(id('acct')).min(1),
    erasedAt: instantText,
  }),
  output: z.object({ done: z.boolean() }),
});

/**
 * Removes what clients kept at payments from the events that are stored of them, for all accounts. Idempotent. Not done while one of
 * these events is not stored yet.
 */
export const eraseTextsOfEvents = rpc('notification.eraseTextsOfEvents', {
  kind: 'write',
  callers: ['payment'],
  input: z.strictObject({
    /** Each with the number of its events so far. */
    payments: z.array(z.strictObject({ id: id('pay'), eventCount: z.int().min(1) })),
  }),
  output: z.object({ done: z.boolean() }),
});
