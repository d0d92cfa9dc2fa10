import type { ListedInstructor } from '@swim/sdk';
import { useInstructorZone } from '../../../api/names.ts';
import { Checkbox, Choice, TextField } from '../../../design/fields/fields.tsx';
import { otherZone } from '../../../design/values/instant-text.ts';
import { useLanguage } from '../../../texts/language.tsx';
import { MOST_WEEKS, weeksOf } from './booking-body.ts';
import type { PartProps } from './members-field.tsx';

interface TypedProps extends PartProps {
  readonly instructors: readonly ListedInstructor[];
  readonly isOpen: boolean;
}

/** A time that is typed, also one that nobody has published. */
export function Typed({ values, set, instructors, isOpen }: TypedProps) {
  const { t } = useLanguage();
  const timezone = useInstructorZone(values.instructor);
  return (
    <details open={isOpen}>
      <summary>{t('bookings.typed')}</summary>
      <div className="columns booking-when">
        <Choice
          label={t('bookings.instructor')}
          value={values.instructor}
          onChange={(instructor) => set({ instructor })}
          options={[{ id: '', name: '–' }, ...instructors].map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TextField label={t('bookings.day')} type="date" value={values.date} onChange={(date) => set({ date })} />
        <TextField
          label={t('bookings.time')}
          description={otherZone(timezone)}
          type="time"
          value={values.time}
          onChange={(time) => set({ time })}
        />
      </div>
    </details>
  );
}

const LENGTHS = ['20', '30', '45', '60', '90', '120'] as const;

/** How long the lesson is, and how many weeks it is repeated. */
export function HowLong({ values, set }: PartProps) {
  const { t } = useLanguage();
  const isWrong = weeksOf(values) === null;
  return (
    <div className="columns booking-when">
      <Choice
        label={t('bookings.length')}
        value={values.minutes}
        onChange={(minutes) => set({ minutes })}
        options={LENGTHS.map((value) => ({ value: value as string, label: t('bookings.minutes', { count: value }) }))}
      />
      <TextField
        label={t('bookings.weeks')}
        description={t('bookings.weeksHint')}
        inputMode="numeric"
        value={values.weeks}
        onChange={(weeks) => set({ weeks })}
        error={isWrong ? t('bookings.noWeeks', { most: MOST_WEEKS }) : undefined}
      />
      {!isWrong && values.weeks.trim() !== '1' && (
        <Checkbox isSelected={values.skips} onChange={(skips) => set({ skips })}>
          {t('bookings.skip')}
        </Checkbox>
      )}
    </div>
  );
}
