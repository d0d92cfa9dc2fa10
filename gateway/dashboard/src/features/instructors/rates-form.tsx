import type { Instructor } from '@swim/sdk';
import { type FormEvent, useState } from 'react';
import { amountText, centsOf } from '../../design/amount.ts';
import { Button } from '../../design/button.tsx';
import { Choice, TextField } from '../../design/fields.tsx';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { Section } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useUpdateInstructor } from './instructors.ts';

const RULES = [
  'buffer_before_minutes',
  'buffer_after_minutes',
  'minimum_notice_minutes',
  'maximum_days_ahead',
  'slot_interval_minutes',
] as const;
type RuleValues = Readonly<Record<(typeof RULES)[number], string>>;
const STATUSES = ['active', 'inactive'] as const;

const startOf = ({
  hourly_rate_cents: cents,
  currency,
  max_group_size: size,
  status,
  availability_schedule: rules,
}: Instructor) => ({
  rate: amountText(cents, currency),
  size: String(size),
  status,
  rules: Object.fromEntries(RULES.map((rule) => [rule, String(rules[rule])])) as RuleValues,
});

interface RulesProps {
  readonly values: RuleValues;
  readonly onChange: (values: RuleValues) => void;
  readonly error: unknown;
}

function Rules({ values, onChange, error }: RulesProps) {
  const { t } = useLanguage();
  return RULES.map((rule) => (
    <TextField
      key={rule}
      label={t(`instructors.${rule}`)}
      type="number"
      value={values[rule]}
      onChange={(value) => onChange({ ...values, [rule]: value })}
      error={fieldErrorOf(error, `availability_schedule.${rule}`)}
    />
  ));
}

/** What an hour costs, how large a group is, and how bookings keep distance. */
export function RatesForm({ instructor }: { instructor: Instructor }) {
  const { t } = useLanguage();
  const update = useUpdateInstructor(instructor);
  const [values, setValues] = useState(() => startOf(instructor));
  const set = (changes: Partial<typeof values>) => setValues((before) => ({ ...before, ...changes }));
  const { currency, availability_schedule: schedule } = instructor;
  const cents = centsOf(values.rate, currency);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const rules = Object.fromEntries(RULES.map((rule) => [rule, Number(values.rules[rule])]));
    if (cents === null) return;
    const changes = { hourly_rate_cents: cents, max_group_size: Number(values.size), status: values.status };
    update.mutate({ ...changes, availability_schedule: { ...schedule, ...rules } });
  };
  return (
    <Section title={t('instructors.rates')} lead={t('instructors.ratesLead')}>
      <form className="card stack" onSubmit={submit}>
        <div className="columns">
          <TextField
            label={`${t('instructors.rate')} (${currency})`}
            inputMode="decimal"
            value={values.rate}
            onChange={(rate) => set({ rate })}
            error={cents === null ? t('bookings.noAmount') : fieldErrorOf(update.error, 'hourly_rate_cents')}
          />
          <TextField
            label={t('instructors.groupSize')}
            type="number"
            value={values.size}
            onChange={(size) => set({ size })}
            error={fieldErrorOf(update.error, 'max_group_size')}
          />
          <Rules values={values.rules} onChange={(rules) => set({ rules })} error={update.error} />
          <Choice
            label={t('instructors.state')}
            value={values.status}
            onChange={(status) => set({ status })}
            options={STATUSES.map((value) => ({ value, label: t(`instructors.status.${value}`) }))}
          />
        </div>
        <ErrorNotice error={update.error} />
        <div>
          <Button kind="primary" type="submit" isPending={update.isPending} isDisabled={cents === null}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Section>
  );
}
