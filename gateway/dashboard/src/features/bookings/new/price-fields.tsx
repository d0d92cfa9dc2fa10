import { useMe } from '../../../api/me.ts';
import { useInstructorCurrency } from '../../../api/names.ts';
import { TextField } from '../../../design/fields/fields.tsx';
import { fieldErrorOf } from '../../../design/notice.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { priceOf } from './booking-body.ts';
import type { PartProps } from './members-field.tsx';

/** A price that the school sets in place of that of the rate, and why. */
export function PriceFields({ values, set, error }: PartProps) {
  const { t } = useLanguage();
  const currency = useInstructorCurrency(values.instructor);
  if (useMe().account.kind !== 'school') return null;
  const errorOf = (field: string) =>
    fieldErrorOf(error, `sessions[0].${field}`) ?? fieldErrorOf(error, `recurrence.${field}`);
  return (
    <details>
      <summary>{t('collect.otherPrice')}</summary>
      <div className="columns booking-when">
        <TextField
          label={`${t('collect.priceEach')} (${currency})`}
          inputMode="decimal"
          value={values.price}
          onChange={(price) => set({ price })}
          error={priceOf(values, currency) === null ? t('bookings.noAmount') : errorOf('price_cents')}
        />
        <TextField
          label={t('bookings.reason')}
          description={t('collect.priceHint')}
          value={values.priceReason}
          onChange={(priceReason) => set({ priceReason })}
          error={errorOf('price_reason')}
        />
      </div>
    </details>
  );
}
