import type { Session, Lesson as StoredLesson } from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useClient, useEnvironment } from '../../../api/environment.tsx';
import { hasPlaces, takingPart } from '../../../api/lessons.ts';
import { useMe, useScopes } from '../../../api/me.ts';
import { Badge, type Tone } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Dialog, DialogActions } from '../../../design/dialog.tsx';
import { Choice } from '../../../design/fields/fields.tsx';
import { ErrorNotice } from '../../../design/notice.tsx';
import { Shown } from '../../../design/page.tsx';
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
  readonly onMove: (lesson: StoredLesson) => void;
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

type MemberProps = Pick<LessonDialogProps, 'names' | 'onCancel'> & { session: Session; hasBegun: boolean };

function Member({ session, names, hasBegun, onCancel }: MemberProps) {
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
            <Button small onPress={() => onCancel(session)}>
              {t('calendar.cancelMember')}
            </Button>
          )}
        </span>
      )}
    </li>
  );
}

/** Most ids in one request. */
const MOST = 100;

/** Who takes part in a lesson: the lesson itself has neither prices nor bookings of its members. */
function useParticipants(lesson: StoredLesson) {
  const client = useClient();
  const environment = useEnvironment();
  const ids = takingPart(lesson)
    .map(({ id }) => id)
    .slice(0, MOST);
  return useQuery({
    queryKey: [environment, 'calendar', 'lessons', 'participants', ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => (await client.sessions.list({ ids: ids.join(), limit: MOST }, { signal })).data,
  });
}

interface ActionsProps extends Pick<LessonDialogProps, 'onMove' | 'onClose'> {
  readonly stored: StoredLesson;
  readonly bookingId: string | null | undefined;
  readonly mayMove: boolean;
}

function Actions({ stored, bookingId, mayMove, onMove, onClose }: ActionsProps) {
  const { t } = useLanguage();
  const can = useScopes();
  return (
    <DialogActions>
      {bookingId && can('bookings:read') && !stored.bookable && (
        <Link href={`/bookings/${bookingId}`} className="button button-secondary">
          {t('bookings.show')}
        </Link>
      )}
      <Button onPress={onClose}>{t('action.close')}</Button>
      {mayMove && can('sessions:write') && <Button onPress={() => onMove(stored)}>{t('calendar.moveMember')}</Button>}
      <Link href={`/lessons/${stored.id}`} className="button button-primary">
        {t('lessons.open')}
      </Link>
    </DialogActions>
  );
}

/** A lesson with its members, and what can be done with each of them; their pages have the skills to tick off. */
export function LessonDialog({ lesson, instructor, names, nowMs, onMove, onCancel, onClose }: LessonDialogProps) {
  const { t } = useLanguage();
  const { timezone } = useMe().account;
  const { stored } = lesson;
  const participants = useParticipants(stored);
  const [first] = participants.data ?? [];
  const hasBegun = lesson.startMs <= nowMs;
  return (
    <Dialog title={t('calendar.lesson')} isOpen onClose={onClose}>
      <div className="row">
        <Badge tone={TONES[lesson.state]}>{t(`lesson.${lesson.state}`)}</Badge>
        <strong>
          <Instant at={stored.date} timeZone={timezone} />
        </strong>
        <span className="hint">
          {t('calendar.minutes', { count: lesson.minutes })} · {instructor}
        </span>
        {hasPlaces(stored) && (
          <span className="hint">
            {t('lessons.taken', { count: lesson.memberIds.length, capacity: stored.capacity })}
          </span>
        )}
      </div>
      {lesson.memberIds.length > 0 && (
        <Shown query={participants}>
          {(sessions) => (
            <ul className="plain-list stack">
              {sessions.map((session) => (
                <Member key={session.id} session={session} names={names} hasBegun={hasBegun} onCancel={onCancel} />
              ))}
            </ul>
          )}
        </Shown>
      )}
      {first?.notes && <p className="lesson-notes">{first.notes}</p>}
      <Actions
        stored={stored}
        bookingId={first?.booking_id}
        mayMove={stored.status === 'scheduled' && !hasBegun}
        onMove={onMove}
        onClose={onClose}
      />
    </Dialog>
  );
}
