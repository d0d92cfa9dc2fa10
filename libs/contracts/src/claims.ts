import { z } from 'zod';
import { currency, id, text, timestamp, timezone } from './formats.js';
import { rpc } from './operation.js';
import { availabilitySchedule } from './schedule.js';
import { durationMinutes, location, session } from './sessions.js';

/** The rules by which scheduling judges a claim; people owns them, the caller sends them with the claim. */
export const teachingRules = z.strictObject({
  instructorId: id('ins'),
  schoolId: id('acct'),
  timezone,
  schedule: availabilitySchedule,
  enforceAvailability: z.boolean(),
  defaultPoolId: id('pool').nullable(),
});
export type TeachingRules = z.output<typeof teachingRules>;

const slotReason = z.enum(['instructor_busy', 'member_busy', 'outside_availability', 'pool_full']);
export const suggestion = z.object({ start: z.string(), end: z.string() });

/** One date that could not be claimed, and up to three times that could. */
export const dateConflict = z.object({ date: z.string(), reason: slotReason, suggestions: z.array(suggestion) });
export type DateConflict = z.output<typeof dateConflict>;

/**
 * Takes all times of a booking, or (skip) those that are free, and holds them until `untilUtc`. Idempotent per booking:
 * asked again, it answers what it already holds. With a hold it takes over the hold's time, with the ids of its sessions. With `dryRun` it only says what it would do.
 */
export const claimBooking = rpc('scheduling.claim', {
  kind: 'write',
  input: z.strictObject({
    bookingId: id('bkg'),
    /** The hold whose time the booking takes over; absent: the time is claimed anew. */
    holdId: id('hold').nullish(),
    accountId: id('acct'),
    rules: teachingRules,
    currency,
    location: location.nullable(),
    notes: text(2000).nullable(),
    slots: z
      .array(
        z.strictObject({
          date: timestamp,
          durationMinutes,
          priceCents: z.int(),
          sessions: z
            .array(z.strictObject({ id: id('ses'), memberId: id('mem') }))
            .min(1)
            .max(10),
        }),
      )
      .min(1)
      .max(52),
    onConflict: z.enum(['fail', 'skip']),
    dryRun: z.boolean(),
  }),
  output: z.object({
    sessionIds: z.array(z.string()),
    skipped: z.array(z.object({ date: z.string(), reason: slotReason })),
  }),
  errors: ['conflicting_dates', 'busy_retry', 'not_found', 'hold_mismatch', 'invalid_state'],
});

/** Makes a held claim final and its sessions visible. Idempotent; `invalid_state` when the hold has lapsed. */
export const confirmBooking = rpc('scheduling.confirm', {
  kind: 'write',
  input: z.strictObject({ bookingId: id('bkg') }),
  output: z.object({ sessions: z.array(session) }),
  errors: ['invalid_state'],
});

/** Gives up whatever is held for a booking. Idempotent, also when nothing is held; a confirmed claim stays. */
export const releaseBooking = rpc('scheduling.release', {
  kind: 'write',
  input: z.strictObject({ bookingId: id('bkg') }),
  output: z.object({ state: z.enum(['released', 'confirmed']) }),
});

/** Sessions of bookings the caller may see, for answering a booking whole. */
export const sessionsOfBookings = rpc('scheduling.sessionsOfBookings', {
  kind: 'read',
  input: z.strictObject({ bookingIds: z.array(id('bkg')).max(100) }),
  output: z.array(session),
});
