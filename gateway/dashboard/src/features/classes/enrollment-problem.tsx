import { ConflictError, type Enrollment } from '@swim/sdk';
import type { ReactNode } from 'react';
import { useReasonText } from '../../design/lessons/reason-text.ts';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useClassTimes } from './class-texts.tsx';
import { useClass } from './classes.ts';

interface Suggestion {
  readonly class_id: string;
  readonly next_lesson_at: string;
}

function Suggested({ suggestion }: { suggestion: Suggestion }) {
  const { data } = useClass(suggestion.class_id);
  const timesOf = useClassTimes();
  return data && `${data.name}, ${timesOf(data)}`;
}

/** Why a child cannot be enrolled, with classes that have a place in all lessons. */
export function EnrollmentProblem({ error }: { error: unknown }): ReactNode {
  const { t } = useLanguage();
  const isFull = error instanceof ConflictError && error.details.reason === 'class_full';
  const { suggestions = [] } = isFull ? (error.details as { suggestions?: readonly Suggestion[] }) : {};
  return (
    <>
      <ErrorNotice error={error} />
      {suggestions.length > 0 && (
        <div>
          {t('open.instead')}
          <ul className="plain-list">
            {suggestions.map((each) => (
              <li key={each.class_id}>
                <Suggested suggestion={each} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** The lessons of a class in which a child gets no place. */
export function LeftOut({ skipped, timeZone }: Pick<Enrollment, 'skipped'> & { timeZone: string }) {
  const { t } = useLanguage();
  const reasonText = useReasonText();
  if (skipped.length === 0) return null;
  return (
    <Notice kind="warning">
      {t('bookings.skipped')}
      <ul className="plain-list">
        {skipped.map(({ lesson_id: id, date, reason }) => (
          <li key={id}>
            <Instant at={date} timeZone={timeZone} />: {reasonText(reason)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
