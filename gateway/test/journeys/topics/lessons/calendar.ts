import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking, CancellationQuote, Instructor, Member, Pool, Session } from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, until } from '@swim/testing';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import {
  aCard,
  aMember,
  anInstructor,
  aSession,
  bookingBody,
  nextTime,
  paymentBody,
  sessionBody,
} from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('pools, quotes and the edges of time', () => {
  let school: Customer;
  let family: Customer;
  let instructor: Instructor;
  let member: Member;
  let otherSchool: Customer;
  beforeAll(async () => {
    [school, family] = [stack.school, stack.family];
    // Without published hours every future time can be had.
    instructor = await anInstructor(school, { availability_schedule: { weekly: [] } });
    [member, otherSchool] = [await aMember(family), await stack.open('school')];
  });

  const BATHS = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'Europe/Berlin' };
  const aPool = (customer: Customer, lanes: number | null = null) => customer.make<Pool>('/pools', { ...BATHS, lanes });
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const inPool = (pool: Pool) => ({ location: { type: 'pool', pool_id: pool.id } });

  describe('a pool', () => {
    it('is created, changed and deleted by its school, and by no other account', async () => {
      const pool = await aPool(school, 2);
      const path = `/pools/${pool.id}`;
      expect(await school.patch(path, { lanes: null, name: 'Old Baths' })).toMatchObject({
        status: 200,
        data: { ...BATHS, id: pool.id, name: 'Old Baths', lanes: null },
      });
      for (const [other, rejected] of [
        [family, apiError(403, 'school_only')],
        [otherSchool, apiError(404, 'resource_not_found')],
      ] as const) {
        expect(await other.patch(path, { lanes: 1 })).toMatchObject(rejected);
        expect(await other.delete(path)).toMatchObject(rejected);
        expect((await other.read<Pool>(path)).name).toBe('Old Baths');
      }
      const tried = await school.send('DELETE', `${path}?dry_run=true`);
      expect(tried).toMatchObject({ status: 200, meta: { dry_run: true } });
      expect((await school.delete(path)).status).toBe(204);
      for (const gone of [school.get(path), school.patch(path, { lanes: 1 }), school.delete(path)])
        expect(await gone).toMatchObject(apiError(404, 'resource_not_found'));
    });

    it('is not deleted while a session is scheduled there', async () => {
      const pool = await aPool(school);
      const session = await family.make<Session>(
        '/sessions',
        sessionBody(instructor, member, nextTime(), inPool(pool)),
      );
      expect(await school.delete(`/pools/${pool.id}`)).toMatchObject(apiError(409, 'invalid_state'));
      expectStatus(200, await family.post(`/sessions/${session.id}/cancel`, {}));
      expect((await school.delete(`/pools/${pool.id}`)).status).toBe(204);
      expect((await family.read<Session>(`/sessions/${session.id}`)).location).toEqual(inPool(pool).location);
    });

    it.each<[what: string, body: object, reason: string, field: string | undefined]>([
      ['nothing', {}, 'empty_patch', undefined],
      ['no lane', { lanes: 0 }, 'too_small', 'lanes'],
      ['lanes as text', { lanes: '4' }, 'invalid_type', 'lanes'],
      ['a place beyond the pole', { latitude: -90.5 }, 'too_small', 'latitude'],
      ['a zone that is none', { timezone: 'Etc/GMT+25' }, 'unknown_timezone', 'timezone'],
      ['an owner', { account_id: 'acct_1' }, 'read_only', 'account_id'],
      ['an operator', { name: { $ne: null } }, 'invalid_type', 'name'],
    ])('is not changed to %s', async (_, body, reason, field) => {
      const pool = await aPool(school);
      expect(await school.patch(`/pools/${pool.id}`, body)).toMatchObject(apiError(400, reason, field));
      expect(await school.read<Pool>(`/pools/${pool.id}`)).toEqual(pool);
    });

    it('is rejected as the location of a session when it is unknown or another school’s', async () => {
      const foreign = await aPool(otherSchool);
      const session = await aSession(family, instructor, member);
      for (const pool_id of [newId('pool'), foreign.id]) {
        const place = { location: { type: 'pool', pool_id } };
        const rejected = apiError(400, 'not_found', 'location.pool_id');
        expect(await family.post('/sessions', sessionBody(instructor, member, nextTime(), place))).toMatchObject(
          rejected,
        );
        expect(await family.post('/bookings', bookingBody(instructor, [member], [nextTime()], place))).toMatchObject(
          rejected,
        );
        expect(await family.patch(`/sessions/${session.id}`, place)).toMatchObject(rejected);
      }
    });
  });

  describe('the quote of a cancellation', () => {
    const quoteOf = (customer: Customer, id: string) =>
      customer.read<CancellationQuote>(`/sessions/${id}/cancellation-quote`);

    it('equals the result of cancelling: what is paid beyond the other sessions and the fee is refunded', async () => {
      const dates = [inHours(5), inHours(48)];
      const booking = await family.make<Booking>('/bookings', bookingBody(instructor, [member], dates));
      const card = await aCard(family);
      const [late, early] = booking.session_ids as [string, string];
      expect(await quoteOf(family, late)).toMatchObject({ late: true, fee_cents: 3_000, refund_cents: 0 });
      await family.make('/payments', paymentBody(booking, card, { amount_cents: 7_000 }));
      expect(await quoteOf(family, early)).toMatchObject({ late: false, fee_cents: 0, refund_cents: 1_000 });
      expect(await quoteOf(school, late)).toMatchObject({ late: true, fee_cents: 0, refund_cents: 1_000 });
      const quoted = await quoteOf(family, late);
      expect(quoted).toEqual({
        session_id: late,
        late: true,
        free_until: new Date(Date.parse(dates[0]!) - 24 * 3_600_000).toISOString(),
        fee_cents: 3_000,
        refund_cents: 0,
        credit_returned_cents: 0,
        makeup_credit: false,
        currency: 'USD',
      });
      const { data } = expectStatus(200, await family.post<Session>(`/sessions/${late}/cancel`, {}));
      expect(data.cancellation).toMatchObject({ late: true, fee_cents: quoted.fee_cents, makeup_credit: null });
      expect(await family.get(`/sessions/${late}/cancellation-quote`)).toMatchObject(apiError(409, 'invalid_state'));
      const followed = async () => {
        const now = await family.read<Booking>(`/bookings/${booking.id}`);
        return now.amount_cents === 9_000 ? now : null;
      };
      expect(await until(followed, 'the booking follows')).toMatchObject({
        amount_paid_cents: 7_000,
        amount_due_cents: 2_000,
      });
    });

    it('is 404 for another account', async () => {
      const session = await aSession(family, instructor, member);
      for (const id of [session.id, newId('ses'), 'x'])
        expect(await otherSchool.get(`/sessions/${id}/cancellation-quote`)).toMatchObject(
          apiError(404, 'resource_not_found'),
        );
    });
  });

  describe('the edges of time', () => {
    const year = new Date().getUTCFullYear();
    const leapDay = `${[1, 2, 3, 4].map((each) => year + each).find((each) => each % 4 === 0)}-02-29T23:30:00Z`;
    const AFTER_ALL = '9999-12-31T23:45:01Z';

    it('a session can be created on a leap day', async () => {
      const made = await family.make<Session>('/sessions', sessionBody(instructor, member, leapDay));
      expect(Date.parse(made.date)).toBe(Date.parse(leapDay));
      expect(Date.parse(made.end_date) - Date.parse(made.date)).toBe(3_600_000);
    });

    it('a session that would end after 9999 is rejected', async () => {
      const session = await aSession(family, instructor, member);
      const wrong = sessionBody(instructor, member, AFTER_ALL);
      expect(await family.post('/sessions', wrong)).toMatchObject(apiError(400, 'out_of_range', 'date'));
      expect(await family.post('/bookings', bookingBody(instructor, [member], [AFTER_ALL]))).toMatchObject(
        apiError(400, 'out_of_range', 'sessions.0.date'),
      );
      expect(await family.patch(`/sessions/${session.id}`, { date: AFTER_ALL })).toMatchObject(
        apiError(400, 'too_far_ahead', 'date'),
      );
    });

    it.each<[what: string, body: object, reason: string, field: string]>([
      ['29 February of no leap year', { date: '2027-02-29T10:00:00Z' }, 'invalid_date', 'date'],
      ['the year 275760', { date: '+275760-09-13T00:00:00Z' }, 'invalid_format', 'date'],
      ['the year 275761', { date: '+275761-01-01T00:00:00Z' }, 'invalid_format', 'date'],
      ['an instant before the year 0', { date: '0000-01-01T00:00:00+01:00' }, 'invalid_date', 'date'],
      ['14 minutes', { duration_minutes: 14 }, 'too_small', 'duration_minutes'],
      ['241 minutes', { duration_minutes: 241 }, 'too_large', 'duration_minutes'],
      ['2^53 minutes', { duration_minutes: 2 ** 53 }, 'invalid_type', 'duration_minutes'],
    ])('%s is rejected in POST and in PATCH', async (_, wrong, reason, field) => {
      const session = await aSession(family, instructor, member);
      const body = { ...sessionBody(instructor, member, nextTime()), ...wrong };
      expect(await family.post('/sessions', body)).toMatchObject(apiError(400, reason, field));
      expect(await family.patch(`/sessions/${session.id}`, wrong)).toMatchObject(apiError(400, reason, field));
    });

    it.each<[query: string, reason: string, field: string]>([
      ['date_from=0000-01-01&date_to=9999-12-31', 'range_too_long', 'date_to'],
      ['date_to=9999-12-31', 'range_too_long', 'date_to'],
      ['date_from=9999-12-31', 'too_far_ahead', 'date_from'],
      ['date_from=%2B275760-09-13', 'invalid_format', 'date_from'],
      ['date_from=2027-02-29', 'invalid_date', 'date_from'],
      [`date_from=${inDays(2)}&date_to=${inDays(1)}`, 'range_reversed', 'date_to'],
      ['timezone=Etc/GMT%2B25', 'unknown_timezone', 'timezone'],
      ['timezone=PST', 'unknown_timezone', 'timezone'],
      ['duration_minutes=14', 'too_small', 'duration_minutes'],
      ['duration_minutes=1e2', 'invalid_type', 'duration_minutes'],
    ])('availability?%s is rejected', async (query, reason, field) => {
      expect(await family.get(`/instructors/${instructor.id}/availability?${query}`)).toMatchObject(
        apiError(400, reason, field),
      );
    });

    it.each(['0000-01-01', '1969-12-31', '0000-01-01T00:00:00Z'])(
      'availability from %s is empty, in every zone',
      async (from) => {
        for (const zone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Niue', 'Etc/GMT%2B12']) {
          const path = `/instructors/${instructor.id}/availability?date_from=${from}&timezone=${zone}`;
          expect(expectStatus(200, await family.get<{ slots: [] }>(path)).data.slots).toEqual([]);
        }
      },
    );

    it.each(['0000-01-01', '9999-12-31', '9999-12-31T23:59:59.999Z'])('a list from %s is answered', async (date) => {
      expectStatus(200, await family.get(`/sessions?date_from=${date}`));
      expectStatus(200, await family.get(`/sessions?date_to=${date}`));
    });
  });
});
