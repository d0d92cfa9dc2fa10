import { useInstructorChoice, usePoolChoice } from '../../api/names.ts';
import { Checkbox, Choice, TextField } from '../../design/fields/fields.tsx';
import { LevelChoice } from '../../design/fields/level-choice.tsx';
import { WallClockFields } from '../../design/fields/wall-clock-fields.tsx';
import { WholeNumberField } from '../../design/fields/whole-number-field.tsx';
import { fieldErrorOf } from '../../design/notice.tsx';
import { centsOf } from '../../design/values/amount.ts';
import { useLanguage } from '../../texts/language.tsx';
import type { LessonValues } from './lesson-body.ts';

interface LessonFieldsProps {
  readonly values: LessonValues;
  readonly set: (changes: Partial<LessonValues>) => void;
  readonly currency: string;
  /** By whose clock its time is typed. */
  readonly timeZone: string;
  readonly error: unknown;
}

function Who({ values, set, error }: LessonFieldsProps) {
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

function When({ values, set, timeZone, error }: LessonFieldsProps) {
  const { t } = useLanguage();
  return (
    <div className="columns lesson-when">
      <WallClockFields
        dateLabel={t('bookings.date')}
        value={values}
        onChange={set}
        timeZone={timeZone}
        error={fieldErrorOf(error, 'date')}
      />
      <WholeNumberField
        label={t('lessons.minutes')}
        value={values.minutes}
        onChange={(minutes) => set({ minutes })}
        error={fieldErrorOf(error, 'duration_minutes')}
      />
    </div>
  );
}

function ForWhom({ values, set, error }: LessonFieldsProps) {
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

/** The fields of a lesson. */
export function LessonFields(props: LessonFieldsProps) {
  const { values, set, currency, error } = props;
  const { t } = useLanguage();
  const isAmount = values.price === '' || centsOf(values.price, currency) !== null;
  return (
    <>
      <Who {...props} />
      <When {...props} />
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
      <Checkbox isSelected={values.bookable} onChange={(bookable) => set({ bookable })}>
        {t('lessons.bookable')}
      </Checkbox>
    </>
  );
}
