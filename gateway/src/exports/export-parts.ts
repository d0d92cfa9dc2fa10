import {
  listAccessLog,
  listBookings,
  listEvents,
  listKeys,
  listMembers,
  listOwnHolds,
  listOwnInstructors,
  listOwnPools,
  listOwnReviews,
  listPaymentMethods,
  listPayments,
  listSessions,
  listWaitlist,
  type Operation,
  type Scope,
} from '@swim/contracts';

/** One list of an account's export: the operation that answers it and the scope that it needs by itself. */
export interface ExportPart {
  readonly name: string;
  readonly operation: Operation;
  readonly scope: Scope;
  /** Whether the list takes the account's id; the others are of the caller. */
  readonly byAccount: boolean;
}

const part = (name: string, operation: Operation, scope: Scope, byAccount = true): ExportPart => ({
  name,
  operation,
  scope,
  byAccount,
});

/** The lists of an export, in the order in which they are written. */
export const EXPORT_PARTS: readonly ExportPart[] = [
  part('keys', listKeys, 'keys:read'),
  part('members', listMembers, 'members:read'),
  part('instructors', listOwnInstructors, 'instructors:read'),
  part('reviews', listOwnReviews, 'instructors:read'),
  part('pools', listOwnPools, 'instructors:read'),
  part('sessions', listSessions, 'sessions:read', false),
  part('holds', listOwnHolds, 'bookings:read'),
  part('waitlist', listWaitlist, 'bookings:read', false),
  part('bookings', listBookings, 'bookings:read'),
  part('payment_methods', listPaymentMethods, 'payments:read'),
  part('payments', listPayments, 'payments:read'),
  part('access_log', listAccessLog, 'accounts:read'),
  part('events', listEvents, 'events:read', false),
];
