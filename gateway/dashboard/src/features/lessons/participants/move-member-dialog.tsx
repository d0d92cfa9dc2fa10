import type { Lesson } from '@swim/sdk';
import { useState } from 'react';
import { useDryRun } from '../../../api/dry-run.ts';
import { useClient } from '../../../api/environment.tsx';
import { useMe } from '../../../api/me.ts';
import { useInstructorNames } from '../../../api/names.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog, DialogActions } from '../../../design/dialog.tsx';
import { Choice, TextField } from '../../../design/fields/fields.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { ErrorNotice, Notice } from '../../../design/notice.tsx';
import { Loading } from '../../../design/page.tsx';
import { instantText } from '../../../design/values/instant-text.ts';
import { instantAt, wallClockAt } from '../../../design/values/wall-clock.ts';
import { useLanguage } from '../../../texts/language.tsx';
import { useLessonsWithPlaces, useMoveMember } from '../lessons.ts';

interface MoveMemberDialogProps {
  readonly lesson: Lesson;
  readonly sessionId: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** The lessons with a place from a day on, as options. */
function useTargets(lesson: Lesson, day: string) {
  const { t, tag } = useLanguage();
  const { timezone } = useMe().account;
  const query = useLessonsWithPlaces(instantAt({ date: day, time: '00:00' }, timezone));
  const lessons = query.data?.filter(({ id }) => id !== lesson.id) ?? [];
  const instructors = useInstructorNames(lessons.map(({ instructor_id: id }) => id));
  const options = lessons.map(({ id, date, instructor_id: instructor, places_left: count }) => ({
    value: id,
    label: [
      instantText(date, tag, timezone),
      instructors.get(instructor) ?? '–',
      t('lessons.placesLeft', { count }),
    ].join(' · '),
  }));
  return { options, error: query.error, isPending: query.isPending };
}

/** Moves one child to another lesson that has a place. */
export function MoveMemberDialog({ lesson, sessionId, name, onClose }: MoveMemberDialogProps) {
  const { t } = useLanguage();
  const client = useClient();
  const { timezone } = useMe().account;
  const [day, setDay] = useState(wallClockAt(lesson.date, timezone).date);
  const targets = useTargets(lesson, day);
  const move = useMoveMember(sessionId);
  const { values, set, submit } = useForm({ target: '' }, ({ target }) => move.mutate(target, { onSuccess: onClose }));
  const body = values.target ? { lesson_id: values.target } : null;
  const preview = useDryRun(sessionId, body, (changes, options) => client.sessions.update(sessionId, changes, options));
  const choose = (target: string) => {
    move.reset();
    set({ target });
  };
  return (
    <Dialog title={t('lessons.moveNamed', { name })} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('bookings.from')}
          type="date"
          value={day}
          onChange={(next) => {
            setDay(next);
            choose('');
          }}
        />
        <Choice
          label={t('lessons.target')}
          value={values.target}
          onChange={choose}
          options={[{ value: '', label: '–' }, ...targets.options]}
          description={!targets.isPending && targets.options.length === 0 ? t('lessons.noTargets') : undefined}
        />
        <div className="stack-tight" aria-live="polite">
          {preview.isPending && <Loading />}
          {preview.data && <Notice kind="success">{t('lessons.isFree')}</Notice>}
          <ErrorNotice error={move.error ?? preview.error ?? targets.error} />
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
