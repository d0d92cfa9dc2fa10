import type { Booking, Payment, Session } from '@swim/sdk';
import { Badge, type Tone } from '../../design/badge.tsx';
import { useLanguage } from '../../texts/language.tsx';

const BOOKING: Readonly<Record<Booking['status'], Tone>> = {
  pending: 'warning',
  confirmed: 'accent',
  completed: 'success',
  cancelled: 'neutral',
  expired: 'neutral',
};
const PAID: Readonly<Record<Booking['payment_status'], Tone>> = {
  unpaid: 'warning',
  authorized: 'accent',
  partially_paid: 'warning',
  paid: 'success',
  partially_refunded: 'neutral',
  refunded: 'neutral',
  failed: 'danger',
};
const PAYMENT: Readonly<Record<Payment['status'], Tone>> = {
  pending: 'warning',
  authorized: 'accent',
  succeeded: 'success',
  partially_refunded: 'neutral',
  refunded: 'neutral',
  failed: 'danger',
  voided: 'neutral',
};
const SESSION: Readonly<Record<Session['status'], Tone>> = {
  scheduled: 'accent',
  completed: 'success',
  cancelled: 'neutral',
};

/** The state of a booking. */
export function BookingBadge({ status }: Pick<Booking, 'status'>) {
  const { t } = useLanguage();
  return <Badge tone={BOOKING[status]}>{t(`bookings.status.${status}`)}</Badge>;
}

/** How far a booking is paid. */
export function PaidBadge({ booking }: { booking: Booking }) {
  const { t } = useLanguage();
  const { payment_status: status } = booking;
  return <Badge tone={PAID[status]}>{t(`bookings.paid.${status}`)}</Badge>;
}

/** The state of a payment. */
export function PaymentBadge({ status }: Pick<Payment, 'status'>) {
  const { t } = useLanguage();
  return <Badge tone={PAYMENT[status]}>{t(`bookings.payment.${status}`)}</Badge>;
}

/** The state of a lesson; of a given one its attendance, where it is recorded. */
export function SessionBadge({ session }: { session: Session }) {
  const { t } = useLanguage();
  const { status, attendance } = session;
  const isMissed = status !== 'cancelled' && attendance === 'no_show';
  if (status === 'cancelled' || attendance === 'pending')
    return <Badge tone={SESSION[status]}>{t(`bookings.session.${status}`)}</Badge>;
  return <Badge tone={isMissed ? 'danger' : 'success'}>{t(`bookings.attendance.${attendance}`)}</Badge>;
}
