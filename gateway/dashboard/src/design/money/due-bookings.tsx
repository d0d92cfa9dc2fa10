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
/** Bookings among which is searched where nobody knows how much is due: the newest. */
const MOST_BOOKINGS = 2_000;

/** A family of a school, and what it owes it: the search ends once that is found. */
type Owing = Pick<Family, 'member_ids' | 'due'>;

/** Whether bookings are all on which a family owes something. */
const areAll = (bookings: readonly Booking[], { due }: Owing): boolean =>
  due?.every(({ currency: of, cents }) => {
    const found = bookings.filter(({ currency }) => currency === of);
    return found.reduce((sum, { amount_due_cents: each }) => sum + each, 0) >= cents;
  }) ?? true;

/** The bookings on which something is due, the oldest first: those of a family, else of all that the account may read. */
export function useDueBookings(family?: Owing) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'bookings', 'due', family?.member_ids, family?.due],
    queryFn: async ({ signal }): Promise<Booking[]> => {
      const due = new Map<string, Booking>();
      const queries: Query<'listBookings'>[] = family?.member_ids.map((id) => ({ member_id: id })) ?? [{}];
      for (const query of queries) {
        let count = 0;
        for await (const booking of client.bookings.list({ ...query, limit: MOST }, { signal })) {
          if (family ? areAll([...due.values()], family) : count === MOST_BOOKINGS) break;
          count += 1;
          if (booking.amount_due_cents > 0 && booking.status !== 'expired') due.set(booking.id, booking);
        }
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
