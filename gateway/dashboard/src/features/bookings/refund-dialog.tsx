import type { Payment } from '@swim/sdk';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { amountText, centsOf, money } from '../../design/values/amount.ts';
import { useLanguage } from '../../texts/language.tsx';
import { usePaymentActions } from './bookings.ts';

interface RefundDialogProps {
  readonly payment: Payment;
  /** What of the booking's recorded money is to be returned. */
  readonly toReturnCents: number;
  readonly onClose: () => void;
}

/** Gives back a payment, or a part of it; of recorded money it records that. */
export function RefundDialog({ payment, toReturnCents, onClose }: RefundDialogProps) {
  const { t, tag } = useLanguage();
  const { refund } = usePaymentActions(payment);
  const { currency } = payment;
  const left = payment.amount_cents - payment.refunded_cents;
  const isCard = payment.method === 'card';
  const first = isCard || toReturnCents === 0 ? left : Math.min(left, toReturnCents);
  const start = { amount: amountText(first, currency), reason: '' };
  const { values, set, submit } = useForm(start, ({ reason }) => {
    if (cents !== null) refund.mutate({ cents, reason }, { onSuccess: onClose });
  });
  const cents = centsOf(values.amount, currency);
  return (
    <Dialog title={t(isCard ? 'bookings.refundTitle' : 'collect.recordRefund')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={`${t('bookings.amount')} (${currency})`}
          description={t('bookings.refundable', { amount: money(left, currency, tag) })}
          inputMode="decimal"
          value={values.amount}
          onChange={(amount) => set({ amount })}
          error={cents === null ? t('bookings.noAmount') : fieldErrorOf(refund.error, 'amount_cents')}
          isRequired
        />
        <TextField
          label={t('bookings.refundReason')}
          value={values.reason}
          onChange={(reason) => set({ reason })}
          error={fieldErrorOf(refund.error, 'reason')}
          isRequired
        />
        <ErrorNotice error={refund.error} />
        <DialogActions onCancel={onClose}>
          <Button
            kind="danger"
            type="submit"
            isPending={refund.isPending}
            isDisabled={cents === null || values.reason.trim() === ''}
          >
            {t(isCard ? 'bookings.giveBack' : 'collect.recordRefund')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
