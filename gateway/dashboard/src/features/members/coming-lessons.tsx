import type { Session } from '@swim/sdk';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useInstructorNames } from '../../api/names.ts';
import { useZones } from '../../api/zones.ts';
import { useSessionActions } from '../../design/lessons/session-actions.tsx';
import { Empty } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { Instant } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { useComingLessons } from './members.ts';

const columnsOf = (
  { t }: Language,
  names: ReadonlyMap<string, string>,
  zoneOf: ReturnType<typeof useZones>,
  actionsOf: (session: Session) => ReactNode,
): Column<Session>[] => [
  { key: 'date', title: t('bookings.date'), cell: (lesson) => <Instant at={lesson.date} timeZone={zoneOf(lesson)} /> },
  {
    key: 'length',
    title: t('bookings.length'),
    isNumeric: true,
    cell: ({ duration_minutes: count }) => t('bookings.minutes', { count }),
  },
  {
    key: 'instructor',
    title: t('bookings.instructor'),
    cell: ({ instructor_id: id }) => names.get(id) ?? '–',
  },
  {
    key: 'booking',
    title: t('bookings.booking'),
    cell: ({ booking_id: id }) => (id ? <Link href={`/bookings/${id}`}>{t('members.open')}</Link> : '–'),
  },
  { key: 'actions', title: t('lessons.actions'), hideTitle: true, cell: actionsOf },
];

/** The lessons of a member that are to come. */
export function ComingLessons({ memberId }: { memberId: string }) {
  const language = useLanguage();
  const { t } = language;
  const pages = useComingLessons(memberId);
  const names = useInstructorNames(pages.rows?.map(({ instructor_id: id }) => id) ?? []);
  const zoneOf = useZones(pages.rows ?? []);
  const { actionsOf, dialog } = useSessionActions(pages.rows ?? []);
  return (
    <>
      <PagedTable
        label={t('members.coming')}
        pages={pages}
        empty={<Empty title={t('members.noLessons')}>{t('members.noLessonsText')}</Empty>}
        rowKey={({ id }) => id}
        columns={columnsOf(language, names, zoneOf, actionsOf)}
      />
      {dialog}
    </>
  );
}
