import { ConflictError, type Lesson } from '@swim/sdk';
import { useMemberNames } from '../../api/names.ts';
import { useLanguage } from '../../texts/language.tsx';
import { ErrorNotice, Notice } from '../notice.tsx';

interface LessonProblemProps {
  readonly error: unknown;
  readonly lesson: Pick<Lesson, 'sessions'>;
}

/** The member of a lesson who is busy at the time to which it was to be moved. */
function busyMemberOf(error: unknown, { sessions }: Pick<Lesson, 'sessions'>): string | undefined {
  if (!(error instanceof ConflictError) || error.details.reason !== 'member_busy') return undefined;
  const { session_id: busy } = error.details as { session_id?: string };
  return sessions.find(({ id }) => id === busy)?.member_id;
}

/** Why a lesson cannot be changed; with the name of a member who is busy. */
export function LessonProblem({ error, lesson }: LessonProblemProps) {
  const { t } = useLanguage();
  const busy = busyMemberOf(error, lesson);
  const name = useMemberNames(busy ? [busy] : []).get(busy ?? '');
  if (!busy || !name) return <ErrorNotice error={error} />;
  return <Notice kind="danger">{t('lessons.memberBusy', { name })}</Notice>;
}
