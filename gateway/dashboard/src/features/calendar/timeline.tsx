import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { hasPlaces } from '../../api/lessons.ts';
import { useLanguage } from '../../texts/language.tsx';
import { closesDay } from './layout/closed.ts';
import { emptyAt, type Geometry, hourStep, leftOf, rowHeightOf, type Spot } from './layout/geometry.ts';
import {
  type ClosedTime,
  type DayTime,
  type Direction,
  type Lesson,
  listNeighbourOf,
  neighbourOf,
  type PlacedLesson,
  type Row,
} from './layout/layout.ts';
import { isWholeDay } from './layout/outside.ts';
import { clockText, LessonBlock } from './lesson-block.tsx';
import { TimeAxis } from './time-axis.tsx';
import { type Drop, type Ghost, useDrag } from './use-drag.ts';

interface TimelineProps {
  readonly rows: readonly Row[];
  readonly geometry: Geometry;
  /** The date to which the days are scrolled where the screen is too narrow for all of them. */
  readonly date: string;
  readonly names: ReadonlyMap<string, string>;
  /** The present; null while it is on none of the days. */
  readonly now: Spot | null;
  /** Absent where lessons cannot be moved. */
  readonly onDrop?: ((drop: Drop) => void) | undefined;
  /** Called with an empty hour of a row that is clicked. Absent where lessons cannot be made. */
  readonly onAdd?: ((spot: Spot, row: Row) => void) | undefined;
  readonly onOpen: (lesson: Lesson) => void;
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const keyOf = (target: EventTarget): string | undefined =>
  (target as Element).closest<HTMLElement>('[data-lesson]')?.dataset.lesson;

function useWho(names: ReadonlyMap<string, string>) {
  const { t } = useLanguage();
  return useCallback(
    ({ stored, memberIds }: Lesson) => {
      const who = memberIds.map((id) => names.get(id) ?? t('calendar.someone')).toSorted((a, b) => a.localeCompare(b));
      const count = who.length;
      if (hasPlaces(stored)) return [t('lessons.taken', { count, capacity: stored.capacity }), ...who].join(', ');
      return count > 1 ? t('calendar.group', { count }) : (who[0] ?? '–');
    },
    [names, t],
  );
}

/** Where time of a day is along its hours, as far as they are shown; null where it is not. */
function spanOf({ day, startMinutes, endMinutes }: DayTime, geometry: Geometry) {
  const { first, last } = geometry.axis!.hours;
  const start = Math.max(startMinutes, first * 60);
  const end = Math.min(endMinutes, last * 60);
  if (end <= start) return null;
  const left = leftOf(geometry, day, start);
  return { left, width: leftOf(geometry, day, end) - left };
}

/** Time in which no lesson is given: it is closed, or outside the hours of the instructor. */
function Shades({ row: { closed = [], outside = [] }, geometry }: { row: Row; geometry: Geometry }) {
  return (
    <>
      {outside.map((time) => {
        const style = spanOf(time, geometry);
        return style && <div key={`${time.day} ${time.startMinutes}`} className="timeline-outside" style={style} />;
      })}
      {closed.map((time) => {
        const style = spanOf(time, geometry);
        return (
          style && <div key={time.key} className="timeline-closed" data-closed title={time.reason} style={style} />
        );
      })}
    </>
  );
}

interface DayListProps {
  readonly width: number;
  readonly closed: ClosedTime | undefined;
  readonly isOff: boolean;
  readonly children: ReactNode;
}

/** The lessons of a day as a list. */
function DayList({ width, closed, isOff, children }: DayListProps) {
  return (
    <div style={{ width }} title={closed?.reason} data-closed={closed && ''} data-off={isOff ? '' : undefined}>
      {children}
    </div>
  );
}

interface RowProps {
  readonly row: Row;
  readonly geometry: Geometry;
  readonly who: (lesson: Lesson) => string;
  readonly focusable: string | undefined;
}

/** Remembered, since a drag renders the timeline with each movement of the pointer. */
const TimelineRow = memo(function TimelineRow({ row, geometry, who, focusable }: RowProps) {
  const { axis, dayWidth, days, namesWidth } = geometry;
  const width = dayWidth * days.length;
  const blockOf = (lesson: PlacedLesson) => (
    <LessonBlock
      key={lesson.key}
      lesson={lesson}
      geometry={geometry}
      who={who(lesson)}
      isFocusable={lesson.key === focusable}
    />
  );
  const hours = axis ? `, ${axis.hourWidth * hourStep(axis)}px 100%` : ', 0 0';
  return (
    <div
      className="timeline-row"
      data-row={row.key}
      style={{ width: namesWidth + width, height: rowHeightOf(geometry, row) }}
    >
      <div className="timeline-name">
        <span>{row.title}</span>
        {row.detail && <span className="hint">{row.detail}</span>}
      </div>
      <div
        className="timeline-lessons"
        data-listed={!axis || undefined}
        style={{ width, backgroundSize: `${dayWidth}px 100%${hours}` }}
      >
        {axis && <Shades row={row} geometry={geometry} />}
        {axis
          ? row.lessons.map(blockOf)
          : days.map((day, at) => (
              <DayList
                key={day.toString()}
                width={dayWidth}
                closed={row.closed?.find((closed) => closed.day === at && closesDay(closed))}
                isOff={row.outside?.some((time) => time.day === at && isWholeDay(time)) ?? false}
              >
                {row.lessons.filter((lesson) => lesson.day === at).map(blockOf)}
              </DayList>
            ))}
      </div>
    </div>
  );
});

/** Which lesson the tab key reaches, and how arrow keys lead from it to others. */
function useWalk(
  rows: readonly Row[],
  lessons: ReadonlyMap<string, PlacedLesson>,
  { box, neighbour }: { box: RefObject<HTMLDivElement | null>; neighbour: typeof neighbourOf },
) {
  const [focused, setFocused] = useState<string | undefined>();
  const walk = (event: KeyboardEvent) => {
    const direction = ARROWS[event.key];
    const key = keyOf(event.target);
    if (!direction || !key) return;
    event.preventDefault();
    const next = neighbour(rows, key, direction);
    if (!next) return;
    setFocused(next);
    box.current?.querySelector<HTMLElement>(`[data-lesson="${CSS.escape(next)}"]`)?.focus();
  };
  const focusable = focused && lessons.has(focused) ? focused : lessons.keys().next().value;
  return { focusable, walk };
}

function GhostBlock({ ghost, geometry }: { ghost: Ghost; geometry: Geometry }) {
  const left = geometry.namesWidth + leftOf(geometry, ghost.spot.day, ghost.spot.minutes);
  return (
    <div className="lesson-ghost" style={{ left, top: ghost.top, ...ghost.size }}>
      {clockText(ghost.spot.minutes)}
    </div>
  );
}

/** Where the present is along the hours; absent in lists, and before and after the hours that are shown. */
function NowLine({ now, geometry }: { now: Spot; geometry: Geometry }) {
  const { axis, namesWidth } = geometry;
  if (!axis || now.minutes < axis.hours.first * 60 || now.minutes >= axis.hours.last * 60) return null;
  return <div className="timeline-now" style={{ left: namesWidth + leftOf(geometry, now.day, now.minutes) }} />;
}

/** Scrolls to a day, whenever another one is asked for or its width changes. */
function useScrollTo(date: string, { days, dayWidth }: Geometry, box: RefObject<HTMLDivElement | null>): void {
  const left = days.findIndex((day) => day.toString() === date) * dayWidth;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same weekday of another week changes `date` alone.
  useLayoutEffect(() => {
    if (box.current) box.current.scrollLeft = left;
  }, [left, date, box]);
}

/** The lessons of days, one row for each instructor or lane; one stop of the tab key, walked by arrow keys. */
export function Timeline({ rows, geometry, date, names, now, onDrop, onAdd, onOpen }: TimelineProps) {
  const { t } = useLanguage();
  const who = useWho(names);
  const box = useRef<HTMLDivElement>(null);
  const lessons = useMemo(
    () => new Map<string, PlacedLesson>(rows.flatMap((row) => row.lessons.map((lesson) => [lesson.key, lesson]))),
    [rows],
  );
  const { focusable, walk } = useWalk(rows, lessons, {
    box,
    neighbour: geometry.axis ? neighbourOf : listNeighbourOf,
  });
  useScrollTo(date, geometry, box);
  const { ghost, handlers, wasDragged } = useDrag({ box, geometry, lessons, onDrop });
  const open = (event: MouseEvent) => {
    if (wasDragged()) return;
    const lesson = lessons.get(keyOf(event.target) ?? '');
    if (lesson) onOpen(lesson);
    else addAt(event);
  };
  const addAt = ({ target, clientX }: MouseEvent) => {
    const lane = (target as Element).closest('.timeline-lessons');
    const rowKey = lane?.closest<HTMLElement>('[data-row]')?.dataset.row;
    const row = rows.find(({ key }) => key === rowKey);
    if (lane && row) onAdd?.(emptyAt(geometry, clientX - lane.getBoundingClientRect().left), row);
  };
  const label = t('nav.calendar');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table has no place for lessons between its cells.
    <div
      className="timeline"
      data-addable={onAdd ? '' : undefined}
      ref={box}
      style={{ '--names-width': `${geometry.namesWidth}px` } as CSSProperties}
      role="group"
      aria-label={label}
      onKeyDown={walk}
      onClick={open}
      {...handlers}
    >
      <TimeAxis geometry={geometry} today={now?.day ?? -1} />
      {rows.map((row) => (
        <TimelineRow key={row.key} row={row} geometry={geometry} who={who} focusable={focusable} />
      ))}
      {now && <NowLine now={now} geometry={geometry} />}
      {ghost && <GhostBlock ghost={ghost} geometry={geometry} />}
    </div>
  );
}
