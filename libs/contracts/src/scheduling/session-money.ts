import { z } from 'zod';
import { id } from '../formats/formats.js';
import { rpc } from '../operations/operation.js';
import { sessionObject } from './sessions.js';

/** Most sessions in one request about the money of a booking. */
export const MOST_SESSIONS_AT_ONCE = 100;

/**
 * Makes the attendance of sessions final, before the money of their booking follows it: from then on they can neither be moved nor
 * cancelled, and another attendance is `invalid_state` (contract, Payments). Each is final only if it still has the version by
 * which the booking decided; otherwise the booking gets the newer state and decides again. Idempotent.
 */
export const finalizeAttendances = rpc('scheduling.finalizeAttendances', {
  kind: 'write',
  callers: ['booking'],
  input: z.strictObject({
    sessions: z.array(z.strictObject({ id: id('ses'), version: z.int().min(1) })).max(MOST_SESSIONS_AT_ONCE),
  }),
  output: z.array(z.object({ session: sessionObject, isFinal: z.boolean() })),
  errors: ['change_in_progress'],
});

/**
 * Records in cancelled sessions what their cancellation gave back: the refund (the newest payment's where there are several), and
 * the makeup credit. Idempotent; each session that changes publishes `session.updated`.
 */
export const recordReturns = rpc('scheduling.recordReturns', {
  kind: 'write',
  callers: ['booking'],
  input: z.strictObject({
    sessions: z
      .array(z.strictObject({ id: id('ses'), refundId: id('rfd').nullable(), creditId: id('crd').nullable() }))
      .max(MOST_SESSIONS_AT_ONCE),
  }),
  output: z.object({ recorded: z.literal(true) }),
  errors: ['resource_not_found', 'change_in_progress'],
});
