import { describe, expect, it } from '@jest/globals';
import { DEMO_LESSONS, DEMO_PUPILS, demoInstructors } from '@swim/contracts';
import { firstDateOf } from './demo-week.rules.js';

const first = (at: string, time: string, timezone = 'Europe/Berlin') => firstDateOf(new Date(at), time, timezone);

describe('the first date of a lesson of the demo data', () => {
  it('is today where the lesson begins in an hour or more, else tomorrow', () => {
    expect(first('2027-03-01T08:00:00Z', '10:00')).toBe('2027-03-01');
    expect(first('2027-03-01T08:01:00Z', '10:00')).toBe('2027-03-02');
    expect(first('2027-12-31T12:00:00Z', '10:00')).toBe('2028-01-01');
  });

  it('is the local date', () => {
    expect(first('2027-03-01T20:00:00Z', '08:00', 'Asia/Kathmandu')).toBe('2027-03-02');
    expect(first('2027-03-02T02:00:00Z', '22:30', 'America/New_York')).toBe('2027-03-01');
  });
});

describe('the lessons of the demo data', () => {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  const times = DEMO_LESSONS.flatMap((lesson) =>
    lesson.weekdays.map((day) => ({
      ...lesson,
      day,
      start: minutes(lesson.time),
      end: minutes(lesson.time) + lesson.durationMinutes,
    })),
  );
  const overlaps = (a: (typeof times)[number], b: (typeof times)[number]) =>
    a !== b && a.day === b.day && a.start < b.end && b.start < a.end;

  it('lie within the hours of their instructors, and no two of one of them overlap', () => {
    const instructors = demoInstructors('pool');
    for (const lesson of times) {
      const hours = instructors[lesson.instructor]!.availability_schedule!.weekly!;
      expect(
        hours.some(
          ({ day, start, end }) => day === lesson.day && minutes(start) <= lesson.start && lesson.end <= minutes(end),
        ),
      ).toBe(true);
      expect(times.filter((other) => other.instructor === lesson.instructor && overlaps(lesson, other))).toEqual([]);
    }
  });

  it('are on each day of the week, and each pupil has some', () => {
    expect(new Set(times.map(({ day }) => day)).size).toBe(7);
    expect(new Set(times.flatMap(({ pupils }) => pupils)).size).toBe(DEMO_PUPILS.length);
  });
});
