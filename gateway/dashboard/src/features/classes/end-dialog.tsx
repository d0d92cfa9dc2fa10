import type { Enrollment } from '@swim/sdk';
import { useNow } from '../../api/clock.ts';
import { useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { wallClockAt } from '../../design/values/wall-clock.ts';
import { useLanguage } from '../../texts/language.tsx';
import { useEndEnrollment } from './classes.ts';

const WAYS = ['payment_method', 'credit'] as const;

interface EndDialogProps {
  readonly enrollment: Enrollment;
  readonly name: string;
  readonly onClose: () => void;
}

/** Ends an enrollment after a day. */
export function EndDialog({ enrollment, name, onClose }: EndDialogProps) {
  const { t } = useLanguage();
  const { account } = useMe();
  const today = wallClockAt(new Date(useNow()).toISOString(), account.timezone).date;
  const end = useEndEnrollment(enrollment);
  const start = { endsOn: today, refundAs: WAYS[0] as (typeof WAYS)[number] };
  const { values, set, submit } = useForm(start, ({ endsOn, refundAs }) =>
    end.mutate({ ends_on: endsOn, refund_as: refundAs }, { onSuccess: onClose }),
  );
  return (
    <Dialog title={t('classes.endTitle', { name })} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('classes.endsOn')}
          type="date"
          value={values.endsOn}
          onChange={(endsOn) => set({ endsOn })}
          error={fieldErrorOf(end.error, 'ends_on')}
          isRequired
        />
        <Choice
          label={t('bookings.refundAs')}
          value={values.refundAs}
          onChange={(refundAs) => set({ refundAs })}
          options={WAYS.map((value) => ({ value, label: t(`bookings.as.${value}`) }))}
        />
        <Notice kind="warning">{t(`classes.endText.${account.kind}`)}</Notice>
        <ErrorNotice error={end.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="danger" type="submit" isPending={end.isPending}>
            {t('classes.end')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
