import type { Booking } from '@swim/sdk';
import { Button } from '../../../design/button.tsx';
import { Dialog, DialogActions } from '../../../design/dialog.tsx';
import { Choice, TextField } from '../../../design/fields/fields.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf } from '../../../design/notice.tsx';
import { amountText, centsOf } from '../../../design/values/amount.ts';
import { useLanguage } from '../../../texts/language.tsx';
import { RECORDED, useCollect } from './collect.ts';

/** Records money that the school got elsewhere for a booking. */
export function RecordDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const { t } = useLanguage();
  const { id, currency } = booking;
  const collect = useCollect();
  const start = {
    method: RECORDED[0] as (typeof RECORDED)[number],
    amount: amountText(booking.amount_due_cents, currency),
    reference: '',
  };
  const { values, set, submit } = useForm(start, ({ method, reference }) => {
    if (cents === null) return;
    const body = { booking_id: id, amount_cents: cents, currency, method };
    collect.mutate(reference.trim() ? { ...body, reference: reference.trim() } : body, { onSuccess: onClose });
  });
  const cents = centsOf(values.amount, currency);
  return (
    <Dialog title={t('collect.recordTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Choice
          label={t('collect.method')}
          value={values.method}
          onChange={(method) => set({ method })}
          options={RECORDED.map((value) => ({ value, label: t(`collect.method.${value}`) }))}
        />
        <TextField
          label={`${t('bookings.amount')} (${currency})`}
          inputMode="decimal"
          value={values.amount}
          onChange={(amount) => set({ amount })}
          error={cents === null ? t('bookings.noAmount') : fieldErrorOf(collect.error, 'amount_cents')}
          isRequired
        />
        <TextField
          label={t('collect.reference')}
          description={t('collect.referenceHint')}
          value={values.reference}
          onChange={(reference) => set({ reference })}
          error={fieldErrorOf(collect.error, 'reference')}
        />
        <ErrorNotice error={collect.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={collect.isPending} isDisabled={cents === null}>
            {t('collect.record')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
