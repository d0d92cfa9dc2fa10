import type { Booking, Session } from '@swim/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useMe, useScopes } from '../../api/me.ts';
import { useInstructorNames, useMemberNames, usePoolNames } from '../../api/names.ts';
import { useZones } from '../../api/zones.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { OfChildren } from '../../design/lessons/child-tabs.tsx';
import type { Child } from '../../design/lessons/open-lessons.ts';
import { useSessionActions } from '../../design/lessons/session-actions.tsx';
import { DueBookings, useDueBookings } from '../../design/money/due-bookings.tsx';
import { PayDialog } from '../../design/money/pay-dialog.tsx';
import { Empty, Page, Section, Shown } from '../../design/page.tsx';
import { Table } from '../../design/tables/table.tsx';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useLiveHome, useNextLessons } from './home.ts';
import './home.css';

const MOST_SHOWN = 10;

function ChildCard({ child: { id, name, level }, next }: { child: Child; next: Session | undefined }) {
  const { t } = useLanguage();
  const canBook = useScopes()('bookings:write');
  const zoneOf = useZones(next ? [next] : []);
  return (
    <li className="card stack">
      <div className="row child-name">
        <Link href={`/members/${id}`}>{name}</Link>
        <Badge tone="accent">{t(`level.${level}`)}</Badge>
      </div>
      <p>
        {next ? (
          <>
            <span className="hint">{t('classes.next')}:</span> <Instant at={next.date} timeZone={zoneOf(next)} />
          </>
        ) : (
          <span className="hint">{t('members.noLessons')}</span>
        )}
      </p>
      {canBook && (
        <div className="row">
          <Link
            href={`/bookings/new?member=${id}`}
            className="button button-primary button-small"
            aria-label={t('home.bookFor', { name })}
          >
            {t('bookings.book')}
          </Link>
          <Link
            href={`/classes?child=${id}`}
            className="button button-secondary button-small"
            aria-label={t('home.classesFor', { name })}
          >
            {t('classes.title')}
          </Link>
        </div>
      )}
    </li>
  );
}

interface NextProps {
  readonly sessions: readonly Session[];
  readonly nameOf: (id: string) => string;
}

function NextLessons({ sessions, nameOf }: NextProps) {
  const { t } = useLanguage();
  const zoneOf = useZones(sessions);
  const instructors = useInstructorNames(sessions.map(({ instructor_id: id }) => id));
  const pools = usePoolNames(sessions.flatMap(({ location }) => location?.pool_id ?? []));
  const { actionsOf, dialog } = useSessionActions(sessions);
  const whenOf = (session: Session) => (
    <span className="stack-tight">
      <Instant at={session.date} timeZone={zoneOf(session)} />
      <span className="hint">{t('bookings.minutes', { count: session.duration_minutes })}</span>
    </span>
  );
  const whereOf = ({ instructor_id: id, location }: Session) => (
    <span className="stack-tight">
      <span>{instructors.get(id) ?? '–'}</span>
      {location?.pool_id && <span className="hint">{pools.get(location.pool_id)}</span>}
    </span>
  );
  if (sessions.length === 0) return <Empty title={t('members.noLessons')}>{t('members.noLessonsText')}</Empty>;
  return (
    <>
      <Table
        label={t('home.next')}
        rows={sessions}
        rowKey={({ id }) => id}
        columns={[
          { key: 'when', title: t('bookings.date'), cell: whenOf },
          { key: 'member', title: t('open.child'), cell: ({ member_id: id }) => nameOf(id) },
          { key: 'who', title: t('bookings.instructor'), cell: whereOf },
          { key: 'actions', title: t('lessons.actions'), hideTitle: true, cell: actionsOf },
        ]}
      />
      {dialog}
    </>
  );
}

function Due({ bookings, nameOf }: { bookings: readonly Booking[]; nameOf: (id: string) => string }) {
  const { t } = useLanguage();
  const { account } = useMe();
  const canPay = useScopes()('payments:write');
  const [paid, setPaid] = useState<Booking | null>(null);
  const namesOf = ({ member_ids: ids }: Booking) => ids.map(nameOf).join(', ');
  const payOf = (booking: Booking): ReactNode =>
    canPay &&
    booking.account_id === account.id && (
      <Button
        small
        kind="primary"
        aria-label={t('home.payNamed', { name: namesOf(booking) })}
        onPress={() => setPaid(booking)}
      >
        {t('bookings.pay')}
      </Button>
    );
  return (
    <>
      <DueBookings bookings={bookings} namesOf={namesOf} actionOf={payOf} />
      {paid && <PayDialog booking={paid} onClose={() => setPaid(null)} />}
    </>
  );
}

/** The first page of a family: its children, what is due, and its next lessons. */
export default function HomePage() {
  const { t } = useLanguage();
  const { account } = useMe();
  useLiveHome();
  const lessons = useNextLessons();
  const due = useDueBookings();
  const sessions = lessons.data ?? [];
  const names = useMemberNames([
    ...sessions.map(({ member_id: id }) => id),
    ...(due.data ?? []).flatMap(({ member_ids: ids }) => ids),
  ]);
  const nameOf = (id: string) => names.get(id) ?? t('bookings.someone');
  return (
    <Page title={account.name}>
      <OfChildren>
        {(children) => (
          <ul className="plain-list home-children" aria-label={t('nav.children')}>
            {children.map((child) => (
              <ChildCard key={child.id} child={child} next={sessions.find(({ member_id: id }) => id === child.id)} />
            ))}
          </ul>
        )}
      </OfChildren>
      {due.data && due.data.length > 0 && (
        <Section title={t('home.due')}>
          <Due bookings={due.data} nameOf={nameOf} />
        </Section>
      )}
      <Section title={t('home.next')} actions={<Link href="/bookings">{t('members.bookings')}</Link>}>
        <Shown query={lessons}>{(all) => <NextLessons sessions={all.slice(0, MOST_SHOWN)} nameOf={nameOf} />}</Shown>
      </Section>
    </Page>
  );
}
