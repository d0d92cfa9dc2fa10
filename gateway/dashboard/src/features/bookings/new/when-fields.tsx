import type { ListedInstructor } from '@swim/sdk';
import { useInstructorZone } from '../../../api/names.ts';
import { Checkbox, Choice, TextField } from '../../../design/fields/fields.tsx';
import { otherZone } from '../../../design/values/instant-text.ts';
import { useLanguage } from '../../../texts/language.tsx';
import { MOST_WEEKS, weeksOf } from './booking-body.ts';
import type { PartProps } from './members-field.tsx';

/** A time that is typed, also one that nobody has published. */
export function Typed({ values, set, instructors }: PartProps & { instructors: readonly ListedInstructor[] }) {
  const { t } = useLanguage();
  const timezone = useInstructorZone(values.instructor);
  return (
    <details>
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

/** How many weeks the lesson is repeated. */
export function Weeks({ values, set }: PartProps) {
  const { t } = useLanguage();
  const isWrong = weeksOf(values) === null;
  return (
    <div className="columns booking-when">
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
