import type { Booking, Family, Query } from '@swim/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useZones } from '../../api/zones.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Table } from '../tables/table.tsx';
import { money } from '../values/amount.ts';
import { Instant } from '../values/when.tsx';

const MOST = 100;
/** The bookings on which something is due, the oldest first: those of a family, else of all that the account may read. */
export function useDueBookings(family?: Pick<Family, 'member_ids'>) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'bookings', 'due', family?.member_ids],
    queryFn: async ({ signal }): Promise<Booking[]> => {
      const due = new Map<string, Booking>();
      const queries: Query<'listBookings'>[] = family?.member_ids.map((id) => ({ member_id: id })) ?? [{}];
      for (const query of queries) {
        const all = client.bookings.list({ ...query, due: true, limit: MOST }, { signal });
        for await (const booking of all) due.set(booking.id, booking);
      }
      return [...due.values()].sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
    },
  });
}

interface DueBookingsProps {
  readonly bookings: readonly Booking[];
  readonly namesOf: (booking: Booking) => string;
  readonly actionOf: (booking: Booking) => ReactNode;
}

/** Bookings with what is due on each of them. */
export function DueBookings({ bookings, namesOf, actionOf }: DueBookingsProps) {
  const { t, tag } = useLanguage();
  const zoneOf = useZones(bookings);
  const whatOf = (booking: Booking): ReactNode => (
    <span className="stack-tight">
      <Link href={`/bookings/${booking.id}`}>{namesOf(booking)}</Link>
      {booking.sessions[0] && (
        <span className="hint">
          <Instant at={booking.sessions[0].date} timeZone={zoneOf(booking)} />
        </span>
      )}
    </span>
  );
  return (
    <Table
      label={t('home.due')}
      rows={bookings}
      rowKey={({ id }) => id}
      columns={[
        { key: 'what', title: t('bookings.booking'), cell: whatOf },
        { key: 'count', title: t('bookings.lessons'), isNumeric: true, cell: ({ sessions }) => sessions.length },
        {
          key: 'due',
          title: t('bookings.due'),
          isNumeric: true,
          cell: ({ amount_due_cents: cents, currency }) => money(cents, currency, tag),
        },
        { key: 'pay', title: t('bookings.pay'), hideTitle: true, cell: actionOf },
      ]}
    />
  );
}
