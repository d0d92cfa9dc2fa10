import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClosure, type InputOf, type Lesson, listBookableLessons } from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, aSchedule, inDays, rejectionOf } from '@swim/testing';
import { asFamily, family, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { aLesson, bookPlace } from '../lessons/places.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

type Query = InputOf<typeof listBookableLessons>;

const request = (member_id: string, query: Partial<Query> = {}, options = asFamily) => {
  const of = { school_id: school.accountId, account_id: family.accountId, member_id, currency: 'USD' };
  return scheduling.harness.call(listBookableLessons, { ...of, date_to: inDays(180), ...query }, options);
};
/** Which of these lessons a list has, in its order. */
const listed = async (lessons: Lesson[], ...query: Parameters<typeof request>): Promise<number[]> => {
  const [member, more, options] = query;
  const { items } = await request(member, { limit: '100', ...more }, options);
  return items.map(({ id }) => lessons.findIndex((each) => each.id === id)).filter((index) => index !== -1);
};

describe('lessons that a member could book', () => {
  it('are those of a range, in a currency, the soonest first', async () => {
    const dinars = scheduling.people.instructor({ currency: 'KWD' });
    const lessons = await Promise.all([
      aLesson(scheduling, { date: inDays(12, 12) }),
      aLesson(scheduling, { date: inDays(12, 8) }),
      aLesson(scheduling, { date: inDays(14) }),
      aLesson(scheduling, { date: inDays(11) }),
      aLesson(scheduling, { date: inDays(12, 10), instructor_id: dinars, price_cents: 1_000 }),
    ]);
    const range = { date_from: inDays(12, 0), date_to: inDays(14) };
    expect(await listed(lessons, scheduling.people.member(), range)).toEqual([1, 0]);
    expect(await listed(lessons, scheduling.people.member(), range, { principal: school })).toEqual([1, 0]);
    expect(await listed(lessons, scheduling.people.member(), { ...range, school_id: newId('acct') })).toEqual([]);
  });

  it('have a free place, fit, are booked in time, and are not closed', async () => {
    const member = scheduling.people.member();
    const slow = scheduling.people.instructor({ schedule: aSchedule({ minimum_notice_minutes: 25 * 24 * 60 }) });
    const closed = scheduling.people.instructor();
    const date = inDays(20);
    const lessons = await Promise.all(
      [
        { levels: ['beginner' as const], min_age_years: 2, max_age_years: 30 },
        { capacity: 1 },
        { levels: ['advanced' as const] },
        { min_age_years: 60 },
        { max_age_years: 3 },
        { bookable: false },
        { instructor_id: slow },
        { instructor_id: closed },
      ].map((changes) => aLesson(scheduling, { date, ...changes })),
    );
    await bookPlace(scheduling, lessons[1]!);
    const closure = { instructor_ids: [closed], from: inDays(20, 0), to: inDays(21, 0), reason: 'The pump is broken' };
    await scheduling.harness.call(createClosure, { ...closure, lessons: 'keep' }, { principal: school });
    const range = { date_from: date, date_to: inDays(21) };
    expect(await listed(lessons, member, range)).toEqual([0]);
    expect(await listed(lessons, member, range, { principal: school })).toEqual([0]);
  });

  it('are at times at which the member has nothing else', async () => {
    const [member, sibling] = [scheduling.people.member(), scheduling.people.member()];
    const at = (hour: number, minute = 0) => inDays(30, hour, minute);
    const lessons = await Promise.all(
      [at(9, 30), at(10), at(10, 15), at(10, 30)].map((date) => aLesson(scheduling, { date })),
    );
    await bookPlace(scheduling, lessons[1]!, { memberId: member });
    const range = { date_from: at(0), date_to: at(23) };
    expect(await listed(lessons, member, range)).toEqual([0, 3]);
    expect(await listed(lessons, sibling, range)).toEqual([0, 1, 2, 3]);
  });

  it('are none for a family whose connection the school has ended', async () => {
    const lesson = await aLesson(scheduling, { date: inDays(40) });
    const range = { date_from: inDays(40), date_to: inDays(41) };
    scheduling.people.connection = { generation: 2, names: false, isEndedBySchool: true };
    expect(await listed([lesson], scheduling.people.member(), range)).toEqual([]);
    scheduling.people.connection = { generation: 1, names: true, isEndedBySchool: false };
    expect(await listed([lesson], scheduling.people.member(), range)).toEqual([0]);
  });
});

describe('pages of them', () => {
  it('follow each other by cursor or offset, with the total of all', async () => {
    const member = scheduling.people.member();
    const hours = [8, 9, 10, 10, 11];
    const lessons = await Promise.all(hours.map((hour) => aLesson(scheduling, { date: inDays(50, hour) })));
    const range = { date_from: inDays(50, 0), date_to: inDays(51, 0) };
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const { items, pagination } = await request(member, { ...range, limit: '2', ...(cursor ? { cursor } : {}) });
      expect(pagination.total).toBe(5);
      seen.push(...items.map(({ id }) => id));
      cursor = pagination.next_cursor;
    } while (cursor);
    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(new Set(lessons.map(({ id }) => id)));
    const rest = await request(member, { ...range, offset: '3' });
    expect(rest.items.map(({ id }) => id)).toEqual(seen.slice(3));
    const { pagination } = await request(member, { ...range, limit: '2' });
    const refiltered = request(member, { date_to: range.date_to, cursor: pagination.next_cursor! });
    expect((await rejectionOf(refiltered)).reason).toBe('invalid_cursor');
  });
});

it('rejects a member of another account, and an unknown one: not_found', async () => {
  const foreign = scheduling.people.member(aPrincipal().accountId);
  for (const member of [foreign, newId('mem')])
    expect(await rejectionOf(request(member))).toMatchObject({ reason: 'not_found', details: { field: 'member_id' } });
});
