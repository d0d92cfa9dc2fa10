import { type Booking, ConflictError, type Lesson } from '@swim/sdk';
import { useState } from 'react';
import { useDryRun } from '../../api/dry-run.ts';
import { useClient } from '../../api/environment.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { CreditChoice, useCredits } from '../../design/fields/credit-choice.tsx';
import { useForm } from '../../design/fields/form.ts';
import { MethodChoice, useMethods } from '../../design/fields/method-choice.tsx';
import { type Child, type LessonSuggestion, suggestedLessonsOf } from '../../design/lessons/open-lessons.ts';
import { ErrorNotice } from '../../design/notice.tsx';
import { Loading } from '../../design/page.tsx';
import { money } from '../../design/values/amount.ts';
import { instantText } from '../../design/values/instant-text.ts';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { bookingOf, type ChosenLessons, useBookLessons, useReadLesson } from './open-lessons.ts';

interface Refused {
  readonly lesson_id: string;
  readonly reason: string;
}

/** The lessons that the API refuses, with the reason of each. */
function refusedOf(error: unknown): readonly Refused[] {
  if (!(error instanceof ConflictError)) return [];
  const { conflicts = [] } = error.details as { conflicts?: readonly Refused[] };
  return conflicts.filter(({ lesson_id: id }) => id);
}

interface ChosenProps {
  readonly lessons: readonly Lesson[];
  readonly refused: readonly Refused[];
  readonly zoneOf: (lesson: Lesson) => string;
  readonly onRemove: (lesson: Lesson) => void;
}

function Chosen({ lessons, refused, zoneOf, onRemove }: ChosenProps) {
  const { t, tag, rejected } = useLanguage();
  const whenText = (lesson: Lesson) => instantText(lesson.date, tag, zoneOf(lesson));
  const reasonOf = ({ id }: Lesson) => refused.find(({ lesson_id: each }) => each === id)?.reason;
  return (
    <ul className="plain-list stack-tight" aria-label={t('bookings.lessons')}>
      {lessons.map((lesson) => {
        const reason = lessons.length > 1 ? reasonOf(lesson) : undefined;
        return (
          <li key={lesson.id}>
            <span className="chosen">
              {whenText(lesson)}
              <span className="amount">{money(lesson.price_cents, lesson.currency, tag)}</span>
              {lessons.length > 1 && (
                <Button
                  small
                  aria-label={t('open.removeNamed', { when: whenText(lesson) })}
                  onPress={() => onRemove(lesson)}
                >
                  ×
                </Button>
              )}
            </span>
            {reason && (
              <span className="field-error">{rejected({ reason, message: reason.replaceAll('_', ' ') })}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface InsteadProps {
  readonly suggestions: readonly LessonSuggestion[];
  readonly timeZone: string;
  readonly onTake: (lesson: Lesson) => void;
}

/** Lessons with a place in the place of a full one. */
function Instead({ suggestions, timeZone, onTake }: InsteadProps) {
  const { t } = useLanguage();
  const read = useReadLesson();
  return (
    <>
      {suggestions.length > 0 && (
        <span className="row">
          {t('open.instead')}
          {suggestions.map(({ lesson_id: id, date }) => (
            <Button key={id} small isDisabled={read.isPending} onPress={() => read.mutate(id, { onSuccess: onTake })}>
              <Instant at={date} timeZone={timeZone} />
            </Button>
          ))}
        </span>
      )}
      <ErrorNotice error={read.error} />
    </>
  );
}

interface BookDialogProps {
  readonly child: Child;
  /** The lessons at first. */
  readonly start: ChosenLessons;
  readonly zoneOf: (lesson: Lesson) => string;
  readonly onBooked: (booking: Booking) => void;
  readonly onClose: () => void;
}

/** Books lessons for a child, once price and payment method are seen; of full ones, with lessons that have a place. */
export function BookDialog({ child, start, zoneOf, onBooked, onClose }: BookDialogProps) {
  const { t, tag } = useLanguage();
  const client = useClient();
  const { data: methods = [] } = useMethods();
  const [chosen, setChosen] = useState(start);
  const { lessons } = chosen;
  const [chosenMethod, setMethod] = useState<string>();
  const methodId = chosenMethod ?? methods.find((method) => method.is_default)?.id ?? '';
  const [creditId, setCredit] = useState('');
  const { data: credits = [] } = useCredits(lessons[0]?.account_id, lessons[0]?.currency);
  const book = useBookLessons();
  const body = bookingOf(child, chosen, { methodId, creditId });
  const preview = useDryRun('open-lessons', body, (complete, options) => client.bookings.create(complete, options));
  const { submit } = useForm({}, () => book.mutate(body, { onSuccess: onBooked }));
  const change = (changed: readonly Lesson[]) => {
    book.reset();
    // A hold is of its own lesson.
    setChosen({ lessons: changed });
  };
  const error = book.error ?? preview.error;
  const refused = refusedOf(error);
  const isFull = ({ id }: Lesson) =>
    lessons.length === 1 || refused.some(({ lesson_id: each, reason }) => each === id && reason === 'lesson_full');
  const replace = (lesson: Lesson) => {
    const full = lessons.find(isFull);
    change([...lessons.filter((each) => each !== full && each.id !== lesson.id), lesson]);
  };
  const price = preview.data && money(preview.data.amount_cents, preview.data.currency, tag);
  return (
    <Dialog title={t('open.bookFor', { name: child.name })} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Chosen
          lessons={lessons}
          refused={refused}
          zoneOf={zoneOf}
          onRemove={(lesson) => change(lessons.filter((each) => each !== lesson))}
        />
        <MethodChoice
          methods={methods}
          value={methodId}
          onChange={setMethod}
          none={t('open.noMethod')}
          description={t('open.methodHint')}
        />
        <CreditChoice credits={credits} value={creditId} onChange={setCredit} />
        <div className="stack-tight" aria-live="polite">
          {preview.isPending && <Loading />}
          <ErrorNotice error={error} />
          <Instead suggestions={suggestedLessonsOf(error)} timeZone={zoneOf(lessons[0]!)} onTake={replace} />
        </div>
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={book.isPending} isDisabled={!price}>
            {price ? t('open.bookAt', { price }) : t('bookings.book')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
