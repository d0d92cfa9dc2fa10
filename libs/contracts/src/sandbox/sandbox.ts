import { z } from 'zod';
import { createBooking } from '../booking/booking.js';
import { clockOffsetMs, id, instantText, timestamp } from '../formats/formats.js';
import { rpc } from '../operations/operation.js';
import { payment } from '../payment/payment.js';

/** The clock of a test account. */
export const sandboxClock = z.object({
  now: instantText.meta({
    description: 'What the clock of the account shows, ISO 8601 UTC; it runs as fast as real time',
    examples: ['2027-03-01T16:00:00.000Z'],
  }),
  offset_seconds: z
    .int()
    .min(0)
    .meta({
      description: 'How far the clock is ahead of real time, in whole seconds; 0 until it is first advanced',
      examples: [432_000],
    }),
  advancing: z.boolean().meta({
    description: 'Whether an advance is in progress. Until it has ended, `now` grows towards its `advance_to`',
  }),
  resetting: z.boolean().meta({
    description: 'Whether a reset is in progress. Until it has ended, objects from before it may still be listed',
  }),
});
export type SandboxClock = z.output<typeof sandboxClock>;

export const getSandboxClock = rpc('people.getClock', {
  summary: "Get the account's clock",
  description: 'The time of the test account, and whether it is being advanced.',
  kind: 'read',
  input: z.strictObject({}),
  output: sandboxClock,
  errors: ['unknown_route', 'resource_not_found'],
});

/**
 * Advances the clock of the test account to an instant that it has not reached, at most 365 days ahead. All that falls due until
 * then happens before the response, in order of time: reminders, completions, ends of holds, of offers and of prepayments, and
 * then the retries of webhooks. After 8 s it answers with `advancing: true` and continues.
 */
export const advanceSandboxClock = rpc('people.advanceClock', {
  summary: "Advance the account's clock",
  description:
    'Moves the clock of the test account forward, by at most 365 days. What falls due until then happens before the answer.',
  kind: 'write',
  input: z.strictObject({
    advance_to: timestamp.meta({
      description: 'What the clock is to show: after its `now`, and at most 365 days after it',
      examples: ['2027-03-06T16:00:00.000Z'],
    }),
  }),
  output: sandboxClock,
  errors: [
    'unknown_route',
    'resource_not_found',
    'in_past',
    'out_of_range',
    'advance_in_progress',
    'reset_in_progress',
  ],
});

/**
 * Empties what the test account owns, makes its demo data anew, and sets its clock back to real time. The account, its keys and the
 * sequence of its events stay; policies and metadata of the account become those of a new one. Lessons to come are cancelled, in
 * the account's name; what other accounts share they keep. After 8 s it answers with `resetting: true` and continues.
 */
export const resetSandbox = rpc('people.resetAccount', {
  summary: 'Reset the account',
  description:
    'Removes all that the test account owns, makes its demo data anew and sets its clock back to real time. API keys stay, sequences of events go on, and other accounts see shared lessons to come as cancelled. Objects made while it runs may be removed too.',
  kind: 'write',
  input: z.strictObject({}),
  output: sandboxClock,
  errors: ['unknown_route', 'resource_not_found', 'advance_in_progress', 'reset_in_progress'],
});

/**
 * Answers the bank in place of the cardholder, for whom a payment of the sandbox waits. The same answer again changes nothing; the opposite
 * one, or one that comes too late, is `invalid_state`.
 */
export const authenticateSandboxPayment = rpc('payment.authenticate', {
  summary: 'Authenticate a payment in the sandbox',
  description:
    'Ends the 3-D Secure of a payment that is `pending` with a `next_action`, as its cardholder would at the bank: it succeeds, or fails. In live the processor’s own library does this with the `client_secret`.',
  kind: 'write',
  input: z.strictObject({
    payment_id: id('pay'),
    outcome: z.enum(['succeeded', 'failed']).meta({
      description: 'Whether the cardholder proves to the bank who he is, or fails to',
      examples: ['succeeded'],
    }),
  }),
  output: payment,
  errors: ['unknown_route', 'resource_not_found', 'invalid_state'],
});

