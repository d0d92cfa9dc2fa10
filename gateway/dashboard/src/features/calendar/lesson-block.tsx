import { memo } from 'react';
import { hasPlaces } from '../../api/lessons.ts';
import { useLanguage } from '../../texts/language.tsx';
import { type Geometry, placeOf, sizeOf } from './layout/geometry.ts';
import type { PlacedLesson } from './layout/layout.ts';

const NARROW = 44;
const LEAST_FOR_COUNT = 22;

/** A time of a day, such as 16:05. */
export const clockText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

interface BlockProps {
  readonly lesson: PlacedLesson;
  readonly geometry: Geometry;
  /** The name of the member, or how many take part. */
  readonly who: string;
  readonly isFocusable: boolean;
}

/**
 * A lesson in its row. A plain button without handlers of its own: a week has hundreds of them, and the calendar handles the events
 * of all.
 */
export const LessonBlock = memo(function LessonBlock({ lesson, geometry, who, isFocusable }: BlockProps) {
  const { t } = useLanguage();
  const size = sizeOf(geometry, lesson.minutes);
  const { left, top } = placeOf(geometry, lesson);
  // Lists have no need of positions, which would take the browser longer than all else about their lessons.
  const place = geometry.axis ? { transform: `translate(${left}px, ${top}px)` } : {};
  const isNarrow = size.width < NARROW;
  const time = clockText(lesson.startMinutes);
  const { stored, memberIds } = lesson;
  // A name needs more width than the number of places that are taken.
  const hasCount = isNarrow && size.width >= LEAST_FOR_COUNT && hasPlaces(stored);
  return (
    <button
      type="button"
      className="lesson"
      data-lesson={lesson.key}
      data-state={lesson.state}
      data-narrow={(isNarrow && !hasCount) || undefined}
      data-count={hasCount || undefined}
      data-empty={memberIds.length === 0 || undefined}
      data-time={time}
      tabIndex={isFocusable ? 0 : -1}
      title={`${time} ${who}`}
      aria-label={t('calendar.lessonLabel', { time, minutes: lesson.minutes, who, state: t(`lesson.${lesson.state}`) })}
      style={{ ...place, ...size }}
    >
      {hasCount ? `${memberIds.length}/${stored.capacity}` : !isNarrow && who}
    </button>
  );
});
