import { useInstructorChoice, usePoolChoice } from '../../api/names.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Choice, TextField } from '../fields/fields.tsx';
import { LevelChoice } from '../fields/level-choice.tsx';
import { WholeNumberField } from '../fields/whole-number-field.tsx';
import { fieldErrorOf } from '../notice.tsx';
import { centsOf } from '../values/amount.ts';
import type { TeachingValues } from './teaching.ts';
import './lessons.css';

interface TeachingFieldsProps {
  readonly values: TeachingValues;
  readonly set: (changes: Partial<TeachingValues>) => void;
  readonly currency: string;
  readonly error: unknown;
}

/** Who teaches, and where. */
export function TeacherFields({ values, set, error }: Omit<TeachingFieldsProps, 'currency'>) {
  const { t } = useLanguage();
  const { data: instructors = [] } = useInstructorChoice();
  const { data: pools = [] } = usePoolChoice();
  const choiceOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  return (
    <div className="columns">
      <Choice
        label={t('bookings.instructor')}
        value={values.instructor}
        onChange={(instructor) => set({ instructor })}
        options={[{ value: '', label: '–' }, ...instructors.map(choiceOf)]}
        error={fieldErrorOf(error, 'instructor_id')}
      />
      <Choice
        label={t('lessons.pool')}
        value={values.pool}
        onChange={(pool) => set({ pool })}
        options={[{ value: '', label: t('lessons.ownPool') }, ...pools.map(choiceOf)]}
      />
    </div>
  );
}

function ForWhom({ values, set, error }: TeachingFieldsProps) {
  const { t } = useLanguage();
  return (
    <div className="columns">
      <LevelChoice label={t('lessons.levels')} value={values.levels} onChange={(levels) => set({ levels })} />
      <div className="stack">
        <TextField
          label={t('lessons.minAge')}
          inputMode="numeric"
          value={values.minAge}
          onChange={(minAge) => set({ minAge })}
          error={fieldErrorOf(error, 'min_age_years')}
        />
        <TextField
          label={t('lessons.maxAge')}
          description={t('lessons.ageHint')}
          inputMode="numeric"
          value={values.maxAge}
          onChange={(maxAge) => set({ maxAge })}
          error={fieldErrorOf(error, 'max_age_years')}
        />
      </div>
    </div>
  );
}

/** How many places there are, for how much and for whom. */
export function PlaceFields(props: TeachingFieldsProps) {
  const { values, set, currency, error } = props;
  const { t } = useLanguage();
  const isAmount = values.price === '' || centsOf(values.price, currency) !== null;
  return (
    <>
      <div className="columns">
        <WholeNumberField
          label={t('lessons.capacity')}
          value={values.capacity}
          onChange={(capacity) => set({ capacity })}
          error={fieldErrorOf(error, 'capacity')}
        />
        <TextField
          label={t('lessons.priceIn', { currency })}
          inputMode="decimal"
          value={values.price}
          onChange={(price) => set({ price })}
          error={isAmount ? fieldErrorOf(error, 'price_cents') : t('bookings.noAmount')}
          isRequired
        />
      </div>
      <ForWhom {...props} />
    </>
  );
}
