import { useLanguage } from '../../texts/language.tsx';
import { type Axis, type Geometry, hourStep } from './layout/geometry.ts';

const LABEL_WIDTH = 24;

function HourLabels({ axis: { hours, hourWidth }, every }: { readonly axis: Axis; readonly every: number }) {
  const labels = Array.from({ length: hours.last - hours.first }, (_, at) => hours.first + at).filter(
    (hour) => (hour - hours.first) % every === 0 && (hours.last - hour) * hourWidth >= LABEL_WIDTH,
  );
  return (
    <span className="timeline-hours">
      {labels.map((hour) => (
        <span key={hour} style={{ left: (hour - hours.first) * hourWidth }}>
          {String(hour).padStart(2, '0')}
        </span>
      ))}
    </span>
  );
}

interface TimeAxisProps {
  readonly geometry: Geometry;
  /** The index of the day that is today; -1 for none. */
  readonly today: number;
}

/** The days above the rows, and their hours. */
export function TimeAxis({ geometry, today }: TimeAxisProps) {
  const { tag, t } = useLanguage();
  const { days, axis, dayWidth, timeZone } = geometry;
  const format = new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', month: 'short', timeZone });
  return (
    <div className="timeline-axis">
      <div className="timeline-name">{t('calendar.zone', { zone: timeZone })}</div>
      {days.map((day, at) => (
        <div
          key={day.toString()}
          className="timeline-day"
          aria-current={at === today ? 'date' : undefined}
          style={{ width: dayWidth }}
        >
          <span className="timeline-date">{format.format(day.toDate(timeZone))}</span>
          {axis && <HourLabels axis={axis} every={hourStep(axis)} />}
        </div>
      ))}
    </div>
  );
}
