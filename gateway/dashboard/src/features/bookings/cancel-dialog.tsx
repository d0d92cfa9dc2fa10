import type { Booking, QuoteBookingCancellation } from '@swim/sdk';
import { type FormEvent, useState } from 'react';
import { useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Checkbox, Choice, TextField } from '../../design/fields/fields.tsx';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { Shown } from '../../design/page.tsx';
import { money } from '../../design/values/amount.ts';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useBookingActions, useBookingZone, useQuote } from './bookings.ts';

function Quote({ quote, timeZone }: { quote: QuoteBookingCancellation; timeZone: string }) {
  const { t, tag } = useLanguage();
  // A cancellation by the school is free at any time.
  const isSchool = useMe().account.kind === 'school';
  const late = quote.sessions.filter((session) => session.late && session.fee_cents > 0).length;
  return (
    <>
      <dl className="facts quote">
        <div>
          <dt>{t('bookings.lessons')}</dt>
          <dd>{quote.sessions.length}</dd>
        </div>
        <div>
          <dt>{t('bookings.fee')}</dt>
          <dd className="amount">{money(quote.fee_cents, quote.currency, tag)}</dd>
        </div>
        <div>
          <dt>{t('bookings.refund')}</dt>
          <dd className="amount">{money(quote.refund_cents, quote.currency, tag)}</dd>
        </div>
        {!isSchool && (
          <div>
            <dt>{t('bookings.freeUntil')}</dt>
            <dd>
              <Instant at={quote.free_until} timeZone={timeZone} />
            </dd>
          </div>
        )}
      </dl>
      {late > 0 && <Notice kind="warning">{t('bookings.late', { count: late })}</Notice>}
    </>
  );
}

/** Cancels the lessons to come of a booking, once it is seen what that costs and gives back. */
export function CancelDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const { t } = useLanguage();
  const quote = useQuote(booking.id);
  const timeZone = useBookingZone(booking);
  const { cancel } = useBookingActions(booking);
  const [values, setValues] = useState({ reason: '', notify: true, refundAs: 'payment_method' as const });
  const set = (changes: object) => setValues((before) => ({ ...before, ...changes }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    cancel.mutate(values, { onSuccess: onClose });
  };
  const ways = (['payment_method', 'credit'] as const).map((value) => ({ value, label: t(`bookings.as.${value}`) }));
  return (
    <Dialog title={t('bookings.cancelTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Shown query={quote}>{(data) => <Quote quote={data} timeZone={timeZone} />}</Shown>
        {quote.data?.makeup_credit && (
          <Choice
            label={t('bookings.refundAs')}
            value={values.refundAs as (typeof ways)[number]['value']}
            onChange={(refundAs) => set({ refundAs })}
            options={ways}
          />
        )}
        <TextField
          label={t('bookings.reason')}
          rows={2}
          value={values.reason}
          onChange={(reason) => set({ reason })}
          error={fieldErrorOf(cancel.error, 'reason')}
        />
        <Checkbox isSelected={values.notify} onChange={(notify) => set({ notify })}>
          {t('calendar.notify')}
        </Checkbox>
        <p className="hint">{t('bookings.cancelFinal')}</p>
        <ErrorNotice error={cancel.error} />
        <DialogActions>
          <Button onPress={onClose}>{t('bookings.keep')}</Button>
          <Button kind="danger" type="submit" isPending={cancel.isPending} isDisabled={!quote.data}>
            {t('bookings.cancel')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
