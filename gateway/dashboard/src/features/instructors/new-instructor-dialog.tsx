import type { CreateInstructorBody, ListedInstructor } from '@swim/sdk';
import { useLocation } from 'wouter';
import { useMe } from '../../api/me.ts';
import { useInstructorChoice, usePoolChoice } from '../../api/names.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { centsOf } from '../../design/values/amount.ts';
import { useLanguage } from '../../texts/language.tsx';
import { useNewInstructor } from './instructors.ts';
import { PoolChoice } from './pool-choice.tsx';
import { areasWith, type Place } from './profile-body.ts';

interface Values {
  readonly name: string;
  readonly email: string;
  readonly rate: string;
  /** The instructor whose hours and rules the new one gets; empty for none. */
  readonly like: string;
  readonly pools: readonly string[];
}

/** The hours and rules of an instructor, but for the exceptions of certain dates. */
const hoursOf = ({ availability_schedule: schedule, max_group_size }: ListedInstructor) => ({
  availability_schedule: { ...schedule, overrides: [] },
  max_group_size,
});

interface FactsProps {
  readonly values: Values;
  readonly set: (changes: Partial<Values>) => void;
  readonly error: unknown;
}

function Facts({ values, set, error }: FactsProps) {
  const { t } = useLanguage();
  const { currency } = useMe().account;
  const isNoAmount = values.rate !== '' && centsOf(values.rate, currency) === null;
  return (
    <>
      <TextField
        label={t('instructors.name')}
        value={values.name}
        onChange={(name) => set({ name })}
        error={fieldErrorOf(error, 'name')}
        isRequired
        autoFocus
      />
      <TextField
        label={t('instructors.email')}
        type="email"
        value={values.email}
        onChange={(email) => set({ email })}
        error={fieldErrorOf(error, 'email')}
        isRequired
      />
      <TextField
        label={`${t('instructors.rate')} (${currency})`}
        inputMode="decimal"
        value={values.rate}
        onChange={(rate) => set({ rate })}
        error={(isNoAmount ? t('bookings.noAmount') : undefined) ?? fieldErrorOf(error, 'hourly_rate_cents')}
        isRequired
      />
    </>
  );
}

interface FormProps {
  readonly pools: readonly Place[];
  readonly others: readonly ListedInstructor[];
  readonly onClose: () => void;
}

function InstructorForm({ pools, others, onClose }: FormProps) {
  const { t } = useLanguage();
  const { currency } = useMe().account;
  const [, navigate] = useLocation();
  const create = useNewInstructor();
  const open = ({ id }: { id: string }) => navigate(`/instructors/${id}`);
  const start: Values = { name: '', email: '', rate: '', like: others[0]?.id ?? '', pools: pools.map(({ id }) => id) };
  const { values, set, submit } = useForm(start, ({ name, email, rate, like, pools: chosen }) => {
    const rateCents = centsOf(rate, currency);
    const other = others.find(({ id }) => id === like);
    if (rateCents === null) return;
    const areas = areasWith([], chosen, pools);
    const body = { name, email, hourly_rate_cents: rateCents, service_areas: areas, ...(other && hoursOf(other)) };
    create.mutate(body satisfies Omit<CreateInstructorBody, 'status'>, { onSuccess: open });
  });
  const cents = centsOf(values.rate, currency);
  return (
    <form className="stack" onSubmit={submit}>
      <Facts values={values} set={set} error={create.error} />
      {others.length > 0 && (
        <Choice
          label={t('instructors.like')}
          value={values.like}
          onChange={(like) => set({ like })}
          options={[
            ...others.map(({ id, name }) => ({ value: id, label: t('instructors.likeOne', { name }) })),
            { value: '', label: t('instructors.likeNone') },
          ]}
        />
      )}
      <PoolChoice pools={pools} value={values.pools} onChange={(chosen) => set({ pools: chosen })} />
      <ErrorNotice error={create.error} />
      <DialogActions onCancel={onClose}>
        <Button kind="primary" type="submit" isPending={create.isPending} isDisabled={cents === null}>
          {t('instructors.add')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Adds an instructor whom nobody can book yet, and leads to the page on which hours and instructor are published. */
export function NewInstructorDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLanguage();
  const pools = usePoolChoice();
  const instructors = useInstructorChoice();
  const others = instructors.data?.filter(({ availability_schedule: { weekly } }) => weekly.length > 0) ?? [];
  // The fields begin with what is chosen for the instructors and pools that there are.
  const isKnown = !pools.isPending && !instructors.isPending;
  return (
    <Dialog title={t('instructors.add')} isOpen onClose={onClose}>
      {isKnown && <InstructorForm pools={pools.data ?? []} others={others} onClose={onClose} />}
    </Dialog>
  );
}
