import { Checkbox, TextField } from '../../../design/fields/fields.tsx';
import { WallClockFields } from '../../../design/fields/wall-clock-fields.tsx';
import { WholeNumberField } from '../../../design/fields/whole-number-field.tsx';
import { fieldErrorOf } from '../../../design/notice.tsx';
import { PlaceFields, TeacherFields } from '../../../design/teaching/teaching-fields.tsx';
import { WEEKDAYS, weekdayName, weekdayOf } from '../../../design/values/weekday.ts';
import { Day } from '../../../design/values/when.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { type ClassValues, recurrenceOf } from '../class-body.ts';
import { datesOf } from '../class-dates.ts';

interface ClassFieldsProps {
  readonly values: ClassValues;
  readonly set: (changes: Partial<ClassValues>) => void;
  readonly currency: string;
  /** By whose clock its times are typed. */
  readonly timeZone: string;
  readonly error: unknown;
  /** Whether it has lessons: its weekdays and its first day stay then. */
  readonly isOpen?: boolean;
}

function When({ values, set, timeZone, error, isOpen }: ClassFieldsProps) {
  const { t } = useLanguage();
  const change = (next: Pick<ClassValues, 'date' | 'time'>) => {
    const follows = next.date !== '' && next.date !== values.date && values.weekdays.length < 2;
    set({ ...next, ...(follows ? { weekdays: [weekdayOf(next.date)] } : {}) });
  };
  return (
    <div className="columns lesson-when">
      {isOpen ? (
        <TextField
          label={t('calendar.time')}
          type="time"
          value={values.time}
          onChange={(time) => set({ time })}
          isRequired
        />
      ) : (
        <WallClockFields
          dateLabel={t('bookings.day')}
          value={values}
          onChange={change}
          timeZone={timeZone}
          error={fieldErrorOf(error, 'recurrence.start_local')}
        />
      )}
      <WholeNumberField
        label={t('lessons.minutes')}
        value={values.minutes}
        onChange={(minutes) => set({ minutes })}
        error={fieldErrorOf(error, 'duration_minutes')}
      />
      <WholeNumberField
        label={t('classes.count')}
        value={values.count}
        onChange={(count) => set({ count })}
        error={fieldErrorOf(error, 'recurrence.count')}
      />
    </div>
  );
}

function Weekdays({ values, set }: ClassFieldsProps) {
  const { t, tag } = useLanguage();
  const without = (day: string) => values.weekdays.filter((each) => each !== day);
  return (
    <fieldset className="plain-fieldset">
      <legend className="label">{t('classes.weekdays')}</legend>
      <div className="row checks">
        {WEEKDAYS.map((day) => (
          <Checkbox
            key={day}
            isSelected={values.weekdays.includes(day)}
            onChange={(isOn) =>
              set({ weekdays: WEEKDAYS.filter((each) => (isOn && each === day) || without(day).includes(each)) })
            }
          >
            {weekdayName(day, tag, 'short')}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}

/** The dates that the form makes; each can be left out. */
function Dates({ values, set, timeZone }: ClassFieldsProps) {
  const { t } = useLanguage();
  const recurrence = recurrenceOf(values, timeZone);
  if (!recurrence) return null;
  const dates = datesOf(recurrence);
  const except = (date: string, isOn: boolean) =>
    set({ except: [...recurrence.except.filter((each) => each !== date), ...(isOn ? [] : [date])] });
  return (
    <fieldset className="plain-fieldset">
      <legend className="label">{t('classes.dates', { count: dates.length - recurrence.except.length })}</legend>
      <div className="class-dates">
        {dates.map((date) => (
          <Checkbox key={date} isSelected={!recurrence.except.includes(date)} onChange={(isOn) => except(date, isOn)}>
            <Day date={date} hasWeekday />
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}

/** The fields of a class, and the dates that follow from them. */
export function ClassFields(props: ClassFieldsProps) {
  const { values, set, error } = props;
  const { t } = useLanguage();
  return (
    <>
      <TextField
        label={t('members.name')}
        value={values.name}
        onChange={(name) => set({ name })}
        error={fieldErrorOf(error, 'name')}
        isRequired
      />
      <TextField
        label={t('classes.description')}
        rows={2}
        value={values.description}
        onChange={(description) => set({ description })}
        error={fieldErrorOf(error, 'description')}
      />
      <TeacherFields {...props} />
      <When {...props} />
      {!props.isOpen && <Weekdays {...props} />}
      <Dates {...props} />
      <PlaceFields {...props} />
    </>
  );
}
