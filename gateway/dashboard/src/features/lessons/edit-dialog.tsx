import type { Lesson } from '@swim/sdk';
import { useState } from 'react';
import { useDryRun } from '../../api/dry-run.ts';
import { useClient } from '../../api/environment.tsx';
import { useInstructorZone } from '../../api/names.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { useForm } from '../../design/fields/form.ts';
import { LessonProblem } from '../../design/lessons/lesson-problem.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { changesOf, type LessonValues, valuesOf } from './lesson-body.ts';
import { LessonFields } from './lesson-fields.tsx';
import { useLessonActions } from './lessons.ts';
import { Verdict } from './verdict.tsx';

/** Changes or moves a lesson with all who take part. */
export function EditDialog({ lesson, onClose }: { lesson: Lesson; onClose: () => void }) {
  const { t } = useLanguage();
  const client = useClient();
  const { update } = useLessonActions(lesson);
  const { currency } = lesson;
  const ownZone = useInstructorZone(lesson.instructor_id);
  // The form keeps the clock by which it was filled: another instructor may have another one.
  const [timeZone] = useState(ownZone);
  const form = useForm(valuesOf(lesson, timeZone), (sent) => {
    const changes = changesOf(lesson, sent, { timeZone, currency });
    if (changes) update.mutate(changes, { onSuccess: onClose });
  });
  const { values, submit } = form;
  const body = changesOf(lesson, values, { timeZone, currency });
  const preview = useDryRun(lesson.id, body, (changes, options) => client.lessons.update(lesson.id, changes, options));
  const set = (changes: Partial<LessonValues>) => {
    update.reset();
    form.set(changes);
  };
  const part = { values, set, timeZone };
  return (
    <Dialog title={t('lessons.editTitle')} isOpen onClose={onClose} wide>
      <form className="stack" onSubmit={submit}>
        <LessonFields {...part} currency={currency} error={update.error ?? preview.error} />
        {update.error ? (
          <LessonProblem error={update.error} lesson={lesson} />
        ) : (
          <Verdict {...part} preview={preview} sessions={lesson.sessions} />
        )}
        <p className="hint">{t('lessons.priceStays')}</p>
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={update.isPending} isDisabled={preview.data === undefined}>
            {t('action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
