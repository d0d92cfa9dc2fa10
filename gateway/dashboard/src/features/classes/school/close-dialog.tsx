import type { SwimClass } from '@swim/sdk';
import { useDryRun } from '../../../api/dry-run.ts';
import { useClient } from '../../../api/environment.tsx';
import { Button } from '../../../design/button.tsx';
import { Dialog, DialogActions } from '../../../design/dialog.tsx';
import { Checkbox, Choice, TextField } from '../../../design/fields/fields.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf, Notice } from '../../../design/notice.tsx';
import { Loading } from '../../../design/page.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { useClassActions } from '../classes.ts';

const WAYS = ['payment_method', 'credit'] as const;
const START = { from: '', reason: '', notify: true, refundAs: WAYS[0] as (typeof WAYS)[number] };

const bodyOf = ({ from, reason, notify, refundAs }: typeof START) => ({
  ...(from ? { from } : {}),
  ...(reason.trim() ? { reason: reason.trim() } : {}),
  notify_participants: notify,
  refund_as: refundAs,
});

/** Closes a class from a day on, once it is seen how many lessons that cancels. */
export function CloseDialog({ stored, onClose }: { stored: SwimClass; onClose: () => void }) {
  const { t } = useLanguage();
  const client = useClient();
  const { close } = useClassActions(stored);
  const { values, set, submit } = useForm(START, (sent) => close.mutate(bodyOf(sent), { onSuccess: onClose }));
  const preview = useDryRun(`close-${stored.id}`, bodyOf(values), (body, options) =>
    client.classes.close(stored.id, body, options),
  );
  const count = preview.data?.changes?.cancelled.length;
  return (
    <Dialog title={t('classes.closeTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('classes.closeFrom')}
          description={t('classes.closeFromHint')}
          type="date"
          value={values.from}
          onChange={(from) => set({ from })}
          error={fieldErrorOf(preview.error, 'from')}
        />
        <TextField label={t('calendar.reason')} rows={2} value={values.reason} onChange={(reason) => set({ reason })} />
        <Choice
          label={t('bookings.refundAs')}
          value={values.refundAs}
          onChange={(refundAs) => set({ refundAs })}
          options={WAYS.map((value) => ({ value, label: t(`bookings.as.${value}`) }))}
        />
        <Checkbox isSelected={values.notify} onChange={(notify) => set({ notify })}>
          {t('calendar.notify')}
        </Checkbox>
        <div aria-live="polite">
          {preview.isPending && <Loading />}
          {count !== undefined && <Notice kind="warning">{t('classes.closes', { count })}</Notice>}
          <ErrorNotice error={close.error ?? preview.error} />
        </div>
        <DialogActions onCancel={onClose}>
          <Button kind="danger" type="submit" isPending={close.isPending} isDisabled={!preview.data}>
            {t('classes.close')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
