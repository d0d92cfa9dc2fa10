import type { AccountEvent } from '@swim/sdk';

/** An object, so that a type of event that it lacks does not compile. */
const TYPES: Readonly<Record<Exclude<AccountEvent['type'], 'ping'>, true>> = {
  'booking.created': true,
  'booking.confirmed': true,
  'booking.cancelled': true,
  'booking.completed': true,
  'booking.expired': true,
  'session.created': true,
  'session.updated': true,
  'session.rescheduled': true,
  'session.cancelled': true,
  'session.completed': true,
  'session.attendance_recorded': true,
  'session.reminder': true,
  'payment.authorized': true,
  'payment.succeeded': true,
  'payment.failed': true,
  'payment.voided': true,
  'payment.refunded': true,
  'payment.disputed': true,
  'payment.dispute_closed': true,
  'payment_method.added': true,
  'payment_method.removed': true,
  'member.created': true,
  'member.updated': true,
  'member.progress_updated': true,
  'member.level_advanced': true,
  'member.erased': true,
  'instructor.created': true,
  'instructor.updated': true,
  'review.created': true,
  'waitlist.joined': true,
  'waitlist.offered': true,
  'waitlist.accepted': true,
  'waitlist.expired': true,
  'webhook_endpoint.disabled': true,
};

/** The types of event to which an endpoint can subscribe. */
export const EVENT_TYPES: readonly string[] = Object.keys(TYPES);
