import type { WaitlistEntry } from '@swim/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useMe, useScopes } from '../../api/me.ts';
import { useClassNames, useInstructorNames, useMemberNames } from '../../api/names.ts';
import { useZones } from '../../api/zones.ts';
import { Badge, type Tone } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Empty, Page } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { Instant } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { JoinDialog } from './join-dialog.tsx';
import { useWaitlist, useWaitlistActions } from './waitlist.ts';

const TONES: Readonly<Record<WaitlistEntry['status'], Tone>> = {
  waiting: 'accent',
  offered: 'warning',
  accepted: 'success',
  expired: 'neutral',
};

interface Known {
  readonly members: ReadonlyMap<string, string>;
  readonly instructors: ReadonlyMap<string, string>;
  readonly classOf: (entry: WaitlistEntry) => ReactNode;
  readonly zoneOf: ReturnType<typeof useZones>;
  readonly leaveOf: (entry: WaitlistEntry) => ReactNode;
  readonly isSchool: boolean;
}

function State({ entry, timeZone }: { entry: WaitlistEntry; timeZone: string }) {
  const { t } = useLanguage();
  const { status, offer, lesson_id: lessonId, member_id: memberId } = entry;
  return (
    <span className="stack-tight">
      <span>
        <Badge tone={TONES[status]}>{t(`waitlist.status.${status}`)}</Badge>
      </span>
      {status === 'offered' && offer && (
        <span className="hint">
          {t('waitlist.offer')} <Instant at={offer.date} timeZone={timeZone} />, {t('waitlist.until')}{' '}
          <Instant at={offer.expires_at} timeZone={timeZone} />{' '}
          {lessonId && <Link href={`/open-lessons?child=${memberId}`}>{t('bookings.book')}</Link>}
        </span>
      )}
    </span>
  );
}

const columnsOf = (
  { t }: Language,
  { members, instructors, classOf, zoneOf, leaveOf, isSchool }: Known,
): Column<WaitlistEntry>[] => [
  {
    key: 'member',
    title: t(isSchool ? 'bookings.member' : 'open.child'),
    cell: ({ member_id: id }) => <Link href={`/members/${id}`}>{members.get(id) ?? t('bookings.someone')}</Link>,
  },
  { key: 'class', title: t('classes.class'), cell: classOf },
  { key: 'instructor', title: t('bookings.instructor'), cell: ({ instructor_id: id }) => instructors.get(id) ?? '–' },
  {
    key: 'between',
    title: t('waitlist.between'),
    cell: (entry) => (
      <>
        <Instant at={entry.date_from} timeZone={zoneOf(entry)} /> –{' '}
        <Instant at={entry.date_to} timeZone={zoneOf(entry)} />
      </>
    ),
  },
  {
    key: 'length',
    title: t('bookings.length'),
    isNumeric: true,
    cell: ({ duration_minutes: count }) => t('bookings.minutes', { count }),
  },
  { key: 'state', title: t('bookings.state'), cell: (entry) => <State entry={entry} timeZone={zoneOf(entry)} /> },
  { key: 'leave', title: t('waitlist.leave'), hideTitle: true, cell: leaveOf },
];

/** The entries of the waitlist, newest first. */
export default function WaitlistPage() {
  const language = useLanguage();
  const { t } = language;
  const { account } = useMe();
  const isSchool = account.kind === 'school';
  const canWrite = useScopes()('bookings:write');
  const [isJoining, setJoining] = useState(false);
  const { leave } = useWaitlistActions();
  const pages = useWaitlist();
  const members = useMemberNames(pages.rows?.map(({ member_id: id }) => id) ?? []);
  const instructors = useInstructorNames(pages.rows?.map(({ instructor_id: id }) => id) ?? []);
  const classes = useClassNames(pages.rows?.flatMap(({ class_id: id }) => id ?? []) ?? []);
  const classOf = ({ class_id: id }: WaitlistEntry) =>
    id && (isSchool ? <Link href={`/classes/${id}`}>{classes.get(id) ?? '–'}</Link> : classes.get(id));
  const zoneOf = useZones(pages.rows ?? []);
  const join = canWrite && (
    <Button kind="primary" onPress={() => setJoining(true)}>
      <Icon name="plus" /> {t('waitlist.join')}
    </Button>
  );
  const isOwnOpen = (entry: WaitlistEntry) =>
    canWrite && entry.account_id === account.id && ['waiting', 'offered'].includes(entry.status);
  const leaveOf = (entry: WaitlistEntry) =>
    isOwnOpen(entry) && (
      <Button small isDisabled={leave.isPending} onPress={() => leave.mutate(entry.id)}>
        {t('waitlist.leave')}
      </Button>
    );
  return (
    <Page title={t('waitlist.title')} lead={t('waitlist.lead')} actions={join}>
      <ErrorNotice error={leave.error} />
      <PagedTable
        label={t('waitlist.title')}
        pages={pages}
        empty={
          <Empty title={t('waitlist.emptyTitle')} action={join}>
            {t(isSchool ? 'waitlist.emptyOfSchool' : 'waitlist.empty')}
          </Empty>
        }
        rowKey={({ id }) => id}
        columns={columnsOf(language, { members, instructors, classOf, zoneOf, leaveOf, isSchool })}
      />
      {isJoining && <JoinDialog onClose={() => setJoining(false)} />}
    </Page>
  );
}
