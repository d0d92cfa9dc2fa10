import type { Lesson } from '@swim/sdk';
import { takingPart } from '../../api/lessons.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Checkbox, Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useLessonActions } from './lessons.ts';

const WAYS = ['payment_method', 'credit'] as const;

/** Cancels a lesson for all who take part. */
export function CancelDialog({ lesson, onClose }: { lesson: Lesson; onClose: () => void }) {
  const { t } = useLanguage();
  const { cancel } = useLessonActions(lesson);
  const start = { reason: '', notify: true, refundAs: WAYS[0] as (typeof WAYS)[number] };
  const { values, set, submit } = useForm(start, ({ reason, notify, refundAs }) =>
    cancel.mutate(
      { ...(reason.trim() && { reason: reason.trim() }), notify_participants: notify, refund_as: refundAs },
      { onSuccess: onClose },
    ),
  );
  return (
    <Dialog title={t('calendar.cancelTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Notice kind="warning">{t('lessons.cancelsAll', { count: takingPart(lesson).length })}</Notice>
        <TextField
          label={t('calendar.reason')}
          rows={2}
          value={values.reason}
          onChange={(reason) => set({ reason })}
          error={fieldErrorOf(cancel.error, 'reason')}
        />
        <Choice
          label={t('bookings.refundAs')}
          value={values.refundAs}
          onChange={(refundAs) => set({ refundAs })}
          options={WAYS.map((value) => ({ value, label: t(`bookings.as.${value}`) }))}
        />
        <Checkbox isSelected={values.notify} onChange={(notify) => set({ notify })}>
          {t('calendar.notify')}
        </Checkbox>
        <ErrorNotice error={cancel.error} />
        <DialogActions>
          <Button onPress={onClose}>{t('calendar.keep')}</Button>
          <Button kind="danger" type="submit" isPending={cancel.isPending}>
            {t('calendar.cancel')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
