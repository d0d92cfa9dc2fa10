import type { Booking } from '@swim/sdk';
import { useDryRun } from '../../../api/dry-run.ts';
import { useClient } from '../../../api/environment.tsx';
import { Button } from '../../../design/button.tsx';
import { Dialog, DialogActions } from '../../../design/dialog.tsx';
import { TextField } from '../../../design/fields/fields.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf, Notice } from '../../../design/notice.tsx';
import { Loading } from '../../../design/page.tsx';
import { amountText, centsOf, money } from '../../../design/values/amount.ts';
import { useLanguage } from '../../../texts/language.tsx';
import { allowedCentsOf, useCollect } from './collect.ts';

/** Charges the method of a booking, as far as its family has agreed. */
export function ChargeDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const { t, tag } = useLanguage();
  const client = useClient();
  const { id, currency, amount_due_cents: dueCents } = booking;
  const collect = useCollect();
  const form = useForm({ amount: amountText(dueCents, currency) }, () => {
    if (body) collect.mutate(body, { onSuccess: onClose });
  });
  const cents = centsOf(form.values.amount, currency);
  const body = cents === null ? null : { booking_id: id, amount_cents: cents, currency };
  const preview = useDryRun(`charge-${booking.version}`, collect.isPending ? null : body, (complete, options) =>
    client.payments.create(complete, options),
  );
  const error = collect.error ?? preview.error;
  const allowed = allowedCentsOf(error);
  const set = (amount: string) => {
    collect.reset();
    form.set({ amount });
  };
  return (
    <Dialog title={t('collect.chargeTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={form.submit}>
        <TextField
          label={`${t('bookings.amount')} (${currency})`}
          description={t('collect.dueNow', { amount: money(dueCents, currency, tag) })}
          inputMode="decimal"
          value={form.values.amount}
          onChange={set}
          error={cents === null ? t('bookings.noAmount') : fieldErrorOf(error, 'amount_cents')}
          isRequired
        />
        <div className="stack-tight" aria-live="polite">
          {preview.isPending && <Loading />}
          {preview.data && !error && <Notice kind="success">{t('collect.agreed')}</Notice>}
          <ErrorNotice error={error} />
          {allowed !== null && (
            <span className="row">
              {t('collect.allowed', { amount: money(allowed, currency, tag) })}
              {allowed > 0 && (
                <Button small onPress={() => set(amountText(allowed, currency))}>
                  {t('collect.useAllowed', { amount: money(allowed, currency, tag) })}
                </Button>
              )}
            </span>
          )}
        </div>
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={collect.isPending} isDisabled={!preview.data}>
            {t('collect.charge')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
