import type { SwimClass, UpdateClass } from '@swim/sdk';
import { useDryRun } from '../../../api/dry-run.ts';
import { useClient } from '../../../api/environment.tsx';
import { Button } from '../../../design/button.tsx';
import { Dialog, DialogActions } from '../../../design/dialog.tsx';
import { Checkbox } from '../../../design/fields/fields.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { useReasonText } from '../../../design/lessons/reason-text.ts';
import { ErrorNotice, Notice } from '../../../design/notice.tsx';
import { Loading } from '../../../design/page.tsx';
import { Instant } from '../../../design/values/when.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { type ClassValues, changesOf, valuesOf } from '../class-body.ts';
import { useClassActions } from '../classes.ts';
import { ClassFields } from './class-fields.tsx';

/** How the lessons to come change. */
function Changes({ of: { changes, recurrence } }: { of: UpdateClass }) {
  const { t } = useLanguage();
  const reasonText = useReasonText();
  if (!changes) return null;
  const { changed, added, cancelled, skipped } = changes;
  const counts = { changed: changed.length, added: added.length, cancelled: cancelled.length };
  return (
    <Notice kind={skipped.length > 0 || cancelled.length > 0 ? 'warning' : 'success'}>
      {t('classes.changes', counts)}
      {skipped.length > 0 && (
        <ul className="plain-list">
          {skipped.map(({ date, reason }) => (
            <li key={date}>
              <Instant at={date} timeZone={recurrence.timezone} />: {reasonText(reason)}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** Changes a class, once the changes of its lessons to come are seen. */
export function EditDialog({ stored, onClose }: { stored: SwimClass; onClose: () => void }) {
  const { t } = useLanguage();
  const client = useClient();
  const { update } = useClassActions(stored);
  const form = useForm(valuesOf(stored), (sent) => {
    const changes = changesOf(stored, sent);
    if (changes) update.mutate(changes, { onSuccess: onClose });
  });
  const { values, submit } = form;
  const set = (changes: Partial<ClassValues>) => {
    update.reset();
    form.set(changes);
  };
  const body = changesOf(stored, values);
  const preview = useDryRun(stored.id, body, (changes, options) => client.classes.update(stored.id, changes, options));
  const error = update.error ?? preview.error;
  return (
    <Dialog title={t('classes.edit')} isOpen onClose={onClose} wide>
      <form className="stack" onSubmit={submit}>
        <ClassFields
          values={values}
          set={set}
          currency={stored.currency}
          timeZone={stored.recurrence.timezone}
          error={error}
          isOpen={stored.status !== 'draft'}
        />
        <Checkbox isSelected={values.outsideHours} onChange={(outsideHours) => set({ outsideHours })}>
          {t('lessons.outsideHours')}
        </Checkbox>
        <div className="stack-tight" aria-live="polite">
          {preview.isPending && <Loading />}
          {preview.data && <Changes of={preview.data} />}
          <ErrorNotice error={error} />
        </div>
        <p className="hint">{t('lessons.priceStays')}</p>
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={update.isPending} isDisabled={!preview.data}>
            {t('action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
