import type { Booking, Payment } from '@swim/sdk';
import { useState } from 'react';
import { useMe, useScopes } from '../../api/me.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Empty, Shown } from '../../design/page.tsx';
import { money } from '../../design/values/amount.ts';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { PaymentBadge } from './badges.tsx';
import { useBookingPayments, useBookingZone, usePaymentActions, useRefunds } from './bookings.ts';
import { RefundDialog } from './refund-dialog.tsx';

const REFUNDABLE: readonly Payment['status'][] = ['succeeded', 'partially_refunded'];
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
              {reason && <span className="hint">{reason}</span>}
            </li>
          ))}
        </ul>
      )}
    </Shown>
  );
}

/** The actions of a school on a payment: capture, void and refund. */
function PaymentActions({ payment }: { payment: Payment }) {
  const { t } = useLanguage();
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
        {REFUNDABLE.includes(payment.status) && !payment.disputed && (
          <Button small onPress={() => setRefunding(true)}>
            {t('bookings.giveBack')}
          </Button>
        )}
      </div>
      <ErrorNotice error={capture.error ?? release.error} />
      {isRefunding && <RefundDialog payment={payment} onClose={() => setRefunding(false)} />}
    </>
  );
}

function PaymentRow({ payment, timeZone }: { payment: Payment; timeZone: string }) {
  const { t, tag, named } = useLanguage();
  const { account } = useMe();
  const isSchool = useScopes()('payments:write') && account.kind === 'school';
  return (
    <li className="card payment">
      <div className="payment-head">
        <span className="amount">{money(payment.amount_cents, payment.currency, tag)}</span>
        <PaymentBadge status={payment.status} />
        {payment.dispute && (
          <Badge tone={payment.disputed ? 'danger' : 'success'}>
            {t(`bookings.dispute.${payment.dispute.status}`)}
          </Badge>
        )}
        <span className="hint">
          <Instant at={payment.created_at} timeZone={timeZone} />
        </span>
        {isSchool && <PaymentActions payment={payment} />}
      </div>
      {payment.failure_code && <p className="hint">{named('bookings.failure', payment.failure_code)}</p>}
      {(payment.refunded_cents > 0 || REFUNDED.includes(payment.status)) && (
        <Refunds payment={payment} timeZone={timeZone} />
      )}
    </li>
  );
}

/** The payments of a booking, with what was given back of each. */
export function Payments({ booking }: { booking: Booking }) {
  const { t } = useLanguage();
  const query = useBookingPayments(booking.id);
  const timeZone = useBookingZone(booking);
  return (
    <Shown query={query}>
      {(payments) =>
        payments.length === 0 ? (
          <Empty title={t('bookings.noPayments')}>{t('bookings.noPaymentsText')}</Empty>
        ) : (
          <ul className="plain-list stack">
            {payments.map((payment) => (
              <PaymentRow key={payment.id} payment={payment} timeZone={timeZone} />
            ))}
          </ul>
        )
      }
    </Shown>
  );
}
