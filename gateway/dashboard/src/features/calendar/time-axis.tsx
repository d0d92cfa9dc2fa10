import { useLanguage } from '../../texts/language.tsx';
import { type Geometry, hourStep } from './geometry.ts';

const LABEL_WIDTH = 24;

/** The days and hours above the rows. */
export function TimeAxis({ geometry }: { geometry: Geometry }) {
  const { tag, t } = useLanguage();
  const { days, hours, hourWidth, dayWidth, timeZone } = geometry;
  const format = new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', month: 'short', timeZone });
  const every = hourStep(geometry);
  const labels = Array.from({ length: hours.last - hours.first }, (_, at) => hours.first + at).filter(
    (hour) => (hour - hours.first) % every === 0 && (hours.last - hour) * hourWidth >= LABEL_WIDTH,
  );
  return (
    <div className="timeline-axis">
      <div className="timeline-name">{t('calendar.zone', { zone: timeZone })}</div>
      {days.map((day) => (
        <div key={day.toString()} className="timeline-day" style={{ width: dayWidth }}>
          <span className="timeline-date">{format.format(day.toDate(timeZone))}</span>
          <span className="timeline-hours">
            {labels.map((hour) => (
              <span key={hour} style={{ left: (hour - hours.first) * hourWidth }}>
                {String(hour).padStart(2, '0')}
              </span>
            ))}
          </span>
        </div>
      ))}
    </div>
  );
}
