import { describe, expect, it } from '@jest/globals';
import { DEMO_LESSONS, DEMO_MEMBERS, demoInstructors } from '../../../libs/contracts/src/sandbox/demo-data.ts';
import { CLASSES } from './classes.ts';
import { CAPACITY, OTHER_CHILDREN, plannedLessons } from './open-lessons.ts';

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 86_400_000;
const CHILDREN = [...DEMO_MEMBERS, ...OTHER_CHILDREN.second_family, ...OTHER_CHILDREN.third_family];

/** Starts each half hour of four weeks, with the offset of Berlin's winter. */
const starts = (from: string) =>
  Array.from({ length: 28 * 48 }, (_, index) => {
    const local = new Date(Date.parse(from) + index * HALF_HOUR_MS).toISOString();
    return `${local.slice(0, 19)}+01:00`;
  });

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

describe('the classes of the demo', () => {
  it('have children whom they fit, lie beside the other lessons, and one is full with a line', () => {
    for (const { children, waiting, capacity, levels, weekday } of CLASSES) {
      for (const child of [...children, ...waiting])
        expect(levels).toContain(CHILDREN.find(({ name }) => name === child)!.swimming_level);
      expect(children.length).toBeLessThanOrEqual(capacity);
      const others = DEMO_LESSONS.filter((each) => each.instructor === 0 && each.weekdays.includes(weekday));
      for (const { time, durationMinutes } of others)
        expect(minutes(time) + durationMinutes <= minutes('16:30') || minutes(time) >= minutes('17:15')).toBe(true);
    }
    const full = CLASSES.filter(({ children, capacity }) => children.length === capacity);
    expect(full).toHaveLength(1);
    expect(full[0]!.waiting).toHaveLength(1);
  });
});

describe('the open lessons of the demo', () => {
  it('are two a week at the hours of the instructor, and one of four weeks is full', () => {
    for (let day = 0; day < 28; day += 1) {
      const planned = plannedLessons(starts(new Date(Date.parse('2026-12-01T00:00Z') + day * DAY_MS).toISOString()));
      expect(planned).toHaveLength(8);
      expect(planned.filter(({ children }) => children.length === CAPACITY)).toHaveLength(1);
      expect(planned.filter(({ children }) => children.length === 3)).toHaveLength(7);
    }
  });

  it('have children of three families, whom levels and ages fit', () => {
    for (const { date, lesson, children } of plannedLessons(starts('2026-12-01T00:00:00.000Z'))) {
      for (const child of children) {
        const { date_of_birth, swimming_level } = CHILDREN.find(({ name }) => name === child)!;
        expect(lesson.levels).toContain(swimming_level);
        const years = (Date.parse(date) - Date.parse(date_of_birth)) / (365.25 * DAY_MS);
        expect(years).toBeGreaterThanOrEqual(lesson.min_age_years!);
        expect(years).toBeLessThan(lesson.max_age_years!);
      }
      expect(new Set(children.map((name) => name.split(' ')[1])).size).toBe(3);
    }
  });

  it('overlap no lesson of the demo data, and lie within published hours', () => {
    const [instructor] = demoInstructors('pool');
    const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
    for (const start of starts('2026-12-01T00:00:00.000Z')) {
      if (!plannedLessons([start]).length) continue;
      const day = days[new Date(`${start.slice(0, 10)}T00:00Z`).getUTCDay()]!;
      const [from, to] = [minutes(start.slice(11)), minutes(start.slice(11)) + 45];
      const hours = instructor!.availability_schedule!.weekly!.find((each) => each.day === day)!;
      expect(minutes(hours.start) <= from && to <= minutes(hours.end)).toBe(true);
      const others = DEMO_LESSONS.filter((each) => each.instructor === 0 && each.weekdays.includes(day));
      expect(
        others.some(({ time, durationMinutes }) => minutes(time) < to && from < minutes(time) + durationMinutes),
      ).toBe(false);
    }
  });
});
