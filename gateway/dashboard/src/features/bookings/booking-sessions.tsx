import type { Booking, Session } from '@swim/sdk';
import { type ReactNode, useState } from 'react';
import { useMe, useScopes } from '../../api/me.ts';
import { useMemberNames } from '../../api/names.ts';
import { useZones } from '../../api/zones.ts';
import { Button } from '../../design/button.tsx';
import { useSessionActions } from '../../design/lessons/session-actions.tsx';
import { Empty } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { money } from '../../design/values/amount.ts';
import { instantText } from '../../design/values/instant-text.ts';
import { Instant } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { SessionBadge } from './badges.tsx';
import { useBookingSessions } from './bookings.ts';
import { PriceDialog } from './collect/price-dialog.tsx';

const columnsOf = (
  { t, tag }: Language,
  members: ReadonlyMap<string, string>,
  isSchool: boolean,
  zoneOf: ReturnType<typeof useZones>,
  actionsOf: (session: Session) => ReactNode,
): Column<Session>[] => [
  {
    key: 'date',
    title: t('bookings.date'),
    cell: (session) => <Instant at={session.date} timeZone={zoneOf(session)} />,
  },
  {
    key: 'member',
    title: t(isSchool ? 'bookings.member' : 'open.child'),
    cell: ({ member_id: id }) => members.get(id) ?? t('bookings.someone'),
  },
  {
    key: 'length',
    title: t('bookings.length'),
    isNumeric: true,
    cell: ({ duration_minutes: count }) => t('bookings.minutes', { count }),
  },
  { key: 'state', title: t('bookings.state'), cell: (session) => <SessionBadge session={session} /> },
  {
    key: 'price',
    title: t('bookings.price'),
    isNumeric: true,
    cell: ({ price_cents: cents, currency, price_reason: reason }) => (
      <span className="stack-tight">
        {money(cents, currency, tag)}
        {reason && <span className="hint">{reason}</span>}
      </span>
    ),
  },
  {
    key: 'fee',
    title: t('bookings.fee'),
    isNumeric: true,
    cell: ({ cancellation, currency }) =>
      cancellation && cancellation.fee_cents > 0 ? money(cancellation.fee_cents, currency, tag) : '–',
  },
  { key: 'actions', title: t('lessons.actions'), hideTitle: true, cell: actionsOf },
];

/** The lessons of a booking with their prices, and the fees of those that were cancelled. */
export function BookingSessions({ booking }: { booking: Booking }) {
  const language = useLanguage();
  const { t, tag } = language;
  const pages = useBookingSessions(booking.id);
  const members = useMemberNames(booking.member_ids);
  const zoneOf = useZones(pages.rows ?? []);
  const own = useSessionActions(pages.rows ?? []);
  const isSchool = useMe().account.kind === 'school';
  const mayPrice = useScopes()('sessions:write') && isSchool;
  const [priced, setPriced] = useState<Session | null>(null);
  const actionsOf = (session: Session): ReactNode =>
    mayPrice && session.status !== 'cancelled' ? (
      <span className="row">
        {own.actionsOf(session)}
        <Button
          small
          aria-label={t('collect.priceNamed', { when: instantText(session.date, tag, zoneOf(session)) })}
          onPress={() => setPriced(session)}
        >
          {t('collect.price')}
        </Button>
      </span>
    ) : (
      own.actionsOf(session)
    );
  return (
    <>
      <PagedTable
        label={t('bookings.lessons')}
        pages={pages}
        empty={<Empty title={t('bookings.noLessons')} />}
        rowKey={({ id }) => id}
        columns={columnsOf(language, members, isSchool, zoneOf, actionsOf)}
      />
      {own.dialog}
      {priced && <PriceDialog session={priced} onClose={() => setPriced(null)} />}
    </>
  );
}
