import type { CalendarDate } from '@internationalized/date';
import type { Instructor, Lesson as StoredLesson } from '@swim/sdk';
import { takingPart } from '../../../api/lessons.ts';
import { weekdayOf } from '../../../design/values/weekday.ts';
import { dateIn, instantOf, minutesOfDay } from './days.ts';

/** The kinds of lessons that have a colour of their own. */
export type LessonState = 'scheduled' | 'attended' | 'no_show' | 'excused' | 'cancelled';

/** A lesson of the calendar. */
export interface Lesson {
  /** Its id. */
  readonly key: string;
  readonly stored: StoredLesson;
  /** Who takes part. */
  readonly memberIds: readonly string[];
  readonly instructorId: string;
  readonly poolId: string | null;
  readonly state: LessonState;
  readonly startMs: number;
  readonly endMs: number;
  /** Which of the days it is on. */
  readonly day: number;
  /** Minutes since midnight by the clock on the wall. */
  readonly startMinutes: number;
  readonly minutes: number;
}

/** Time of a day. */
export interface DayTime {
  /** Which of the days it is on. */
  readonly day: number;
  /** Minutes since midnight by the clock on the wall. */
  readonly startMinutes: number;
  readonly endMinutes: number;
}

/** Closed time of a day. */
export interface ClosedTime extends DayTime {
  readonly key: string;
  readonly reason: string;
}

/** A row of the calendar: an instructor, or a lane of a pool. */
export interface Row {
  readonly key: string;
  /** The instructor or the pool. */
  readonly resourceId: string;
  readonly title: string;
  readonly detail: string;
  readonly lessons: readonly PlacedLesson[];
  /** How many lessons lie above each other where they overlap. */
  readonly levels: number;
  readonly closed?: readonly ClosedTime[];
  /** Time outside the hours that an instructor publishes. */
  readonly outside?: readonly DayTime[];
}

export interface PlacedLesson extends Lesson {
  /** 0 on top. */
  readonly level: number;
}

/** The hours that each day shows. */
export interface Hours {
  readonly first: number;
  readonly last: number;
}

/** The published hours of an instructor. */
export type Published = Pick<Instructor, 'timezone' | 'availability_schedule'>;

/** When lessons usually are. */
export const USUAL: Hours = { first: 8, last: 18 };

/** The state of a lesson; the outcome of its members where all have the same. */
export function stateOf(lesson: Pick<StoredLesson, 'status' | 'sessions'>): LessonState {
  if (lesson.status === 'cancelled') return 'cancelled';
  const outcomes = new Set(takingPart(lesson).map(({ attendance }) => attendance));
  const [outcome] = outcomes;
  if (outcomes.size === 1 && (outcome === 'no_show' || outcome === 'excused')) return outcome;
  return lesson.status === 'completed' || outcomes.has('attended') ? 'attended' : 'scheduled';
}

/** The lessons on days, in a time zone. */
export function lessonsOf(lessons: readonly StoredLesson[], days: readonly CalendarDate[], timeZone: string): Lesson[] {
  const dayOf = new Map(days.map((day, at) => [day.toString(), at]));
  return lessons.flatMap((stored) => {
    const startMs = Date.parse(stored.date);
    const day = dayOf.get(dateIn(startMs, timeZone).toString());
    if (day === undefined) return [];
    return {
      key: stored.id,
      stored,
      memberIds: [...new Set(takingPart(stored).map(({ member_id: id }) => id))],
      instructorId: stored.instructor_id,
      poolId: stored.location?.pool_id ?? null,
      state: stateOf(stored),
      startMs,
      endMs: Date.parse(stored.end_date),
      day,
      startMinutes: minutesOfDay(startMs, timeZone),
      minutes: stored.duration_minutes,
    };
  });
}

/** A time of a day: minutes since midnight by the clock on the wall, and its length. */
export type Stretch = Pick<Lesson, 'day' | 'startMinutes' | 'minutes'>;

