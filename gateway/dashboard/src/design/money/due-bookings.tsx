import type { Booking, Query } from '@swim/sdk';
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
/** Bookings among which is searched for what is due, the newest first. */
const MOST_BOOKINGS = 500;

type Read = (query: Query<'listBookings'>) => AsyncIterable<Booking>;

/** Those of the newest bookings that a query finds on which something is due. */
async function dueOf(read: Read, query: Query<'listBookings'>): Promise<Booking[]> {
  const due: Booking[] = [];
  let count = 0;
  for await (const booking of read({ ...query, limit: MOST })) {
    count += 1;
    if (booking.amount_due_cents > 0 && booking.status !== 'expired') due.push(booking);
    if (count === MOST_BOOKINGS) break;
  }
  return due;
}

/** The bookings on which something is due, the oldest first: those of some members, else all that the account may read. */
export function useDueBookings(memberIds?: readonly string[]) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'bookings', 'due', memberIds],
    queryFn: async ({ signal }): Promise<Booking[]> => {
      const read: Read = (query) => client.bookings.list(query, { signal });
      const queries = memberIds?.map((id) => ({ member_id: id })) ?? [{}];
      const found = (await Promise.all(queries.map((query) => dueOf(read, query)))).flat();
      const unique = new Map(found.map((booking) => [booking.id, booking]));
      return [...unique.values()].sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
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
