import { useLanguage } from '../../texts/language.tsx';
import { otherZone } from '../values/instant-text.ts';
import type { WallClock } from '../values/wall-clock.ts';
import { type FieldProblem, TextField } from './fields.tsx';

interface WallClockFieldsProps {
  readonly dateLabel: string;
  readonly timeLabel?: string;
  readonly value: WallClock;
  readonly onChange: (value: WallClock) => void;
  readonly timeZone: string;
  readonly error?: FieldProblem | undefined;
}

/** A date and a time by the clock of a time zone, which is named where it is not the reader's. */
export function WallClockFields({ dateLabel, timeLabel, value, onChange, timeZone, error }: WallClockFieldsProps) {
  const { t } = useLanguage();
  const { date, time } = value;
  return (
    <>
      <TextField
        label={dateLabel}
        type="date"
        value={date}
        onChange={(next) => onChange({ date: next, time })}
        error={error}
        isRequired
      />
      <TextField
        label={timeLabel ?? t('calendar.time')}
        description={otherZone(timeZone)}
        type="time"
        value={time}
        onChange={(next) => onChange({ date, time: next })}
        isRequired
      />
    </>
  );
}
