import type { Lesson, ListedInstructor } from '@swim/sdk';
import { type FormEvent, useState } from 'react';
import { useMe } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog, DialogActions } from '../../../design/dialog.tsx';
import { Choice, TextField } from '../../../design/fields/fields.tsx';
import { LessonProblem } from '../../../design/lessons/lesson-problem.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Loading } from '../../../design/page.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { dateIn, dateOf, instantOf, minutesOfDay } from '../layout/days.ts';
import { clockText } from '../lesson-block.tsx';
import { isOutsideHours, suggestionsOf, type Target, useMove, useMovePreview } from './move.ts';

interface MoveDialogProps {
  readonly lesson: Lesson;
  readonly target: Target;
  readonly instructors: readonly ListedInstructor[];
  readonly onMoved: (before: Target, after: Lesson) => void;
  readonly onClose: () => void;
}

interface PlaceProps {
  readonly target: Target;
  readonly onChange: (target: Target) => void;
}

function useWhen() {
  const { tag } = useLanguage();
  const { timezone } = useMe().account;
  const format = new Intl.DateTimeFormat(tag, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone,
  });
  return (iso: string) => format.format(new Date(iso));
}

function Place({ target, instructors, onChange }: PlaceProps & Pick<MoveDialogProps, 'instructors'>) {
  const { t } = useLanguage();
  const { timezone } = useMe().account;
  const ms = Date.parse(target.date);
  const set = (day: string, time: string) => {
    const date = dateOf(day);
    const [hours = Number.NaN, minutes = Number.NaN] = time.split(':').map(Number);
    if (!date || Number.isNaN(hours + minutes)) return;
    const ms = instantOf(date, hours * 60 + minutes, timezone);
    onChange({ instructorId: target.instructorId, date: new Date(ms).toISOString() });
  };
  const day = dateIn(ms, timezone).toString();
  const time = clockText(minutesOfDay(ms, timezone));
  return (
    <div className="columns">
      <TextField label={t('calendar.date')} type="date" value={day} onChange={(value) => set(value, time)} />
      <TextField label={t('calendar.time')} type="time" value={time} onChange={(value) => set(day, value)} />
      <Choice
        label={t('calendar.instructor')}
        value={target.instructorId}
        onChange={(instructorId) => onChange({ date: target.date, instructorId })}
        options={instructors.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </div>
  );
}

interface VerdictProps extends PlaceProps {
  readonly lesson: Lesson;
  readonly preview: ReturnType<typeof useMovePreview>;
}

function Verdict({ lesson, preview, target, onChange }: VerdictProps) {
  const { t } = useLanguage();
  const when = useWhen();
  const suggestions = suggestionsOf(preview.error);
  if (preview.isPending) return <Loading />;
  if (preview.data) return <Notice kind="success">{t('calendar.isFree', { when: when(target.date) })}</Notice>;
  return (
    <div className="stack-tight">
      <LessonProblem error={preview.error} lesson={lesson} />
      {isOutsideHours(preview.error) && (
        <div>
          <Button small onPress={() => onChange({ ...target, outsideHours: true })}>
            {t('lessons.outsideHours')}
          </Button>
        </div>
      )}
      {suggestions.length > 0 && (
        <div className="stack-tight">
          <h3 className="label">{t('calendar.instead')}</h3>
          <div className="row">
            {suggestions.map(({ date }) => (
              <Button key={date} small onPress={() => onChange({ ...target, date })}>
                {when(date)}
              </Button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

/** Moves a lesson: its outcome is shown before it is kept, and where it cannot be, times at which it can. */
export function MoveDialog({ lesson, target: first, instructors, onMoved, onClose }: MoveDialogProps) {
  const { t } = useLanguage();
  const when = useWhen();
  const [target, setTarget] = useState(first);
  const preview = useMovePreview(lesson, target);
  const move = useMove();
  const before = { date: lesson.date, instructorId: lesson.instructor_id, outsideHours: true };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    move.mutate({ lesson, target }, { onSuccess: (after) => onMoved(before, after) });
  };
  const change = (changed: Target) => {
    move.reset();
    setTarget(changed);
  };
  return (
    <Dialog title={t('calendar.moveTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p className="hint">{t('calendar.isAt', { when: when(lesson.date) })}</p>
        <Place target={target} instructors={instructors} onChange={change} />
        <div className="verdict" aria-live="polite">
          {move.error ? (
            <LessonProblem error={move.error} lesson={lesson} />
          ) : (
            <Verdict lesson={lesson} preview={preview} target={target} onChange={change} />
          )}
        </div>
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={move.isPending} isDisabled={!preview.data}>
            {t('calendar.move')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
