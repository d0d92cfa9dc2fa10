import type { Booking, Payment, PaymentMethod } from '@swim/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { Checkbox, TextField } from '../fields/fields.tsx';
import { useForm } from '../fields/form.ts';
import { MethodChoice, useMethods } from '../fields/method-choice.tsx';
import { ErrorNotice, fieldErrorOf } from '../notice.tsx';
import { Empty, Shown } from '../page.tsx';
import { amountText, centsOf } from '../values/amount.ts';
import { Authentication } from './authentication.tsx';
import { atTheBank, usePay } from './pay.ts';

interface PayFormProps {
  readonly booking: Booking;
  readonly methods: readonly PaymentMethod[];
  readonly onClose: () => void;
  /** Called with a payment that the bank has the cardholder confirm. */
  readonly onAsked: (payment: Payment) => void;
}

function PayForm({ booking, methods, onClose, onAsked }: PayFormProps) {
  const { t } = useLanguage();
  const pay = usePay(booking);
  const { currency, amount_due_cents: dueCents } = booking;
  const standard = methods.find((method) => method.is_default) ?? methods[0]!;
  const start = {
    methodId: booking.payment_method_id ?? standard.id,
    amount: amountText(dueCents, currency),
    capture: true,
  };
  const { values, set, submit } = useForm(start, ({ methodId, capture }) => {
    if (cents === null) return;
    pay.mutate(
      { methodId, cents, capture },
      { onSuccess: (payment) => (payment.next_action ? onAsked(payment) : onClose()) },
    );
  });
  const cents = centsOf(values.amount, currency);
  const amountError = cents === null ? t('bookings.noAmount') : fieldErrorOf(pay.error, 'amount_cents');
  return (
    <form className="stack" onSubmit={submit}>
      <MethodChoice methods={methods} value={values.methodId} onChange={(methodId) => set({ methodId })} />
      <TextField
        label={`${t('bookings.amount')} (${currency})`}
        inputMode="decimal"
        value={values.amount}
        onChange={(amount) => set({ amount })}
        error={amountError}
        isRequired
      />
      <Checkbox isSelected={!values.capture} onChange={(isOn) => set({ capture: !isOn })}>
        {t('bookings.reserve')}
      </Checkbox>
      <ErrorNotice error={pay.error} />
      <DialogActions onCancel={onClose}>
        <Button kind="primary" type="submit" isPending={pay.isPending} isDisabled={cents === null}>
          {values.capture ? t('bookings.pay') : t('bookings.reserveNow')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Pays what is due of a booking, or a part of it, with a method of the account. */
export function PayDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const { t } = useLanguage();
  const methods = useMethods();
  const isLive = useEnvironment() === 'live';
  const [asked, setAsked] = useState<Payment | null>(null);
  const ask = (payment: Payment) => (isLive ? location.assign(atTheBank(payment)) : setAsked(payment));
  if (asked)
    return (
      <Dialog title={t('card.confirmTitle')} isOpen onClose={onClose}>
        <p>{t('card.confirmText')}</p>
        <Authentication payment={asked} onDone={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={t('bookings.payTitle')} isOpen onClose={onClose}>
      <Shown query={methods}>
        {(known) =>
          known.length === 0 ? (
            <Empty
              title={t('bookings.noMethods')}
              action={<Link href="/payment-methods">{t('bookings.addMethod')}</Link>}
            >
              {t('bookings.noMethodsText')}
            </Empty>
          ) : (
            <PayForm booking={booking} methods={known} onClose={onClose} onAsked={ask} />
          )
        }
      </Shown>
    </Dialog>
  );
}
