import { z } from 'zod';
import { id, instantText } from '../formats/formats.js';
import { rpc } from '../operations/operation.js';
import { account } from './accounts.js';

const ofAccount = z.strictObject({ account_id: id('acct') });

/**
 * Erases the requesting account in the environment of its key. A test account at once. A live one is `closing` for seven days:
 * reads and the export go on, every write is rejected with `account_closing`, and `restoreAccount` takes it back. Then its
 * lessons to come are cancelled in its name, its keys end, and what is personal goes; of payments ids, dates and amounts stay.
 * A repetition answers the same.
 */
export const eraseAccount = rpc('people.eraseAccount', {
  summary: 'Erase an account',
  description:
    'A test account is erased at once. A live one is read-only for seven days, in which it can be restored; then lessons to come are cancelled, authorized payments voided, and all personal data is deleted.',
  kind: 'write',
  whileClosing: true,
  input: ofAccount,
  output: z.object({
    erases_at: instantText.meta({
      description: 'When the erasure begins, ISO 8601 UTC; until then the account can be restored',
      examples: ['2027-03-08T16:00:00.000Z'],
    }),
  }),
  errors: ['foreign_account', 'resource_not_found'],
});

export const restoreAccount = rpc('people.restoreAccount', {
  summary: 'Restore an account',
  description: 'Takes back the erasure of an account that is closing, until its `erases_at`.',
  kind: 'write',
  whileClosing: true,
  input: ofAccount,
  output: account,
  errors: ['foreign_account', 'resource_not_found', 'invalid_state'],
});

const part = {
  kind: 'write',
  callers: ['people'],
  input: z.strictObject({ accountId: id('acct') }),
  /** Whether nothing is left. If not, the request is repeated: each erases as much as its deadline permits. */
  output: z.object({ done: z.boolean() }),
} as const;

/** Cancels an account's future lessons in its name, and removes texts. Idempotent. */
export const eraseTimesOfAccount = rpc('scheduling.eraseAccount', part);
/** Removes the texts of an account's bookings. Idempotent. */
export const eraseBookingsOfAccount = rpc('booking.eraseAccount', part);
/** Waits for an account's payments in progress and removes its methods; ids, dates and amounts stay. Idempotent. */
export const erasePaymentsOfAccount = rpc('payment.eraseAccount', part);
/** Removes an account's events; from then on none is stored for it. Idempotent. */
export const eraseEventsOfAccount = rpc('notification.eraseAccount', part);
