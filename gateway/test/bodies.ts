import { newId } from '@swim/platform';

/** A session as POST /v1/sessions takes it. */
export const lesson = (more: object = {}) => ({
  instructor_id: newId('ins'),
  member_id: newId('mem'),
  date: '2099-01-01T10:00:00Z',
  duration_minutes: 30,
  ...more,
});

/** A booking as POST /v1/bookings takes it. */
export const booking = (more: object = {}) => ({
  instructor_id: newId('ins'),
  member_ids: [newId('mem')],
  sessions: [{ date: '2099-01-01T10:00:00Z', duration_minutes: 30 }],
  ...more,
});

/** A payment as POST /v1/payments takes it. */
export const payment = (more: object = {}) => ({
  booking_id: newId('bkg'),
  payment_method_id: newId('pm'),
  amount_cents: 100,
  currency: 'USD',
  ...more,
});
