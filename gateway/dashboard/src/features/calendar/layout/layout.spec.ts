import { parseDate } from '@internationalized/date';
import { describe, expect, it } from '@jest/globals';
import type { Lesson as StoredLesson } from '@swim/sdk';
import fc from 'fast-check';
import { dateIn, instantOf, minutesOfDay, periodAround } from './days.ts';
import {
  hoursOf,
  instructorRows,
  type Lesson,
  laneRows,
  lessonsOf,
  listed,
  listNeighbourOf,
  neighbourOf,
  placed,
  publishedOn,
  stateOf,
} from './layout.ts';

const ZONE = 'Europe/Berlin';
const { days } = periodAround(parseDate('2027-03-03'), 'week', ZONE);

let made = 0;
const sessionOf = (attendance = 'pending', status = 'scheduled') => {
  made += 1;
  return { id: `ses_${made}`, member_id: `mem_${made}`, attendance, status } as StoredLesson['sessions'][number];
};
const stored = (date: string, changes: Partial<StoredLesson> = {}): StoredLesson => {
  made += 1;
  const duration = changes.duration_minutes ?? 30;
  return {
    id: `lsn_${made}`,
    instructor_id: 'ins_1',
    date,
    end_date: new Date(Date.parse(date) + duration * 60_000).toISOString(),
    duration_minutes: duration,
    status: 'scheduled',
    sessions: [],
    location: null,
    ...changes,
  } as StoredLesson;
};

describe('the period of the calendar', () => {
  it('is the week from Monday to Monday, by the clocks of the account', () => {
    expect(days.map(String)).toEqual([
      '2027-03-01',
      '2027-03-02',
      '2027-03-03',
      '2027-03-04',
      '2027-03-05',
      '2027-03-06',
      '2027-03-07',
    ]);
    const { from, to } = periodAround(parseDate('2027-03-03'), 'week', ZONE);
    expect([from, to]).toEqual(['2027-02-28T23:00:00.000Z', '2027-03-07T23:00:00.000Z']);
  });

  it('has an hour less in the week in which the clocks go forward', () => {
    const { from, to } = periodAround(parseDate('2027-03-28'), 'week', ZONE);
    expect((Date.parse(to) - Date.parse(from)) / 3_600_000).toBe(7 * 24 - 1);
  });
});

describe('a time of a day', () => {
  it('is what the clock on the wall shows, in winter and in summer', () => {
    for (const day of ['2027-03-01', '2027-07-01']) {
      const ms = instantOf(parseDate(day), 16 * 60 + 15, ZONE);
      expect([dateIn(ms, ZONE).toString(), minutesOfDay(ms, ZONE)]).toEqual([day, 16 * 60 + 15]);
    }
  });
});

describe('the lessons of the calendar', () => {
  it('are on the day of the account, not of UTC', () => {
    const [lesson] = lessonsOf([stored('2027-03-02T23:30:00.000Z')], days, ZONE);
    expect(lesson).toMatchObject({ day: 2, startMinutes: 30, minutes: 30 });
  });

  it('have those who take part; when they are cancelled, those who would have', () => {
    const sessions = [sessionOf(), sessionOf('pending', 'cancelled')];
    const date = '2027-03-02T15:00:00.000Z';
    const lessons = lessonsOf(
      [stored(date, { sessions }), stored(date, { sessions, status: 'cancelled' })],
      days,
      ZONE,
    );
    expect(lessons.map(({ memberIds }) => memberIds.length)).toEqual([1, 2]);
  });

  it.each([
    ['scheduled', 'scheduled', []],
    ['scheduled', 'scheduled', ['pending', 'no_show']],
    ['attended', 'scheduled', ['pending', 'attended']],
    ['attended', 'completed', []],
    ['attended', 'completed', ['pending', 'pending']],
    ['attended', 'completed', ['attended', 'no_show']],
    ['no_show', 'completed', ['no_show', 'no_show']],
    ['excused', 'scheduled', ['excused']],
    ['cancelled', 'cancelled', ['attended']],
  ] as const)('look %s when they are %s, and their members %j', (state, status, attendances) => {
    expect(stateOf({ status, sessions: attendances.map((each) => sessionOf(each)) })).toBe(state);
  });

  it('leave out what is on none of the days', () => {
    expect(lessonsOf([stored('2027-03-09T15:00:00.000Z')], days, ZONE)).toEqual([]);
  });

  it('show early and late hours only where a lesson needs them', () => {
    expect(hoursOf([])).toEqual({ first: 8, last: 18 });
    const lessons = lessonsOf([stored('2027-03-02T05:15:00.000Z'), stored('2027-03-02T19:45:00.000Z')], days, ZONE);
    expect(hoursOf(lessons)).toEqual({ first: 6, last: 22 });
  });

  it('show the time that instructors publish on these days, by the clocks of the account', () => {
    const instructor = (timezone: string, windows: object) =>
      ({ timezone, availability_schedule: { weekly: [], overrides: [], ...windows } }) as never;
    const hoursFor = (...instructors: never[]) => hoursOf(publishedOn(days, instructors, ZONE));
    const weekly = [{ day: 'wed', start: '10:00', end: '20:30' }];
    const overrides = [{ date: '2027-03-04', windows: [{ start: '06:00', end: '07:00' }] }];
    expect(hoursFor(instructor(ZONE, { weekly, overrides }))).toEqual({ first: 6, last: 21 });
    expect(hoursFor(instructor('Europe/London', { weekly }))).toEqual({ first: 8, last: 22 });
    expect(hoursFor(instructor(ZONE, { overrides: [{ ...overrides[0], date: '2027-03-09' }] }))).toEqual(hoursOf([]));
  });
});

