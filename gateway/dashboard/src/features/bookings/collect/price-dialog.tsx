import type { Session } from '@swim/sdk';
import { Button } from '../../../design/button.tsx';
import { Dialog, DialogActions } from '../../../design/dialog.tsx';
import { TextField } from '../../../design/fields/fields.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf } from '../../../design/notice.tsx';
import { amountText, centsOf } from '../../../design/values/amount.ts';
import { useLanguage } from '../../../texts/language.tsx';
import { useSetPrice } from './collect.ts';

/** Sets the price of one lesson, with a reason that the family reads. */
export function PriceDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { t } = useLanguage();
  const { currency, price_cents: before, price_reason: reason } = session;
  const change = useSetPrice(session);
  const start = { price: amountText(before, currency), reason: reason ?? '' };
  const { values, set, submit } = useForm(start, (sent) => {
    if (cents !== null) change.mutate({ cents, reason: sent.reason.trim() }, { onSuccess: onClose });
  });
  const cents = centsOf(values.price, currency);
  return (
    <Dialog title={t('collect.priceTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={`${t('bookings.price')} (${currency})`}
          inputMode="decimal"
          value={values.price}
          onChange={(price) => set({ price })}
          error={cents === null ? t('bookings.noAmount') : fieldErrorOf(change.error, 'price_cents')}
          isRequired
        />
        <TextField
          label={t('bookings.reason')}
          description={t('collect.priceHint')}
          value={values.reason}
          onChange={(next) => set({ reason: next })}
          error={fieldErrorOf(change.error, 'price_reason')}
        />
        <ErrorNotice error={change.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={change.isPending} isDisabled={cents === null}>
            {t('action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
