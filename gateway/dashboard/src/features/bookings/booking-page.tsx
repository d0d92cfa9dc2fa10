import type { Booking } from '@swim/sdk';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { useMe, useScopes } from '../../api/me.ts';
import { useInstructorNames, useMemberNames } from '../../api/names.ts';
import { Button } from '../../design/button.tsx';
import { methodText, useMethods } from '../../design/fields/method-choice.tsx';
import { PayDialog } from '../../design/money/pay-dialog.tsx';
import { Notice } from '../../design/notice.tsx';
import { Page, Section, Shown } from '../../design/page.tsx';
import { money } from '../../design/values/amount.ts';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { BookingBadge, PaidBadge } from './badges.tsx';
import { BookingSessions } from './booking-sessions.tsx';
import { useBooking, useBookingZone, useLiveBookings } from './bookings.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { ChargeDialog } from './collect/charge-dialog.tsx';
import { MethodDialog } from './collect/method-dialog.tsx';
import { RecordDialog } from './collect/record-dialog.tsx';
import { Payments } from './payments.tsx';
import './bookings.css';

type Opened = 'pay' | 'charge' | 'record' | 'cancel' | null;

const isOpen = ({ status }: Booking) => status === 'pending' || status === 'confirmed';

/** What of the money of a booking can be done: a family pays; a school charges by consent, or records what it got. */
function Collecting({ booking, onOpen }: { booking: Booking; onOpen: (opened: Opened) => void }) {
  const { t } = useLanguage();
  const { account } = useMe();
  const can = useScopes();
  const isOwn = booking.account_id === account.id;
  if (!can('payments:write') || booking.amount_due_cents === 0 || booking.status === 'expired') return null;
  return (
    <>
      {isOwn && (
        <Button kind="primary" onPress={() => onOpen('pay')}>
          {t('bookings.pay')}
        </Button>
      )}
      {!isOwn && booking.payment_method_id && (
        <Button kind="primary" onPress={() => onOpen('charge')}>
          {t('collect.chargeAction')}
        </Button>
      )}
      {account.kind === 'school' && <Button onPress={() => onOpen('record')}>{t('collect.recordAction')}</Button>}
    </>
  );
}

function Actions({ booking }: { booking: Booking }) {
  const { t } = useLanguage();
  const can = useScopes();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  return (
    <>
      <Collecting booking={booking} onOpen={setOpened} />
      {can('bookings:write') && isOpen(booking) && (
        <Button onPress={() => setOpened('cancel')}>{t('bookings.cancel')}</Button>
      )}
      {opened === 'pay' && <PayDialog booking={booking} onClose={close} />}
      {opened === 'charge' && <ChargeDialog booking={booking} onClose={close} />}
      {opened === 'record' && <RecordDialog booking={booking} onClose={close} />}
      {opened === 'cancel' && <CancelDialog booking={booking} onClose={close} />}
    </>
  );
}

/** By which method the booking may be charged; its family sets it. */
function Method({ booking }: { booking: Booking }) {
  const { t } = useLanguage();
  const { account } = useMe();
  const canSet = useScopes()('bookings:write') && booking.account_id === account.id && account.kind === 'family';
  const { data: methods = [] } = useMethods();
  const [isOpened, setOpened] = useState(false);
  const method = methods.find(({ id }) => id === booking.payment_method_id);
  const known = method ? methodText(method) : t('collect.hasMethod');
  return (
    <div>
      <dt>{t('collect.chargedBy')}</dt>
      <dd className="row">
        {booking.payment_method_id ? known : t('collect.hasNone')}
        {canSet && (
          <Button small aria-label={t('collect.setMethod')} onPress={() => setOpened(true)}>
            {t('collect.set')}
          </Button>
        )}
      </dd>
      {isOpened && <MethodDialog booking={booking} onClose={() => setOpened(false)} />}
    </div>
  );
}

/** Amounts that most bookings do not have. */
const WHERE_SOME: readonly string[] = ['credited', 'toReturn'];

function Amounts({ booking }: { booking: Booking }) {
  const { t, tag } = useLanguage();
  const amounts = [
    ['amount', booking.amount_cents],
    ['paidAmount', booking.amount_paid_cents],
    ['credited', booking.amount_credited_cents],
    ['due', booking.amount_due_cents],
    ['toReturn', booking.amount_to_return_cents],
  ] as const;
  return amounts
    .filter(([key, cents]) => !WHERE_SOME.includes(key) || cents > 0)
    .map(([key, cents]) => (
      <div key={key}>
        <dt>{t(`bookings.${key}`)}</dt>
        <dd className="amount">{money(cents, booking.currency, tag)}</dd>
      </div>
    ));
}

function Facts({ booking }: { booking: Booking }) {
  const { t } = useLanguage();
  const { kind } = useMe().account;
  const { instructor_id: instructorId, member_ids: memberIds } = booking;
  const instructor = useInstructorNames([instructorId]).get(instructorId);
  const members = useMemberNames(memberIds);
  return (
    <div className="card stack">
      <div className="row">
        <BookingBadge status={booking.status} />
        <PaidBadge booking={booking} />
      </div>
      <dl className="facts">
        <div>
          <dt>{t('bookings.instructor')}</dt>
          <dd>
            <Link href={`/instructors/${instructorId}`}>{instructor ?? t('bookings.instructor')}</Link>
          </dd>
        </div>
        <div>
          <dt>{t(kind === 'family' ? 'nav.children' : 'bookings.members')}</dt>
          {memberIds.map((id) => (
            <dd key={id}>
              <Link href={`/members/${id}`}>{members.get(id) ?? t('bookings.someone')}</Link>
            </dd>
          ))}
        </div>
        <Amounts booking={booking} />
        {(isOpen(booking) || booking.amount_due_cents > 0) && <Method booking={booking} />}
      </dl>
      {booking.notes && <p>{booking.notes}</p>}
    </div>
  );
}

function PayUntil({ booking, at }: { booking: Booking; at: string }) {
  const { t } = useLanguage();
  const timeZone = useBookingZone(booking);
  return (
    <Notice kind="warning">
      {t('bookings.payUntil')} <Instant at={at} timeZone={timeZone} />
    </Notice>
  );
}

/** One booking: its lessons, what was paid for it, and what can be done with it. */
export default function BookingPage() {
  const { t } = useLanguage();
  const { bookingId } = useParams<{ bookingId: string }>();
  const { account } = useMe();
  const query = useBooking(bookingId);
  useLiveBookings();
  return (
    <Page
      title={t('bookings.booking')}
      lead={<Link href="/bookings">{t('bookings.title')}</Link>}
      actions={query.data && <Actions booking={query.data} />}
    >
      <Shown query={query}>
        {(booking) => (
          <>
            {booking.status === 'pending' && booking.expires_at && (
              <PayUntil booking={booking} at={booking.expires_at} />
            )}
            {booking.amount_to_return_cents > 0 && (
              <Notice kind="warning">{t(`collect.toReturn.${account.kind}`)}</Notice>
            )}
            <Facts booking={booking} />
            <Section title={t('bookings.lessons')}>
              <BookingSessions booking={booking} />
            </Section>
            <Section title={t('bookings.payments')}>
              <Payments booking={booking} />
            </Section>
          </>
        )}
      </Shown>
    </Page>
  );
}
