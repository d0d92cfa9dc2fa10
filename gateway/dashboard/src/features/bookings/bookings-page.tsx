import type { Booking } from '@swim/sdk';
import { Link, useSearchParams } from 'wouter';
import { useMe, useScopes } from '../../api/me.ts';
import { useInstructorNames, useMemberNames } from '../../api/names.ts';
import { useZones } from '../../api/zones.ts';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { Empty, Page } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { money } from '../../design/values/amount.ts';
import { Instant } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { BookingBadge, PaidBadge } from './badges.tsx';
import { Filters } from './booking-filters.tsx';
import { useBookings, useLiveBookings } from './bookings.ts';
import { bookingQueryOf, filtersOf, paramsOf } from './filters.ts';
import './bookings.css';

interface Known {
  readonly members: ReadonlyMap<string, string>;
  readonly instructors: ReadonlyMap<string, string>;
  readonly zoneOf: ReturnType<typeof useZones>;
}

function What({ booking, members, zoneOf }: { booking: Booking } & Pick<Known, 'members' | 'zoneOf'>) {
  const { t } = useLanguage();
  const [first] = booking.sessions;
  const names = booking.member_ids.map((id) => members.get(id) ?? t('bookings.someone'));
  return (
    <span className="stack-tight">
      <Link href={`/bookings/${booking.id}`}>{names.join(', ')}</Link>
      {first && (
        <span className="hint">
          <Instant at={first.date} timeZone={zoneOf(booking)} />
        </span>
      )}
    </span>
  );
}

const columnsOf = ({ t, tag }: Language, { members, instructors, zoneOf }: Known): Column<Booking>[] => [
  {
    key: 'what',
    title: t('bookings.booking'),
    cell: (booking) => <What booking={booking} members={members} zoneOf={zoneOf} />,
  },
  {
    key: 'instructor',
    title: t('bookings.instructor'),
    cell: ({ instructor_id: id }) => instructors.get(id) ?? '–',
  },
  {
    key: 'lessons',
    title: t('bookings.lessons'),
    isNumeric: true,
    cell: ({ session_ids: ids }) => ids.length,
  },
  { key: 'status', title: t('bookings.state'), cell: ({ status }) => <BookingBadge status={status} /> },
  { key: 'paid', title: t('bookings.payment'), cell: (booking) => <PaidBadge booking={booking} /> },
  {
    key: 'amount',
    title: t('bookings.amount'),
    isNumeric: true,
    cell: ({ amount_cents: cents, currency }) => money(cents, currency, tag),
  },
];

/** The bookings that the account may see, with filters that its address keeps. */
export default function BookingsPage() {
  const language = useLanguage();
  const { t } = language;
  const { account } = useMe();
  const [params, setParams] = useSearchParams();
  const filters = filtersOf(params);
  const pages = useBookings(bookingQueryOf(filters, account.timezone));
  useLiveBookings();
  const members = useMemberNames(pages.rows?.flatMap(({ member_ids: ids }) => ids) ?? []);
  const instructors = useInstructorNames(pages.rows?.map(({ instructor_id: id }) => id) ?? []);
  const zoneOf = useZones(pages.rows ?? []);
  const isFiltered = paramsOf(filters).size > 0;
  const book = useScopes()('bookings:write') && (
    <Link href="/bookings/new" className="button button-primary">
      <Icon name="plus" /> {t('bookings.new')}
    </Link>
  );
  const empty = isFiltered ? (
    <Empty
      title={t('bookings.noneFound')}
      action={<Button onPress={() => setParams(new URLSearchParams())}>{t('bookings.clear')}</Button>}
    />
  ) : (
    <Empty title={t('bookings.emptyTitle')} action={book}>
      {t(`bookings.empty.${account.kind}`)} <a href="/docs/first-booking">{t('bookings.guide')}</a>
    </Empty>
  );
  return (
    <Page title={t('bookings.title')} lead={t(`bookings.lead.${account.kind}`)} actions={book}>
      <Filters filters={filters} onChange={(next) => setParams(paramsOf(next), { replace: true })} />
      <PagedTable
        label={t('bookings.title')}
        pages={pages}
        empty={empty}
        rowKey={({ id }) => id}
        columns={columnsOf(language, { members, instructors, zoneOf })}
      />
    </Page>
  );
}
