import { useLocation } from 'wouter';
import { useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { centsOf } from '../../design/values/amount.ts';
import { useLanguage } from '../../texts/language.tsx';
import { useNewInstructor } from './instructors.ts';

/** Adds an instructor, and leads to the page on which the hours are published. */
export function NewInstructorDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLanguage();
  const { currency } = useMe().account;
  const [, navigate] = useLocation();
  const create = useNewInstructor();
  const open = ({ id }: { id: string }) => navigate(`/instructors/${id}`);
  const { values, set, submit } = useForm({ name: '', email: '', rate: '' }, ({ name, email, rate }) => {
    const rateCents = centsOf(rate, currency);
    if (rateCents !== null) create.mutate({ name, email, hourly_rate_cents: rateCents }, { onSuccess: open });
  });
  const cents = centsOf(values.rate, currency);
  const rateError = values.rate !== '' && cents === null ? t('bookings.noAmount') : undefined;
  return (
    <Dialog title={t('instructors.add')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('instructors.name')}
          value={values.name}
          onChange={(name) => set({ name })}
          error={fieldErrorOf(create.error, 'name')}
          isRequired
          autoFocus
        />
        <TextField
          label={t('instructors.email')}
          type="email"
          value={values.email}
          onChange={(email) => set({ email })}
          error={fieldErrorOf(create.error, 'email')}
          isRequired
        />
        <TextField
          label={`${t('instructors.rate')} (${currency})`}
          inputMode="decimal"
          value={values.rate}
          onChange={(rate) => set({ rate })}
          error={rateError ?? fieldErrorOf(create.error, 'hourly_rate_cents')}
          isRequired
        />
        <ErrorNotice error={create.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={create.isPending} isDisabled={cents === null}>
            {t('instructors.add')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
