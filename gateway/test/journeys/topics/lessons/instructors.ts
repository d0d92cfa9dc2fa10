import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountEvent, AvailableSlot, Instructor, Member, Review, Session } from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, until } from '@swim/testing';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import { aMember, anInstructor, aSession, sessionBody } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('instructors', () => {
  const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  // Without published hours every time to come can be had, also one around midnight.
  const AROUND_THE_CLOCK = { weekly: [] };

  let family: Customer;
  let school: Customer;
  let stranger: Customer;
  let member: Member;
  beforeAll(async () => {
    [family, school, stranger] = [stack.family, stack.school, await stack.open('family')];
    member = await aMember(family);
  });

  const reviewsOf = ({ id }: Instructor) => `/instructors/${id}/reviews`;

  /** A session that begins in a few seconds. */
  async function aLessonNow(instructor: Instructor): Promise<Session> {
    const pupil = await aMember(family);
    return until(async () => {
      const date = new Date(Date.now() + 4_000).toISOString();
      const answer = await family.post<Session>(
        '/sessions',
        sessionBody(instructor, pupil, date, { duration_minutes: 15 }),
      );
      // The request took longer than these seconds.
      return answer.status === 400 && answer.error.details.reason === 'in_past' ? null : expectStatus(201, answer).data;
    }, 'a session that begins in a few seconds is created');
  }

  async function complete({ id }: Session): Promise<void> {
    const isDone = async () => (await school.post(`/sessions/${id}/complete`, {})).status === 200;
    await until(isDone, 'the session has begun and is completed');
  }

  describe('a review', () => {
    it('is created after the session, once, and every account reads it', async () => {
      const instructor = await anInstructor(school, { availability_schedule: AROUND_THE_CLOCK });
      const lesson = await aLessonNow(instructor);
      const body = { session_id: lesson.id, stars: 4, comment: 'Calm and clear.' };
      expect(await family.post(reviewsOf(instructor), body)).toMatchObject(
        apiError(409, 'invalid_state', 'session_id'),
      );
      await complete(lesson);

      const tried = expectStatus(200, await family.post<Review>(`${reviewsOf(instructor)}?dry_run=true`, body));
      expect(tried.data).toMatchObject(body);
      expect(await stranger.post(reviewsOf(instructor), body)).toMatchObject(apiError(400, 'not_found', 'session_id'));
      expect(await school.post(reviewsOf(instructor), body)).toMatchObject(apiError(403, 'foreign_account'));

      const review = await family.make<Review>(reviewsOf(instructor), body);
      const repeated = await family.post(reviewsOf(instructor), { ...body, stars: 1 });
      expect(repeated).toMatchObject(apiError(409, 'already_exists', 'session_id'));
      expect(repeated.error.details.review_id).toBe(review.id);

      const { session_id: _, ...shown } = review;
      expect(await stranger.read(reviewsOf(instructor))).toEqual([shown]);
      const profile = await stranger.read<Instructor>(`/instructors/${instructor.id}`);
      expect(profile.rating).toEqual({ average: 4, count: 1 });
      expect(profile.reviews).toMatchObject([{ id: review.id, comment: body.comment }]);
    });

    it('emits an event to its author and to the school, without its text', async () => {
      const instructor = await anInstructor(school, { availability_schedule: AROUND_THE_CLOCK });
      const lesson = await aLessonNow(instructor);
      await complete(lesson);
      const body = { session_id: lesson.id, stars: 5, comment: 'Between us.' };
      const { id, instructor_id, stars, created_at } = await family.make<Review>(reviewsOf(instructor), body);
      for (const reader of [family, school]) {
        const listEvents = async () =>
          (await reader.read<AccountEvent[]>(`/events?type=review.created&object_id=${id}`))[0];
        const event = await until(listEvents, 'review.created arrives');
        expect(event.data.object).toEqual({ object: 'review', id, instructor_id, stars, created_at });
      }
    });
  });

  describe('a search by four filters at once', () => {
    const query = (changes: Record<string, string> = {}) =>
      `/instructors?${new URLSearchParams({
        search: 'searched',
        certification: 'wsi',
        'location[latitude]': '10',
        'location[longitude]': '20',
        'location[radius]': '60',
        ...changes,
      })}`;
    const found = async (changes: Record<string, string>) =>
      (await family.readAll<Instructor>(query(changes))).map(({ name }) => name);
    const place = (longitude: number) => ({ name: 'Area', latitude: 10, longitude, radius_km: 60 });
    const aSearched = (name: string, longitude: number, more: object = {}) =>
      anInstructor(school, {
        name: `Searched ${name}`,
        certifications: [{ type: 'WSI' }],
        service_areas: [place(longitude)],
        availability_schedule: { weekly: DAYS.map((day) => ({ day, start: '10:00', end: '11:00' })) },
        ...more,
      });
    // As of one day, though midnight may come while this file runs.
    const [day, next] = [inDays(12), inDays(13).slice(0, 10)];
    const [date, soonAfter, tooLate] = [day.slice(0, 10), inDays(12, 10, 20), inDays(12, 10, 40)];

    beforeAll(async () => {
      await aSearched('far', 20.3);
      await aSearched('near', 20.1);
      await aSearched('inactive', 20.1, { status: 'inactive' });
      await aSearched('uncertified', 20.1, { certifications: [] });
      const booked = await aSearched('booked', 20.2);
      await aSession(family, booked, member, day);
    });

    it('finds the instructors that are free on a day, nearest first', async () => {
      expect(await found({ available_date: date })).toEqual(['Searched near', 'Searched far']);
      expect(await found({ available_date: next })).toEqual(['Searched near', 'Searched booked', 'Searched far']);
    });

    it('finds the instructors that are free from an instant on', async () => {
      expect(await found({ available_date: soonAfter })).toEqual(['Searched near', 'Searched far']);
      expect(await found({ available_date: tooLate })).toEqual([]);
    });

    it('has pages with the exact total, and cursors that are valid for the same filters only', async () => {
      const first = expectStatus(200, await family.get<Instructor[]>(query({ available_date: date, limit: '1' })));
      expect(first.data).toMatchObject([{ name: 'Searched near', distance_km: expect.any(Number) }]);
      expect(first.pagination).toMatchObject({ total: 2, has_more: true });
      const cursor = first.pagination.next_cursor!;
      const later = query({ available_date: next, limit: '1', cursor });
      expect(await family.get(later)).toMatchObject(apiError(400, 'invalid_cursor', 'cursor'));
    });

    it('lists free times up to the last day of the certification', async () => {
      const expiring = { certifications: [{ type: 'First aid', expires_at: date }], service_areas: [] };
      const { id } = await aSearched('until', 0, expiring);
      const range = `instructor_ids=${id}&date_from=${inDays(11)}&date_to=${inDays(14)}&duration_minutes=60`;
      const daysOf = async (filter: string) =>
        (await family.readAll<AvailableSlot>(`/availability?${range}${filter}`)).map((slot) => slot.date.slice(0, 10));
      const [before, after] = [inDays(11).slice(0, 10), next];
      expect(await daysOf('')).toEqual([before, date, after]);
      expect(await daysOf('&certification=first%20AID')).toEqual([before, date]);
    });

    it.each([
      [{ available_date: '2027-02-30' }, 'invalid_date', 'available_date'],
      [{ available_date: '2027-03-01T10:00' }, 'offset_required', 'available_date'],
      [{ 'location[latitude]': '91' }, 'out_of_range', 'location[latitude]'],
      [{ 'location[radius]': '0' }, 'out_of_range', 'location[radius]'],
      [{ 'location[radius]': '201' }, 'out_of_range', 'location[radius]'],
      [{ location: '{"latitude":1,"longitude":2,"radius":3}' }, 'mutually_exclusive', 'location'],
      [{ location: '{"latitude":1' }, 'invalid_json', 'location'],
    ] as [Record<string, string>, string, string][])('rejects %j', async (changes, reason, field) => {
      expect(await family.get(query(changes))).toMatchObject(apiError(400, reason, field));
    });
  });

  describe('free time of many', () => {
    const hours = { weekly: DAYS.map((day) => ({ day, start: '10:00', end: '11:00' })) };
    const range = { date_from: inDays(20, 0), date_to: inDays(21, 0) };
    const available = (query: Record<string, string>) => `/availability?${new URLSearchParams({ ...range, ...query })}`;

    it('is listed soonest first, and a slot is the body of a session', async () => {
      const [one, other] = [1, 2].map(() => anInstructor(school, { name: 'Slots', availability_schedule: hours }));
      const instructor_ids = [(await one!).id, (await other!).id].sort();
      const query = { instructor_ids: instructor_ids.join(','), search: 'slots', timezone: 'Asia/Tokyo' };
      const slots = await family.read<AvailableSlot[]>(available(query));
      expect(slots.map(({ instructor_id, date }) => [instructor_id, date.slice(11)])).toEqual([
        [instructor_ids[0], '19:00:00+09:00'],
        [instructor_ids[1], '19:00:00+09:00'],
        [instructor_ids[0], '19:30:00+09:00'],
        [instructor_ids[1], '19:30:00+09:00'],
      ]);
      const body = { ...slots[0], member_id: member.id };
      const session = await family.make<Session>('/sessions', body);
      expect(session).toMatchObject({ instructor_id: instructor_ids[0], date: inDays(20), duration_minutes: 30 });
      const first = await family.read<AvailableSlot[]>(available({ ...query, first_only: 'true' }));
      expect(first).toEqual([slots[1], slots[2]]);

      // The suggestions of a conflict have the same fields.
      const taken = await family.post('/sessions', body);
      expect(taken).toMatchObject(apiError(409, 'instructor_busy', 'date'));
      const [suggestion] = taken.error.details.suggestions as AvailableSlot[];
      expect(suggestion).toMatchObject({ date: inDays(20, 10, 30), duration_minutes: 30 });
    });

    it('is rejected for an instructor that does not exist, and for more than 50', async () => {
      const rejection = apiError(400, 'not_found', 'instructor_ids');
      expect(await family.get(available({ instructor_ids: newId('ins') }))).toMatchObject(rejection);
      const many = Array.from({ length: 51 }, () => newId('ins')).join(',');
      expect(await family.get(available({ instructor_ids: many }))).toMatchObject(
        apiError(400, 'too_long', 'instructor_ids'),
      );
    });
  });
});
