import type { Lesson, Roster as StoredRoster } from '@swim/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useScopes } from '../../../api/me.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Choice } from '../../../design/fields/fields.tsx';
import { CancelSessionDialog } from '../../../design/lessons/cancel-session-dialog.tsx';
import { ErrorNotice, Notice } from '../../../design/notice.tsx';
import { Empty, Shown } from '../../../design/page.tsx';
import { type Column, Table } from '../../../design/tables/table.tsx';
import { type Language, useLanguage } from '../../../texts/language.tsx';
import { useLessonActions, useRefreshLessons, useRosterOf } from '../lessons.ts';
import { MoveMemberDialog } from './move-member-dialog.tsx';

type Pupil = StoredRoster['lessons'][number]['sessions'][number];

const ATTENDANCES = ['pending', 'attended', 'no_show', 'excused'] as const;

function Attendance({ pupil, lesson }: { pupil: Pupil; lesson: Lesson }) {
  const { t, rejected } = useLanguage();
  const { record } = useLessonActions(lesson);
  const reason = record.data?.status === 'rejected' ? record.data.reason : undefined;
  return (
    <span className="stack-tight">
      <Choice
        label={t('calendar.attendance')}
        hideLabel
        value={pupil.attendance}
        onChange={(attendance) => record.mutate({ session_id: pupil.session_id, attendance })}
        options={ATTENDANCES.map((value) => ({ value, label: t(`attendance.${value}`) }))}
        isDisabled={record.isPending}
      />
      {reason && <Notice kind="danger">{rejected({ reason, message: reason.replaceAll('_', ' ') })}</Notice>}
      <ErrorNotice error={record.error} />
    </span>
  );
}

const memberColumn = ({ t }: Language): Column<Pupil> => ({
  key: 'member',
  title: t('bookings.member'),
  cell: ({ member_id: id, name, has_medical_notes: hasNotes, first_lesson_with_school: isFirst }) => (
    <span className="row">
      <Link href={`/members/${id}`}>{name ?? t('calendar.someone')}</Link>
      {hasNotes && <Badge tone="danger">{t('lessons.medical')}</Badge>}
      {isFirst && <Badge tone="accent">{t('lessons.first')}</Badge>}
    </span>
  ),
});

interface Shows {
  readonly attendanceOf: (pupil: Pupil) => ReactNode;
  readonly actionsOf: (pupil: Pupil) => ReactNode;
}

const columnsOf = (language: Language, { attendanceOf, actionsOf }: Shows): Column<Pupil>[] => {
  const { t } = language;
  return [
    memberColumn(language),
    { key: 'age', title: t('lessons.age'), isNumeric: true, cell: ({ age_years: age }) => age },
    {
      key: 'level',
      title: t('members.level'),
      cell: ({ swimming_level: level }) => level && t(`level.${level}`),
    },
    { key: 'attendance', title: t('calendar.attendance'), cell: attendanceOf },
    { key: 'actions', title: t('lessons.actions'), hideTitle: true, cell: actionsOf },
  ];
};

type Opened = { readonly dialog: 'move' | 'remove'; readonly pupil: Pupil } | null;

function RowActions({ pupil, onOpen }: { pupil: Pupil; onOpen: (opened: Opened) => void }) {
  const { t } = useLanguage();
  const name = pupil.name ?? t('calendar.someone');
  return (
    <span className="row">
      <Button small aria-label={t('lessons.moveNamed', { name })} onPress={() => onOpen({ dialog: 'move', pupil })}>
        {t('calendar.moveMember')}
      </Button>
      <Button small aria-label={t('lessons.removeNamed', { name })} onPress={() => onOpen({ dialog: 'remove', pupil })}>
        {t('lessons.remove')}
      </Button>
    </span>
  );
}

interface RosterProps {
  readonly lesson: Lesson;
  /** The day of the lesson by the clock of its instructor. */
  readonly day: string;
  readonly hasBegun: boolean;
}

/** Who takes part in a lesson; each child can be moved to another lesson, or removed. */
export function Roster({ lesson, day, hasBegun }: RosterProps) {
  const language = useLanguage();
  const { t } = language;
  const canWrite = useScopes()('sessions:write');
  const roster = useRosterOf(lesson, day);
  const refresh = useRefreshLessons();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const attendanceOf = (pupil: Pupil) =>
    canWrite && hasBegun ? <Attendance pupil={pupil} lesson={lesson} /> : t(`attendance.${pupil.attendance}`);
  const actionsOf = (pupil: Pupil) =>
    canWrite && lesson.status === 'scheduled' && <RowActions pupil={pupil} onOpen={setOpened} />;
  return (
    <>
      <Shown query={roster}>
        {(pupils) =>
          pupils.length === 0 ? (
            <Empty title={t('lessons.nobody')} />
          ) : (
            <Table
              label={t('lessons.roster')}
              rows={pupils}
              columns={columnsOf(language, { attendanceOf, actionsOf })}
              rowKey={({ session_id: id }) => id}
            />
          )
        }
      </Shown>
      {opened?.dialog === 'move' && (
        <MoveMemberDialog
          lesson={lesson}
          sessionId={opened.pupil.session_id}
          name={opened.pupil.name ?? t('calendar.someone')}
          onClose={close}
        />
      )}
      {opened?.dialog === 'remove' && (
        <CancelSessionDialog sessionId={opened.pupil.session_id} onCancelled={refresh} onClose={close} />
      )}
    </>
  );
}
