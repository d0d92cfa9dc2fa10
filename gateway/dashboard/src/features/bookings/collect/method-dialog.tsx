import type { Booking } from '@swim/sdk';
import { Link } from 'wouter';
import { Button } from '../../../design/button.tsx';
import { Dialog, DialogActions } from '../../../design/dialog.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { MethodChoice, useMethods } from '../../../design/fields/method-choice.tsx';
import { ErrorNotice } from '../../../design/notice.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { useSetMethod } from './collect.ts';

/** By which method the school may charge the family for a booking, or by none. */
export function MethodDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const { t } = useLanguage();
  const { data: methods = [] } = useMethods();
  const change = useSetMethod(booking);
  const { values, set, submit } = useForm({ methodId: booking.payment_method_id ?? '' }, ({ methodId }) =>
    change.mutate(methodId, { onSuccess: onClose }),
  );
  return (
    <Dialog title={t('collect.methodTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <MethodChoice
          methods={methods}
          value={values.methodId}
          onChange={(methodId) => set({ methodId })}
          none={t('collect.noMethod')}
          description={t('collect.consent')}
        />
        {methods.length === 0 && <Link href="/payment-methods">{t('bookings.addMethod')}</Link>}
        <ErrorNotice error={change.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={change.isPending}>
            {t('action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