const applied = z.object({
  /** How many due objects it has handled; while there are some, the request is repeated. */
  handled: z.int(),
  /** The next offset at which something of the account ends on which others depend; null: none. */
  nextOffsetMs: z.int().nullable(),
});
export type AppliedClock = z.output<typeof applied>;

const part = {
  kind: 'write',
  callers: ['people'],
  input: z.strictObject({
    accountId: id('acct'),
    /** The offset before the advance. */
    fromMs: clockOffsetMs,
    offsetMs: clockOffsetMs,
    /** Objects made at or after this instant stay as they are, however late the request is processed. */
    madeBefore: timestamp.optional(),
  }),
  output: applied,
} as const;

/**
 * Applies the clock of a test account to its sessions, holds and waitlist entries, and handles those that are due then, up to a
 * limit. Idempotent; an offset that an object has passed changes nothing of it.
 */
export const applyClockToTimes = rpc('scheduling.applyClock', part);
/** Does what `applyClockToTimes` does, to bookings and makeup credits. */
export const applyClockToBookings = rpc('booking.applyClock', part);
/** Makes the retries of webhook deliveries that are due, one after the other, for at most 3 s. */
export const applyClockToWebhooks = rpc('notification.applyClock', part);

const resetPart = {
  kind: 'write',
  callers: ['people'],
  input: z.strictObject({
    accountId: id('acct'),
    /** What was made at or after this instant stays, however late the request is processed. */
    before: timestamp,
    /** `end`: what is in progress ends in the name of the account. `empty`: the account has nothing of it any more. */
    phase: z.enum(['end', 'empty']),
  }),
  /** Whether nothing is left. If not, the request is repeated: each does as much as its deadline permits. */
  output: z.object({ done: z.boolean() }),
} as const;

/** Leaves waitlists, releases holds and cancels lessons to come of a test account; then its calendar is empty. Idempotent. */
export const resetTimes = rpc('scheduling.resetAccount', resetPart);
/** Waits until the bookings of a test account follow their cancelled lessons; then it has none. Idempotent. */
export const resetBookings = rpc('booking.resetAccount', resetPart);
/** Voids authorisations and waits for payments and refunds of a test account; then it has neither these nor methods. Idempotent. */
export const resetPayments = rpc('payment.resetAccount', resetPart);
/** Removes webhook endpoints, messages and events of a test account; the sequence of its events goes on. Idempotent. */
export const resetEvents = rpc('notification.resetAccount', resetPart);

/** Makes the pool of a school's demo data under this id. Idempotent. */
export const addDemoPool = rpc('scheduling.addDemoPool', {
  kind: 'write',
  callers: ['people'],
  input: z.strictObject({ accountId: id('acct'), id: id('pool') }),
  output: z.object({}),
});

/** Makes a booking of a school's demo data under this id, of which nobody gets an e-mail. Idempotent. */
export const addDemoBooking = rpc('booking.addDemoBooking', {
  kind: 'write',
  callers: ['people'],
  input: z.strictObject({ accountId: id('acct'), id: id('bkg'), booking: createBooking.input }),
  output: z.object({}),
  errors: createBooking.errors,
});

/** Makes the payment method of a family's demo data under this id. Idempotent. */
export const addDemoMethod = rpc('payment.addDemoMethod', {
  kind: 'write',
  callers: ['people'],
  input: z.strictObject({ accountId: id('acct'), id: id('pm') }),
  output: z.object({}),
});

/**
 * The instant at which what is due of a document is decided: now, or, where the clock of its account was advanced over several due
 * times, each of them in turn.
 */
export const decidedAt = (dueAt: Date | null, clockOffsetMs: number | undefined, now: Date): Date =>
  clockOffsetMs && dueAt !== null && dueAt < now ? dueAt : now;
