import type { Instructor } from '@swim/sdk';
import { Button } from '../../design/button.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { wholeOf } from '../../design/fields/whole-number.ts';
import { WholeNumberField } from '../../design/fields/whole-number-field.tsx';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { Section } from '../../design/page.tsx';
import { amountText, centsOf } from '../../design/values/amount.ts';
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

type Values = ReturnType<typeof startOf>;

/** The changes of the form; null while one of its fields is no number. */
function changesOf({ rate, size, status, rules }: Values, currency: string) {
  const [cents, groupSize] = [centsOf(rate, currency), wholeOf(size)];
  const numbers = RULES.map((rule) => [rule, wholeOf(rules[rule])] as const);
  if (cents === null || groupSize === null || numbers.some(([, number]) => number === null)) return null;
  return { hourly_rate_cents: cents, max_group_size: groupSize, status, rules: Object.fromEntries(numbers) };
}

interface RulesProps {
  readonly values: RuleValues;
  readonly onChange: (values: RuleValues) => void;
  readonly error: unknown;
}

function Rules({ values, onChange, error }: RulesProps) {
  const { t } = useLanguage();
  return RULES.map((rule) => (
    <WholeNumberField
      key={rule}
      label={t(`instructors.${rule}`)}
      value={values[rule]}
      onChange={(value) => onChange({ ...values, [rule]: value })}
      error={fieldErrorOf(error, `availability_schedule.${rule}`)}
    />
  ));
}

/** The rate, the size of groups, and the buffers and notice of bookings. */
export function RatesForm({ instructor }: { instructor: Instructor }) {
  const { t } = useLanguage();
  const update = useUpdateInstructor(instructor);
  const { currency, availability_schedule: schedule } = instructor;
  const { values, set, submit } = useForm(startOf(instructor), (sent) => {
    const changes = changesOf(sent, currency);
    if (!changes) return;
    const { rules, ...others } = changes;
    update.mutate({ ...others, availability_schedule: { ...schedule, ...rules } as typeof schedule });
  });
  const cents = centsOf(values.rate, currency);
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
          <WholeNumberField
            label={t('instructors.groupSize')}
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
          <Button
            kind="primary"
            type="submit"
            isPending={update.isPending}
            isDisabled={changesOf(values, currency) === null}
          >
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Section>
  );
}