/** The hours that show every lesson, all time that is published for some, and when lessons usually are. */
export function hoursOf(shown: readonly Omit<Stretch, 'day'>[]): Hours {
  let { first, last } = USUAL;
  for (const { startMinutes, minutes } of shown) {
    first = Math.min(first, Math.floor(startMinutes / 60));
    last = Math.max(last, Math.min(24, Math.ceil((startMinutes + minutes) / 60)));
  }
  return { first, last };
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The time that instructors publish on days, by the clocks of a time zone. */
export function publishedOn(
  days: readonly CalendarDate[],
  instructors: readonly Published[],
  timeZone: string,
): Stretch[] {
  return instructors.flatMap(({ timezone, availability_schedule: { weekly, overrides } }) =>
    days.flatMap((day, at) => {
      const date = day.toString();
      const weekday = weekdayOf(date);
      const windows =
        overrides.find((each) => each.date === date)?.windows ?? weekly.filter((each) => each.day === weekday);
      return windows.map(({ start, end }) => ({
        day: at,
        startMinutes: minutesOfDay(instantOf(day, minutesOf(start), timezone), timeZone),
        minutes: minutesOf(end) - minutesOf(start),
      }));
    }),
  );
}

const byStart = (a: Lesson, b: Lesson): number => a.startMs - b.startMs || a.endMs - b.endMs;

/** Lessons on levels, so that no two of a level overlap; each on the topmost that is free. */
export function placed(lessons: readonly Lesson[]): { lessons: PlacedLesson[]; levels: number } {
  const ends: number[] = [];
  const placedLessons = lessons.toSorted(byStart).map((lesson) => {
    const free = ends.findIndex((end) => end <= lesson.startMs);
    const level = free < 0 ? ends.length : free;
    ends[level] = lesson.endMs;
    return { ...lesson, level };
  });
  return { lessons: placedLessons, levels: Math.max(1, ends.length) };
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** One row for each instructor, in the order of their names; those of lessons come even if they are not listed. */
export function instructorRows(lessons: readonly Lesson[], instructors: readonly Named[], unknown: string): Row[] {
  const byInstructor = Map.groupBy(lessons, ({ instructorId }) => instructorId);
  const listed = new Set(instructors.map(({ id }) => id));
  const others = [...byInstructor.keys()].filter((id) => !listed.has(id)).map((id) => ({ id, name: unknown }));
  return [...instructors.toSorted((a, b) => a.name.localeCompare(b.name)), ...others].map(({ id, name }) => ({
    key: id,
    resourceId: id,
    title: name,
    detail: '',
    ...placed(byInstructor.get(id) ?? []),
  }));
}

interface LanePool extends Named {
  readonly lanes: number | null;
}

/** One row for each lane of each pool. Lessons have a pool and no lane: each is shown on the first lane that is free. */
export function laneRows(
  lessons: readonly Lesson[],
  pools: readonly LanePool[],
  laneTitle: (lane: number) => string,
): Row[] {
  const byPool = Map.groupBy(
    lessons.filter(({ state }) => state !== 'cancelled'),
    ({ poolId }) => poolId ?? '',
  );
  return pools.flatMap(({ id, name, lanes }) => {
    const { lessons: onLanes, levels } = placed(byPool.get(id) ?? []);
    const byLane = Map.groupBy(onLanes, ({ level }) => level);
    return Array.from({ length: Math.max(lanes ?? 0, levels) }, (_, lane) => ({
      key: `${id}-${lane}`,
      resourceId: id,
      title: name,
      detail: laneTitle(lane + 1),
      lessons: (byLane.get(lane) ?? []).map((lesson) => ({ ...lesson, level: 0 })),
      levels: 1,
    }));
  });
}

/** Rows in which the lessons of a day are a list: by their times, each on a level of its own. */
export const listed = (rows: readonly Row[]): Row[] =>
  rows.map((row) => {
    const counts = new Map<number, number>();
    const lessons = row.lessons.toSorted(byStart).map((lesson) => {
      const level = counts.get(lesson.day) ?? 0;
      counts.set(lesson.day, level + 1);
      return { ...lesson, level };
    });
    return { ...row, lessons, levels: Math.max(1, ...counts.values()) };
  });

/** Where an arrow key leads. */
export type Direction = 'left' | 'right' | 'up' | 'down';

/** The lesson that an arrow key leads to from another one: by time within a row, the nearest of the next row; undefined without. */
export function neighbourOf(rows: readonly Row[], key: string, direction: Direction): string | undefined {
  const row = rows.findIndex(({ lessons }) => lessons.some((lesson) => lesson.key === key));
  if (row < 0) return undefined;
  const own = rows[row]!.lessons;
  const at = own.findIndex((lesson) => lesson.key === key);
  if (direction === 'left' || direction === 'right') return own[at + (direction === 'left' ? -1 : 1)]?.key;
  const candidates = direction === 'up' ? rows.slice(0, row).reverse() : rows.slice(row + 1);
  const next = candidates.find(({ lessons }) => lessons.length > 0);
  const distance = (lesson: Lesson) => Math.abs(lesson.startMs - own[at]!.startMs);
  return next?.lessons.toSorted((a, b) => distance(a) - distance(b))[0]?.key;
}

/** The neighbour of a lesson where days are lists: up and down in the lists of a day, left and right to the row's next day with lessons. */
export function listNeighbourOf(rows: readonly Row[], key: string, direction: Direction): string | undefined {
  const row = rows.find(({ lessons }) => lessons.some((lesson) => lesson.key === key));
  const own = row?.lessons.find((lesson) => lesson.key === key);
  if (!row || !own) return undefined;
  if (direction === 'up' || direction === 'down') {
    const ofDay = rows.flatMap(({ lessons }) => lessons.filter(({ day }) => day === own.day));
    return ofDay[ofDay.findIndex((lesson) => lesson.key === key) + (direction === 'up' ? -1 : 1)]?.key;
  }
  const later = row.lessons.filter(({ day }) => (direction === 'right' ? day > own.day : day < own.day));
  const next = later.at(direction === 'right' ? 0 : -1)?.day;
  const list = later.filter(({ day }) => day === next);
  return (list.find(({ level }) => level === own.level) ?? list.at(-1))?.key;
}
