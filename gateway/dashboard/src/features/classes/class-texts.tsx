import type { SwimClass } from '@swim/sdk';
import { Badge, type Tone } from '../../design/badge.tsx';
import { otherZone } from '../../design/values/instant-text.ts';
import { weekdayName } from '../../design/values/weekday.ts';
import { useLanguage } from '../../texts/language.tsx';

const TONES: Readonly<Record<SwimClass['status'], Tone>> = { draft: 'warning', open: 'accent', closed: 'neutral' };

/** The state of a class. */
export function ClassBadge({ status }: Pick<SwimClass, 'status'>) {
  const { t } = useLanguage();
  return <Badge tone={TONES[status]}>{t(`classes.status.${status}`)}</Badge>;
}

/** On which weekdays, and when, the lessons of a class are. */
export function useClassTimes(): (swimClass: SwimClass) => string {
  const { tag } = useLanguage();
  return ({ recurrence: { weekdays, start_local: start, timezone } }) => {
    const days = weekdays.map((each) => weekdayName(each, tag, weekdays.length > 1 ? 'short' : 'long'));
    return [days.join(', '), start.slice(11), otherZone(timezone)].filter(Boolean).join(' ');
  };
}

/** When the lessons of a class are, and how long. */
export function ClassTimes({ of }: { of: SwimClass }) {
  const { t } = useLanguage();
  const timesOf = useClassTimes();
  return (
    <span className="stack-tight">
      {timesOf(of)}
      <span className="hint">{t('bookings.minutes', { count: of.duration_minutes })}</span>
    </span>
  );
}
