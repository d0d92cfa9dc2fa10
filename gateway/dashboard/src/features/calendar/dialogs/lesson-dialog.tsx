import type { Session } from '@swim/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useClient } from '../../../api/environment.tsx';
import { useMe, useScopes } from '../../../api/me.ts';
import { Badge, type Tone } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Dialog, DialogActions } from '../../../design/dialog.tsx';
import { Choice } from '../../../design/fields/fields.tsx';
import { ErrorNotice } from '../../../design/notice.tsx';
import { money } from '../../../design/values/amount.ts';
import { Instant } from '../../../design/values/when.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { useRefresh } from '../calendar-data.ts';
import type { Lesson, LessonState } from '../layout/layout.ts';

const TONES: Readonly<Record<LessonState, Tone>> = {
  scheduled: 'accent',
  attended: 'success',
  no_show: 'danger',
  excused: 'warning',
  cancelled: 'neutral',
};
const ATTENDANCES = ['pending', 'attended', 'no_show', 'excused'] as const;

interface LessonDialogProps {
  readonly lesson: Lesson;
  readonly instructor: string;
  readonly names: ReadonlyMap<string, string>;
  /** The present, by the clock of the account. */
  readonly nowMs: number;
  readonly onMove: (session: Session) => void;
  readonly onCancel: (session: Session) => void;
  readonly onClose: () => void;
}

function Attendance({ session }: { session: Session }) {
  const { t } = useLanguage();
  const client = useClient();
  const refresh = useRefresh();
  const record = useMutation({
    mutationFn: (attendance: Session['attendance']) => client.sessions.recordAttendance(session.id, { attendance }),
    onSuccess: refresh,
  });
  const options = ATTENDANCES.map((value) => ({ value, label: t(`attendance.${value}`) }));
  return (
    <>
      <Choice
        label={t('calendar.attendance')}
        hideLabel
        value={record.data?.attendance ?? session.attendance}
        onChange={(value) => record.mutate(value)}
        options={options}
        isDisabled={record.isPending}
      />
      <ErrorNotice error={record.error} />
    </>
  );
}

type MemberProps = Pick<LessonDialogProps, 'names' | 'onMove' | 'onCancel'> & { session: Session; hasBegun: boolean };

function Member({ session, names, hasBegun, onMove, onCancel }: MemberProps) {
  const { t, tag } = useLanguage();
  const canWrite = useScopes()('sessions:write');
  const isOpen = session.status === 'scheduled';
  return (
    <li className="lesson-member">
      <span className="stack-tight">
        <Link href={`/members/${session.member_id}`}>{names.get(session.member_id) ?? t('calendar.someone')}</Link>
        <span className="hint">{money(session.price_cents, session.currency, tag)}</span>
      </span>
      {canWrite && (
        <span className="row">
          {hasBegun && session.status !== 'cancelled' && <Attendance session={session} />}
          {isOpen && !hasBegun && (
            <>
              <Button small onPress={() => onMove(session)}>
                {t('calendar.moveMember')}
              </Button>
              <Button small onPress={() => onCancel(session)}>
                {t('calendar.cancelMember')}
              </Button>
            </>
          )}
        </span>
      )}
    </li>
  );
}

/** A lesson with its members, and what can be done with each of them; their pages have the skills to tick off. */
export function LessonDialog({ lesson, instructor, names, nowMs, onMove, onCancel, onClose }: LessonDialogProps) {
  const { t } = useLanguage();
  const { timezone } = useMe().account;
  const canReadBookings = useScopes()('bookings:read');
  const [first] = lesson.sessions;
  const hasBegun = lesson.startMs <= nowMs;
  return (
    <Dialog title={t('calendar.lesson')} isOpen onClose={onClose}>
      <div className="row">
        <Badge tone={TONES[lesson.state]}>{t(`lesson.${lesson.state}`)}</Badge>
        <strong>
          <Instant at={first!.date} timeZone={timezone} />
        </strong>
        <span className="hint">
          {t('calendar.minutes', { count: lesson.minutes })} · {instructor}
        </span>
      </div>
      <ul className="plain-list stack">
        {lesson.sessions.map((session) => (
          <Member
            key={session.id}
            session={session}
            names={names}
            hasBegun={hasBegun}
            onMove={onMove}
            onCancel={onCancel}
          />
        ))}
      </ul>
      {first!.notes && <p className="lesson-notes">{first!.notes}</p>}
      {lesson.sessions.length > 1 && <p className="hint">{t('calendar.groupHint')}</p>}
      <DialogActions>
        {first!.booking_id && canReadBookings && (
          <Link href={`/bookings/${first!.booking_id}`} className="button">
            {t('bookings.show')}
          </Link>
        )}
        <Button onPress={onClose}>{t('action.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
