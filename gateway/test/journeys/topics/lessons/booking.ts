import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountEvent, Booking, DateConflict, Instructor, Member, Pool, Session } from '@swim/contracts';
import { inDays, springForward, until } from '@swim/testing';
import { apiError, type Customer } from '../../fixtures/customer.js';
import {
  aBooking,
  aCard,
  aMember,
  anInstructor,
  aSession,
  bookingBody,
  nextTime,
  overlapsAmong,
  paymentBody,
  sessionBody,
} from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('booking lessons', () => {
  let [ruiz, okafor]: Customer[] = [];
  beforeAll(async () => {
    [ruiz, okafor] = [stack.family, await stack.open('family')];
  });

  /** Start times at which an instructor could be booked on the day of `date`. */
  async function offered(instructor: Instructor, date: string): Promise<string[]> {
    const day = date.slice(0, 10);
    const range = `date_from=${day}T00:00:00Z&date_to=${day}T23:59:59Z&duration_minutes=60`;
    const { slots } = await okafor!.read<{ slots: { start: string }[] }>(
      `/instructors/${instructor.id}/availability?${range}`,
    );
    return slots.map(({ start }) => new Date(start).toISOString());
  }

  describe('a time that two families request', () => {
    let [instructor, mia, ada]: [Instructor?, Member?, Member?] = [];
    let booking: Booking;
    const date = nextTime();
    beforeAll(async () => {
      const pool = await stack.school.make<Pool>('/pools', {
        name: 'Riverside',
        address: '1 Water Street',
        latitude: 52.5,
        longitude: 13.4,
        timezone: 'UTC',
        lanes: 4,
      });
      const area = { name: 'Centre', latitude: 52.5, longitude: 13.4, radius_km: 5, pool_ids: [pool.id] };
      instructor = await anInstructor(stack.school, { name: 'Greta Lindqvist', service_areas: [area] });
      [mia, ada] = [await aMember(ruiz!), await aMember(okafor!)];
    });

    it('is offered by the availability of an instructor, and the first family books it', async () => {
      const [found] = await ruiz!.read<Instructor[]>('/instructors?search=lindqvist');
      expect(found).toMatchObject({ id: instructor!.id, account_id: stack.school.id });
      expect(await offered(found!, date)).toContain(date);
      booking = await aBooking(ruiz!, found!, mia!, date);
      expect(booking).toMatchObject({
        account_id: ruiz!.id,
        status: 'confirmed',
        payment_status: 'unpaid',
        amount_cents: 6_000,
        currency: 'USD',
        sessions: [{ member_id: mia!.id, date, duration_minutes: 60, status: 'scheduled' }],
      });
      expect(await ruiz!.read<Booking>(`/bookings/${booking.id}`)).toEqual(booking);
      const session = await ruiz!.read<Session>(`/sessions/${booking.session_ids[0]}`);
      expect(session).toMatchObject({ booking_id: booking.id, date, location: { type: 'pool' }, price_cents: 6_000 });
    });

    it('is rejected for the second family with free times as suggestions, one of which it books', async () => {
      expect(await offered(instructor!, date)).not.toContain(date);
      const rejected = await okafor!.post('/bookings', bookingBody(instructor!, [ada!], [date]));
      expect(rejected).toMatchObject({ ...apiError(409, 'conflicting_dates'), error: { code: 'CONFLICT' } });
      const [conflict] = rejected.error.details.conflicts as DateConflict[];
      expect(conflict).toMatchObject({ date, reason: 'instructor_busy', suggestions: { length: 3 } });
      const alone = await okafor!.post('/sessions', sessionBody(instructor!, ada!, date));
      expect(alone).toMatchObject({ ...apiError(409, 'instructor_busy', 'date'), error: { code: 'CONFLICT' } });
      expect(alone.error.details.suggestions).toEqual(conflict!.suggestions);
      for (const { start, end } of conflict!.suggestions) {
        expect(Date.parse(end) - Date.parse(start)).toBe(3_600_000);
        const tried = await okafor!.post('/sessions?dry_run=true', sessionBody(instructor!, ada!, start));
        expect(tried).toMatchObject({ status: 200, data: { date: start } });
      }
      const second = await aBooking(okafor!, instructor!, ada!, conflict!.suggestions[0]!.start);
      expect(second).toMatchObject({ status: 'confirmed', account_id: okafor!.id });
    });

    it('is free once the first family cancels, and the second family books it', async () => {
      const [id] = booking.session_ids;
      const cancelled = await ruiz!.post<Session>(`/sessions/${id}/cancel`, { reason: 'Flu' });
      expect(cancelled).toMatchObject({
        status: 200,
        data: {
          status: 'cancelled',
          cancellation: { reason: 'Flu', late: false, fee_cents: 0, participants_notified: true },
        },
      });
      expect((await ruiz!.post<Session>(`/sessions/${id}/cancel`, { reason: 'Again' })).data).toEqual(cancelled.data);
      expect(await offered(instructor!, date)).toContain(date);
      const second = await aBooking(okafor!, instructor!, ada!, date);
      expect(second.sessions).toMatchObject([{ date, status: 'scheduled' }]);
      expect((await ruiz!.read<Booking>(`/bookings/${booking.id}`)).sessions).toMatchObject([
        { id, status: 'cancelled' },
      ]);
      expect(await ruiz!.post(`/sessions`, sessionBody(instructor!, mia!, date))).toMatchObject(
        apiError(409, 'instructor_busy'),
      );
    });

    it('is listed for the school with the sessions of both families, which do not overlap', async () => {
      const sessions = await stack.school.readAll<Session>(`/sessions?instructor_id=${instructor!.id}`);
      expect(sessions.map(({ account_id: account }) => account).sort()).toEqual(
        [ruiz!.id, okafor!.id, okafor!.id].sort(),
      );
      expect(overlapsAmong(sessions.filter(({ status }) => status === 'scheduled'))).toEqual([]);
      expect(await stack.school.readAll<Booking>('/bookings')).toHaveLength(3);
      expect(await ruiz!.readAll<Booking>('/bookings')).toMatchObject([{ id: booking.id }]);
    });

    it('emits events to the school and to each family, in the order in which it happened', async () => {
      const listEvents = async (customer: Customer) =>
        (await customer.read<AccountEvent[]>('/events?limit=100'))
          .reverse()
          .filter(({ data }) => JSON.stringify(data).includes(booking.id));
      const bookingTypes = ['booking.created', 'booking.confirmed', 'booking.cancelled'];
      const types = [...bookingTypes, 'session.created', 'session.cancelled'];
      for (const customer of [ruiz!, stack.school]) {
        const events = await until(async () => {
          const received = await listEvents(customer);
          return received.length >= types.length ? received : null;
        }, 'the events arrive');
        expect(events.map(({ type }) => type).sort()).toEqual([...types].sort());
        const of = (prefix: string) => events.map(({ type }) => type).filter((type) => type.startsWith(prefix));
        expect(of('booking')).toEqual(bookingTypes);
        expect(of('session')).toEqual(['session.created', 'session.cancelled']);
      }
      expect(await listEvents(okafor!)).toEqual([]);
    });
  });

  it('a session that a family requests is a booking of its own, which it pays; a school’s own is none', async () => {
    const [instructor, member] = [await anInstructor(stack.school), await aMember(ruiz!)];
    const session = await aSession(ruiz!, instructor, member);
    const booking = await ruiz!.read<Booking>(`/bookings/${session.booking_id}`);
    expect(booking).toMatchObject({ status: 'confirmed', session_ids: [session.id], amount_due_cents: 6_000 });
    expect(await ruiz!.make('/payments', paymentBody(booking, await aCard(ruiz!)))).toMatchObject({
      status: 'succeeded',
    });
    const isKnown = async () => (await stack.school.once.get(`/members/${member.id}`)).status === 200;
    await until(isKnown, 'the school may read the member');
    expect(await aSession(stack.school, instructor, member)).toMatchObject({ account_id: ruiz!.id, booking_id: null });
  });

  it('a session that is rescheduled keeps its id, frees its old time and takes the new one', async () => {
    const [instructor, member, rival] = [
      await anInstructor(stack.school),
      await aMember(ruiz!),
      await aMember(okafor!),
    ];
    const [before, after] = [nextTime(), nextTime()];
    const session = await aSession(ruiz!, instructor, member, before);
    const moved = await ruiz!.patch<Session>(`/sessions/${session.id}`, { date: after, version: session.version });
    expect(moved).toMatchObject({ status: 200, data: { id: session.id, date: after, created_at: session.created_at } });
    expect(moved.data.version).toBeGreaterThan(session.version);
    const stale = await ruiz!.patch(`/sessions/${session.id}`, { notes: 'Late', version: session.version });
    expect(stale).toMatchObject(apiError(409, 'stale_version', 'version'));
    const second = await aSession(okafor!, instructor, rival, before);
    expect(await okafor!.patch(`/sessions/${second.id}`, { date: after })).toMatchObject(
      apiError(409, 'instructor_busy', 'date'),
    );
    expect(await okafor!.read<Session>(`/sessions/${second.id}`)).toEqual(second);
  });

  it('a member cannot have two sessions at the same time, with any instructor', async () => {
    const [one, other, member] = [
      await anInstructor(stack.school),
      await anInstructor(stack.school),
      await aMember(ruiz!),
    ];
    const session = await aSession(ruiz!, one, member);
    const later = new Date(Date.parse(session.date) + 30 * 60_000).toISOString();
    const rejected = await ruiz!.post('/sessions', sessionBody(other, member, later));
    expect(rejected).toMatchObject(apiError(409, 'member_busy', 'date'));
    const [suggestion] = rejected.error.details.suggestions as { start: string }[];
    expect(await aSession(ruiz!, other, member, suggestion!.start)).toMatchObject({ date: suggestion!.start });
  });

  it('a course is booked whole or not at all, unless the client skips conflicting dates', async () => {
    const [instructor, rival] = [await anInstructor(stack.school), await aMember(okafor!)];
    const members = [await aMember(ruiz!), await aMember(ruiz!)];
    const dates = [nextTime(), nextTime(), nextTime()];
    await aSession(okafor!, instructor, rival, dates[1]);
    const rejected = await ruiz!.post('/bookings', bookingBody(instructor, members, dates));
    expect(rejected.error.details.conflicts).toMatchObject([{ date: dates[1], reason: 'instructor_busy' }]);
    expect(await ruiz!.readAll<Session>(`/sessions?instructor_id=${instructor.id}`)).toEqual([]);
    expect(await offered(instructor, dates[0]!)).toContain(dates[0]);
    const course = await ruiz!.make<Booking>(
      '/bookings',
      bookingBody(instructor, members, dates, { on_conflict: 'skip' }),
    );
    expect(course).toMatchObject({ amount_cents: 24_000, skipped: [{ date: dates[1], reason: 'instructor_busy' }] });
    const places = course.sessions.map(({ date, member_id: id }) => [date, id].join()).sort();
    expect(places).toEqual([dates[0], dates[2]].flatMap((date) => members.map(({ id }) => [date, id].join())).sort());
    const repeated = await ruiz!.post(
      '/bookings',
      bookingBody(instructor, members, [dates[0]!, dates[1]!], { on_conflict: 'skip' }),
    );
    expect(repeated).toMatchObject(apiError(409, 'conflicting_dates'));
  });

  it('a weekly lesson keeps its local time when the clocks change, and the client is warned of a time they skip', async () => {
    const weekly = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => ({
      day,
      start: '00:00',
      end: '24:00',
    }));
    const instructor = await anInstructor(stack.school, {
      timezone: 'Europe/Berlin',
      availability_schedule: { weekly, maximum_days_ahead: 1_000 },
    });
    const [member, rival] = [await aMember(ruiz!), await aMember(okafor!)];
    const [first, change, last] = [-7, 0, 7].map((days) => springForward(days)) as [string, string, string];
    const starts = [`${first}T01:30:00.000Z`, `${change}T01:30:00.000Z`, `${last}T00:30:00.000Z`];
    const warnings = [{ code: 'local_time_skipped', date: change, start: starts[1] }];
    const { sessions: _, ...rest } = bookingBody(instructor, [member], []);
    const dates = { start_local: `${first}T02:30`, timezone: 'Europe/Berlin', weekdays: ['sun'], count: 3 };
    const body = (except: string[] = []) => ({ ...rest, recurrence: { ...dates, except, duration_minutes: 30 } });
    const tried = await ruiz!.post<Booking>('/bookings?dry_run=true', body());
    expect(tried).toMatchObject({ status: 200, meta: { dry_run: true, warnings } });
    expect(tried.data.sessions.map(({ date }) => date)).toEqual(starts);
    await aSession(okafor!, instructor, rival, starts[2]);
    const rejected = await ruiz!.post('/bookings', body([first]));
    expect(rejected).toMatchObject(apiError(409, 'conflicting_dates'));
    expect(rejected.error.details.conflicts).toMatchObject([{ index: 1, date: starts[2], reason: 'instructor_busy' }]);
    const key = { 'idempotency-key': `weekly-${member.id}` };
    const made = await ruiz!.post<Booking>('/bookings', body([last]), key);
    expect(made).toMatchObject({ status: 201, meta: { warnings }, data: { status: 'confirmed' } });
    expect(made.data.sessions.map(({ date }) => date)).toEqual(starts.slice(0, 2));
    const repeated = await ruiz!.post<Booking>('/bookings', body([last]), key);
    expect(repeated).toMatchObject({ status: 201, data: made.data, meta: { warnings } });
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
  });

  it('times within the buffers around a session are rejected, and the suggestions keep the buffers', async () => {
    const weekly = [
      { day: 'mon', start: '08:00', end: '12:00' },
      { day: 'thu', start: '08:00', end: '12:00' },
    ];
    const pauses = { buffer_before_minutes: 10, buffer_after_minutes: 15, slot_interval_minutes: 15 };
    const instructor = await anInstructor(stack.school, { availability_schedule: { weekly, ...pauses } });
    const [member, rival] = [await aMember(ruiz!), await aMember(okafor!)];
    const day = Array.from({ length: 7 }, (_, index) => inDays(60 + index, 9)).find(
      (date) => new Date(date).getUTCDay() === 1,
    )!;
    await aSession(ruiz!, instructor, member, day);
    const justAfter = new Date(Date.parse(day) + 75 * 60_000).toISOString();
    const rejected = await okafor!.post('/sessions', sessionBody(instructor, rival, justAfter));
    expect(rejected).toMatchObject(apiError(409, 'instructor_busy', 'date'));
    const closed = await okafor!.post('/sessions', sessionBody(instructor, rival, day.replace('T09', 'T20')));
    expect(closed).toMatchObject(apiError(409, 'outside_availability', 'date'));
    for (const { start } of rejected.error.details.suggestions as { start: string }[]) {
      const session = await aSession(okafor!, instructor, rival, start);
      await okafor!.post(`/sessions/${session.id}/cancel`, {});
    }
  });
});
