import { z } from 'zod';
import { id, timestamp } from '../formats/formats.js';
import { rpc } from '../operations/operation.js';

/** The accounts that owe the requesting school something on bookings. */
export const findOwing = rpc('booking.findOwing', {
  kind: 'read',
  callers: ['people'],
  input: z.strictObject({}),
  output: z.object({ accountIds: z.array(z.string()) }),
});

/**
 * When an account has last changed a booking with a school, or has made one, by the clock of the two. People asks before a connection
 * ends by time: events may be late.
 */
export const findOwnChange = rpc('booking.findOwnChange', {
  kind: 'read',
  callers: ['people'],
  input: z.strictObject({ schoolId: id('acct'), accountId: id('acct') }),
  output: z.object({ changedAt: z.string().nullable() }),
});

/** What an account lets the requesting school charge, for each booking on which something is due. */
export const describeConsents = rpc('booking.describeConsents', {
  kind: 'read',
  callers: ['people'],
  input: z.strictObject({ accountId: id('acct') }),
  output: z.object({
    consents: z.array(
      z.object({
        bookingId: z.string(),
        currency: z.string(),
        agreedCents: z.int(),
        usedCents: z.int(),
        leftCents: z.int(),
      }),
    ),
  }),
});

/**
 * What each of these accounts owes the requesting school on bookings, by currency, and how much of it is overdue `now`, which is by the
 * later clock of the two.
 */
export const describeDues = rpc('booking.describeDues', {
  kind: 'read',
  callers: ['people'],
  input: z.strictObject({ accounts: z.array(z.strictObject({ id: id('acct'), now: timestamp })).max(100) }),
  output: z.object({
    dues: z.array(
      z.object({
        accountId: z.string(),
        due: z.array(z.object({ currency: z.string(), cents: z.int(), overdueCents: z.int() })),
        oldestDueAt: z.string().nullable(),
      }),
    ),
  }),
});
