import { Checkbox } from '../../design/fields/fields.tsx';
import { WallClockFields } from '../../design/fields/wall-clock-fields.tsx';
import { WholeNumberField } from '../../design/fields/whole-number-field.tsx';
import { fieldErrorOf } from '../../design/notice.tsx';
import { PlaceFields, TeacherFields } from '../../design/teaching/teaching-fields.tsx';
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

/** The fields of a lesson. */
export function LessonFields(props: LessonFieldsProps) {
  const { values, set } = props;
  const { t } = useLanguage();
  return (
    <>
      <TeacherFields {...props} />
      <When {...props} />
      <PlaceFields {...props} />
      <Checkbox isSelected={values.bookable} onChange={(bookable) => set({ bookable })}>
        {t('lessons.bookable')}
      </Checkbox>
    </>
  );
}