describe('lessons on levels', () => {
  it('never overlap on one level, and use no more levels than lessons overlap', () => {
    const spans = fc.array(fc.record({ start: fc.nat(1_000), length: fc.integer({ min: 1, max: 90 }) }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(spans, (all) => {
        const lessons = all.map(
          ({ start, length }, at) => ({ key: `${at}`, startMs: start, endMs: start + length }) as Lesson,
        );
        const { lessons: result, levels } = placed(lessons);
        for (const a of result)
          for (const b of result)
            if (a.key < b.key && a.level === b.level) expect(a.endMs <= b.startMs || b.endMs <= a.startMs).toBe(true);
        const most = Math.max(
          1,
          ...result.map((a) => result.filter((b) => b.startMs <= a.startMs && a.startMs < b.endMs).length),
        );
        expect(levels).toBe(most);
      }),
    );
  });
});

describe('the rows of the calendar', () => {
  const lessons = lessonsOf(
    [
      stored('2027-03-02T15:00:00.000Z', { instructor_id: 'ins_b', location: { type: 'pool', pool_id: 'pool_1' } }),
      stored('2027-03-02T15:10:00.000Z', { instructor_id: 'ins_x', location: { type: 'pool', pool_id: 'pool_1' } }),
    ],
    days,
    ZONE,
  );

  it('are the instructors by name, and then those who are not listed', () => {
    const rows = instructorRows(
      lessons,
      [
        { id: 'ins_b', name: 'Zoe' },
        { id: 'ins_a', name: 'Ann' },
      ],
      'Former',
    );
    expect(rows.map(({ title, lessons: own }) => [title, own.length])).toEqual([
      ['Ann', 0],
      ['Zoe', 1],
      ['Former', 1],
    ]);
  });

  it('are the lanes of a pool, each lesson on the first that is free', () => {
    const rows = laneRows(lessons, [{ id: 'pool_1', name: 'Baths', lanes: 3 }], (lane) => `Lane ${lane}`);
    expect(rows.map(({ detail, lessons: own }) => [detail, own.length])).toEqual([
      ['Lane 1', 1],
      ['Lane 2', 1],
      ['Lane 3', 0],
    ]);
  });

  it('are walked by arrow keys: by time within a row, to the nearest lesson of the next one', () => {
    const rows = instructorRows(lessons, [{ id: 'ins_b', name: 'Zoe' }], 'Former');
    const [first, second] = rows.map(({ lessons: [lesson] }) => lesson!.key);
    expect(neighbourOf(rows, first!, 'down')).toBe(second);
    expect(neighbourOf(rows, second!, 'up')).toBe(first);
    expect(neighbourOf(rows, first!, 'right')).toBeUndefined();
  });
});

describe('rows in which the lessons of a day are a list', () => {
  const named = [
    { id: 'ins_1', name: 'Ann' },
    { id: 'ins_2', name: 'Ben' },
  ];
  // Ann: two on Tuesday, one on Thursday. Ben: one on Tuesday, two on Wednesday.
  const [late, early, thursday, bens, ...wednesday] = [
    stored('2027-03-02T16:00:00.000Z'),
    stored('2027-03-02T09:00:00.000Z'),
    stored('2027-03-04T09:00:00.000Z'),
    stored('2027-03-02T12:00:00.000Z', { instructor_id: 'ins_2' }),
    stored('2027-03-03T08:00:00.000Z', { instructor_id: 'ins_2' }),
    stored('2027-03-03T10:00:00.000Z', { instructor_id: 'ins_2' }),
  ] as [StoredLesson, StoredLesson, StoredLesson, StoredLesson, StoredLesson, StoredLesson];
  const all = [late, early, thursday, bens, ...wednesday];
  const rows = listed(instructorRows(lessonsOf(all, days, ZONE), named, 'Former'));

  it('are as high as the longest list of their days', () => {
    expect(rows.map(({ levels }) => levels)).toEqual([2, 2]);
  });

  it('list the lessons of a day by their times', () => {
    const levels = rows[0]!.lessons.map(({ day, startMinutes, level }) => [day, startMinutes / 60, level]);
    expect(levels).toEqual([
      [1, 10, 0],
      [1, 17, 1],
      [3, 10, 0],
    ]);
  });

  it.each([
    ['down', 'the next of the day', early, late],
    ['down', 'the first of the day in the next row', late, bens],
    ['up', 'the last of the day in the row above', bens, late],
    ['right', 'the next day with lessons', early, thursday],
    ['left', 'the same place of the day before', thursday, early],
    ['right', 'the same place of the next day', bens, wednesday[0]],
    ['left', 'the last of a shorter list', wednesday[1], bens],
  ] as const)('lead %s by arrow key to %s', (direction, _, from, to) => {
    expect(listNeighbourOf(rows, from!.id, direction)).toBe(to!.id);
  });

  it('are walked by arrow keys up to the first and the last lesson', () => {
    expect(listNeighbourOf(rows, early.id, 'up')).toBeUndefined();
    expect(listNeighbourOf(rows, thursday.id, 'right')).toBeUndefined();
    expect(listNeighbourOf(rows, 'another', 'down')).toBeUndefined();
  });
});
