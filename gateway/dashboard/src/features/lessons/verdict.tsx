import { ConflictError } from '@swim/sdk';
import type { DryRun } from '../../api/dry-run.ts';
import { Button } from '../../design/button.tsx';
import { Checkbox } from '../../design/fields/fields.tsx';
import { LessonProblem } from '../../design/lessons/lesson-problem.tsx';
import { Notice } from '../../design/notice.tsx';
import { Loading } from '../../design/page.tsx';
import { wallClockAt } from '../../design/values/wall-clock.ts';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import type { LessonValues } from './lesson-body.ts';

interface VerdictProps {
  readonly preview: DryRun<unknown>;
  readonly values: LessonValues;
  readonly set: (changes: Partial<LessonValues>) => void;
  readonly timeZone: string;
  readonly sessions?: Parameters<typeof LessonProblem>[0]['lesson']['sessions'];
}

const detailsOf = (error: unknown) =>
  error instanceof ConflictError
    ? (error.details as { reason: string; suggestions?: readonly { date: string }[] })
    : { reason: '' };

/** The state that a lesson would have, and what can be done where that is not possible. */
export function Verdict({ preview, values, set, timeZone, sessions = [] }: VerdictProps) {
  const { t } = useLanguage();
  const { reason, suggestions = [] } = detailsOf(preview.error);
  return (
    <div className="stack-tight" aria-live="polite">
      {preview.isPending && <Loading />}
      {preview.data !== undefined && <Notice kind="success">{t('lessons.isFree')}</Notice>}
      <LessonProblem error={preview.error} lesson={{ sessions }} />
      {(reason === 'outside_availability' || values.outsideHours) && (
        <Checkbox isSelected={values.outsideHours} onChange={(outsideHours) => set({ outsideHours })}>
          {t('lessons.outsideHours')}
        </Checkbox>
      )}
      {suggestions.length > 0 && (
        <span className="row">
          {t('bookings.instead')}
          {suggestions.map(({ date }) => (
            <Button key={date} small onPress={() => set(wallClockAt(date, timeZone))}>
              <Instant at={date} timeZone={timeZone} />
            </Button>
          ))}
        </span>
      )}
    </div>
  );
}
