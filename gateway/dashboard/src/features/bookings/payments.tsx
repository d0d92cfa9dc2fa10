import type { Booking, Payment } from '@swim/sdk';
import { useState } from 'react';
import { useMe, useScopes } from '../../api/me.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Authentication } from '../../design/money/authentication.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Empty, Shown } from '../../design/page.tsx';
import { money } from '../../design/values/amount.ts';
import { DayAt, Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { PaymentBadge } from './badges.tsx';
import { useBookingPayments, useBookingZone, usePaymentActions, useRefunds } from './bookings.ts';
import { useCreditsGiven } from './collect/collect.ts';
import { RefundDialog } from './refund-dialog.tsx';

const REFUNDABLE: readonly Payment['status'][] = ['succeeded', 'partially_refunded'];
/** The reason that the API gives to a refund that follows from a cancellation or a lower price; others are typed. */
const BY_ITSELF = 'Less is due for the booking than was paid.';
const REFUNDED: readonly Payment['status'][] = ['partially_refunded', 'refunded'];

function Refunds({ payment, timeZone }: { payment: Payment; timeZone: string }) {
  const { t, tag } = useLanguage();
  const query = useRefunds(payment.booking_id, payment);
  return (
    <Shown query={query}>
      {(refunds) => (
        <ul className="plain-list refunds" aria-label={t('bookings.refunds')}>
          {refunds.map(({ id, amount_cents: cents, currency, reason, status, created_at: at }) => (
            <li key={id}>
              <span className="amount">−{money(cents, currency, tag)}</span>
              <span>{t(`bookings.refundState.${status}`)}</span>
              <span className="hint">
                <Instant at={at} timeZone={timeZone} />
              </span>
              {reason && <span className="hint">{reason === BY_ITSELF ? t('bookings.refundByItself') : reason}</span>}
            </li>
          ))}
        </ul>
      )}
    </Shown>
  );
}

/** The actions of a school on a payment: capture, void and refund. */
function PaymentActions({ payment, booking }: { payment: Payment; booking: Booking }) {
  const { t } = useLanguage();
  const { amount_paid_cents: paidCents, amount_to_return_cents: toReturnCents } = booking;
  // A makeup credit may have been given in place of the money.
  const isLeft = paidCents > 0 || toReturnCents > 0;
  const [isRefunding, setRefunding] = useState(false);
  const { capture, release } = usePaymentActions(payment);
  const isBusy = capture.isPending || release.isPending;
  return (
    <>
      <div className="row payment-actions">
        {payment.status === 'authorized' && (
          <>
            <Button small isPending={capture.isPending} isDisabled={isBusy} onPress={() => capture.mutate()}>
              {t('bookings.capture')}
            </Button>
            <Button small isPending={release.isPending} isDisabled={isBusy} onPress={() => release.mutate()}>
              {t('bookings.void')}
            </Button>
          </>
        )}
        {REFUNDABLE.includes(payment.status) && !payment.disputed && isLeft && (
          <Button small onPress={() => setRefunding(true)}>
            {t(payment.method === 'card' ? 'bookings.giveBack' : 'collect.recordRefund')}
          </Button>
        )}
      </div>
      <ErrorNotice error={capture.error ?? release.error} />
      {isRefunding && (
        <RefundDialog payment={payment} toReturnCents={toReturnCents} onClose={() => setRefunding(false)} />
      )}
    </>
  );
}

function PaymentRow({ payment, booking, timeZone }: { payment: Payment; booking: Booking; timeZone: string }) {
  const { t, tag, named } = useLanguage();
  const { account } = useMe();
  const isSchool = useScopes()('payments:write') && account.kind === 'school';
  return (
    <li className="card payment">
      <div className="payment-head">
        <span className="amount">{money(payment.amount_cents, payment.currency, tag)}</span>
        <PaymentBadge status={payment.status} />
        <span>{t(`collect.method.${payment.method}`)}</span>
        {payment.reference && <span className="hint">{payment.reference}</span>}
        {payment.dispute && (
          <Badge tone={payment.disputed ? 'danger' : 'success'}>
            {t(`bookings.dispute.${payment.dispute.status}`)}
          </Badge>
        )}
        <span className="hint">
          <Instant at={payment.created_at} timeZone={timeZone} />
        </span>
        {isSchool && <PaymentActions payment={payment} booking={booking} />}
      </div>
      {payment.next_action && <Authentication payment={payment} />}
      {payment.failure_code && <p className="hint">{named('bookings.failure', payment.failure_code)}</p>}
      {(payment.refunded_cents > 0 || REFUNDED.includes(payment.status)) && (
        <Refunds payment={payment} timeZone={timeZone} />
      )}
    </li>
  );
}

/** Makeup credits that were given in place of a refund, or for an excused lesson. */
function CreditsGiven({ booking }: { booking: Booking }) {
  const { t, tag } = useLanguage();
  const credits = useCreditsGiven(booking);
  if (credits.length === 0) return null;
  return (
    <ul className="plain-list stack" aria-label={t('credits.title')}>
      {credits.map(({ id, issued_cents: cents, amount_cents: left, currency, expires_at: at }) => (
        <li key={id} className="card payment-head">
          <span className="amount">{money(cents, currency, tag)}</span>
          <Badge tone="accent">{t('credits.use')}</Badge>
          <span>{t('credits.left', { amount: money(left, currency, tag) })}</span>
          <span className="hint">
            {t('methods.expires')} <DayAt at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What a makeup credit pays of a booking. */
function CreditSpent({ booking: { amount_credited_cents: cents, currency } }: { booking: Booking }) {
  const { t, tag } = useLanguage();
  return (
    <p className="card payment-head">
      <span className="amount">{money(cents, currency, tag)}</span>
      <Badge tone="success">{t('bookings.credited')}</Badge>
    </p>
  );
}

/** The payments of a booking, with what was given back of each. */
export function Payments({ booking }: { booking: Booking }) {
  const { t } = useLanguage();
  const query = useBookingPayments(booking.id);
  const timeZone = useBookingZone(booking);
  const isCredited = booking.amount_credited_cents > 0;
  return (
    <>
      <CreditsGiven booking={booking} />
      {isCredited && <CreditSpent booking={booking} />}
      <Shown query={query}>
        {(payments) =>
          payments.length === 0 ? (
            !isCredited && <Empty title={t('bookings.noPayments')}>{t('bookings.noPaymentsText')}</Empty>
          ) : (
            <ul className="plain-list stack">
              {payments.map((payment) => (
                <PaymentRow key={payment.id} payment={payment} booking={booking} timeZone={timeZone} />
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  );
}
