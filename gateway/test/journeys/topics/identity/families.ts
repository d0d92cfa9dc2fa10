import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking, Connection, Instructor, Member, NewFamily, Payment, PaymentMethod } from '@swim/contracts';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';
import { apiError, Customer, expectStatus } from '../../fixtures/customer.js';
import {
  aMember,
  anInstructor,
  aCard as aPaymentMethod,
  bookingBody,
  memberBody,
  nextTime,
  sessionBody,
} from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

const VISA = { processor_payment_method_id: 'pm_card_visa' };

/** A family that nobody has claimed. */
const aFamily = (school: Customer): Promise<NewFamily> =>
  school.make<NewFamily>('/families', { name: 'The Kims', email: 'kims@example.test', members: [memberBody()] });

journey('families', () => {
  let school: Customer;
  let instructor: Instructor;
  let family: NewFamily;
  let kim: Member;
  const account = (below = '') => `/accounts/${family.account_id}${below}`;
  const aBookingOfKim = (changes: object = {}) =>
    school.make<Booking>('/bookings', bookingBody(instructor, [kim], [nextTime()], changes));
  const aCard = () => school.make<PaymentMethod>(account('/payment-methods'), VISA);

  beforeAll(async () => {
    school = stack.school;
    instructor = await anInstructor(school);
    family = await aFamily(school);
    kim = family.members[0]!;
  });

  describe('a school that has made a family', () => {
    it('does below its account what the family may, but for keys', async () => {
      const { ROUTES } = await import('../../../../src/routes.js');
      const below = ROUTES.filter(({ path }) => path.startsWith('/v1/accounts/{account_id}'));
      const bodies: Record<string, object> = {
        'PATCH ': { name: 'Kim family' },
        'POST /members': memberBody(),
        'POST /payment-methods': VISA,
        'POST /keys': { name: 'Mine' },
        'PATCH /keys/{key_id}': { name: 'Mine' },
      };
      const rejections: Record<string, object> = {
        'GET /statement': apiError(403, 'school_only'),
        'POST /restore': apiError(409, 'invalid_state'),
        'DELETE /payment-methods/{payment_method_id}': apiError(404, 'resource_not_found'),
      };
      for (const { method, path } of below) {
        const route = path.replace('/v1/accounts/{account_id}', '');
        // Its erasure follows.
        if (method === 'DELETE' && route === '') continue;
        const filled = route.replace('{key_id}', newId('key')).replace('{payment_method_id}', newId('pm'));
        const query = route === '/statement' ? '?month=2027-01&currency=USD' : '';
        const body = method === 'GET' || method === 'DELETE' ? {} : { body: bodies[`${method} ${route}`] ?? {} };
        const expected = route.startsWith('/keys')
          ? apiError(403, 'foreign_account')
          : (rejections[`${method} ${route}`] ?? { status: method === 'POST' ? 201 : 200 });
        const answer = await school.send(method, account(filled) + query, body);
        expect({ method, route, ...answer }).toMatchObject({ method, route, ...expected });
      }
    });

    it('needs the scopes that a key of the family would', async () => {
      const reader = await stack.mint(school.id, { scopes: ['members:read'] });
      expect((await reader.get(account('/members'))).status).toBe(200);
      expect(await reader.post(account('/members'), memberBody())).toMatchObject(apiError(403, 'missing_scope'));
    });

    it('books, holds and waits for its members, also for one that it adds', async () => {
      const added = await school.make<Member>(account('/members'), memberBody());
      for (const member of [kim, added]) {
        const body = bookingBody(instructor, [member], [nextTime()]);
        expect(await school.make<Booking>('/bookings', body)).toMatchObject({ account_id: family.account_id });
        expectStatus(
          201,
          await school.post('/holds', { ...body, sessions: [{ ...body.sessions[0], date: nextTime() }] }),
        );
        expectStatus(201, await school.post('/sessions', sessionBody(instructor, member, nextTime())));
        const time = { date_from: nextTime(), date_to: nextTime(), duration_minutes: 60 };
        const joining = { instructor_id: instructor.id, member_id: member.id, ...time };
        expectStatus(201, await school.post('/waitlist', joining));
      }
    });

    it('changes its members, gives them feeds, and erases them', async () => {
      const { id } = await school.make<Member>(account('/members'), memberBody());
      expectStatus(200, await school.patch(`/members/${id}`, { name: 'Kimberly' }));
      expectStatus(201, await school.post(`/members/${id}/calendar-token`, {}));
      expectStatus(204, await school.delete(`/members/${id}/calendar-token`));
      expectStatus(204, await school.delete(`/members/${id}`));
    });

    it('adds cards, pays with them and gives consent to be charged', async () => {
      const [visa, other] = [await aCard(), await aCard()];
      expectStatus(200, await school.patch(`/payment-methods/${other.id}`, { is_default: true }));
      expect(await school.read(`/payment-methods/${other.id}`)).toMatchObject({ is_default: true });
      const booking = await aBookingOfKim();
      const paying = { booking_id: booking.id, amount_cents: 1_000, currency: booking.currency };
      const paid = await school.make<Payment>('/payments', { ...paying, payment_method_id: visa.id });
      expect(paid).toMatchObject({ status: 'succeeded' });
      expect(await school.post('/payments', paying)).toMatchObject(apiError(409, 'no_consent'));
      expectStatus(200, await school.patch(`/bookings/${booking.id}`, { payment_method_id: visa.id }));
      expect(await school.make<Payment>('/payments', paying)).toMatchObject({ status: 'succeeded' });
      const consented = await aBookingOfKim({ payment_method_id: other.id });
      expect(await school.make<Payment>('/payments', { ...paying, booking_id: consented.id })).toMatchObject({
        status: 'succeeded',
      });
      expectStatus(204, await school.delete(`/payment-methods/${other.id}`));
    });

    it('is the only school that may', async () => {
      const other = await stack.open('school');
      const absent = await other.get(`/accounts/${newId('acct')}/members`);
      expect(absent).toMatchObject(apiError(403, 'foreign_account'));
      expect((await other.get(account('/members'))).error).toEqual(absent.error);
      const card = await aCard();
      for (const path of [`/members/${kim.id}`, `/payment-methods/${card.id}`])
        expect(await other.get(path)).toMatchObject(apiError(404, 'resource_not_found'));
    });
  });

  it('a claim in the sandbox gives the family a key, once, and leaves the school the rights of a connection', async () => {
    const made = await aFamily(school);
    const [at, claim] = [`/accounts/${made.account_id}`, `/sandbox/families/${made.account_id}/claim`];
    const headers = { 'idempotency-key': newId('req') };
    const claimed = expectStatus(200, await school.post<{ account_id: string; key: string }>(claim, {}, headers)).data;
    expect(claimed).toEqual({ account_id: made.account_id, key: expect.stringMatching(/^swl_test_/) });
    expect((await school.post(claim, {}, headers)).data).toEqual(claimed);
    expect(await school.post(claim, {})).toMatchObject(apiError(409, 'invalid_state'));
    const kims = new Customer(school.baseUrl, made.account_id, claimed.key);
    const [{ id }] = (await kims.read<Member[]>(`${at}/members`)) as [Member];
    expectStatus(200, await kims.patch(`/members/${id}`, { name: 'Kimberly' }));
    expect(await school.read(`/members/${id}`)).toMatchObject({ name: 'Kimberly' });
    expect(await school.get(`${at}/members`)).toMatchObject(apiError(403, 'foreign_account'));
    expect(await school.patch(`/members/${id}`, { name: 'Kim' })).toMatchObject(apiError(403, 'foreign_account'));
    expectStatus(200, await school.post(`/connections/${made.connection_id}/end`, {}));
    expect((await kims.read<Member[]>(`${at}/members`)).length).toBe(1);
  });

  it('a family that books, and is charged, while its school ends the connection has no lesson and no consent left', async () => {
    const [own, kims] = [await stack.open('school'), await stack.open('family')];
    const [coach, member, card] = [await anInstructor(own), await aMember(kims), await aPaymentMethod(kims)];
    const booking = () => bookingBody(coach, [member], [nextTime()], { payment_method_id: card.id });
    const { id } = await kims.make<Connection>('/connections', { school_id: own.id, member_ids: [member.id] });
    for (let round = 0; round < 4; round++) {
      const consented = await kims.make<Booking>('/bookings', booking());
      const paying = { booking_id: consented.id, amount_cents: 1_000, currency: 'USD' };
      const [booked, charged, ended] = await Promise.all([
        kims.post<Booking>('/bookings', booking()),
        own.post<Payment>('/payments', paying),
        own.post(`/connections/${id}/end`, {}),
      ]);
      expectStatus(200, ended);
      expect([201, 409]).toContain(charged.status);
      if (booked.status !== 201) expect(booked).toMatchObject(apiError(409, 'connection_ended'));
      const left = [consented, ...(booked.status === 201 ? [booked.data] : [])];
      for (const each of left)
        await until(async () => {
          const now = await kims.read<Booking>(`/bookings/${each.id}`);
          return now.status === 'cancelled' && now.amount_paid_cents === 0;
        }, 'its lessons are cancelled, and its money is refunded');
      const hasEnded = async () => (await kims.read<Booking>(`/bookings/${consented.id}`)).payment_method_id === null;
      await until(hasEnded, 'the consent has ended');
      expect(await own.post('/payments', paying)).toMatchObject({ status: 409 });
      expect(await own.get(`/members/${member.id}`)).toMatchObject(apiError(404, 'resource_not_found'));
      for (const [path, body] of [
        ['/bookings', booking()],
        ['/holds', bookingBody(coach, [member], [nextTime()])],
        ['/sessions', sessionBody(coach, member, nextTime())],
        ['/connections', { school_id: own.id, member_ids: [member.id] }],
      ] as const)
        expect(await kims.post(path, body)).toMatchObject(apiError(409, 'connection_ended'));
      expectStatus(200, await own.patch(`/connections/${id}`, { status: 'active' }));
    }
  });

  it('invites at most 20 families a day until one has claimed its account: limit_reached', async () => {
    const own = await stack.open('school');
    const made = await aFamily(own);
    const invite = () => own.post(`/families/${made.account_id}/invite`, {});
    for (let sent = 0; sent < 20; sent += 1) expectStatus(200, await invite());
    expect(await invite()).toMatchObject(apiError(409, 'limit_reached'));
    expect(await own.post(`/families/${made.account_id}/invite?dry_run=true`, {})).toMatchObject(
      apiError(409, 'limit_reached'),
    );
    expectStatus(200, await own.post(`/sandbox/families/${(await aFamily(own)).account_id}/claim`, {}));
    expectStatus(200, await invite());
  });

  it('a school erases a family that it has made', async () => {
    const made = await aFamily(school);
    expectStatus(204, await school.delete(`/accounts/${made.account_id}`));
    expect(await school.get(`/accounts/${made.account_id}`)).toMatchObject(apiError(403, 'foreign_account'));
  });

  it('the end of the connection erases what nobody has claimed', async () => {
    const made = await aFamily(school);
    const [member] = made.members;
    const booking = await school.make<Booking>('/bookings', bookingBody(instructor, [member!], [nextTime()]));
    expectStatus(200, await school.post(`/connections/${made.connection_id}/end`, {}));
    expect(await school.get(`/accounts/${made.account_id}`)).toMatchObject(apiError(403, 'foreign_account'));
    expect(await school.get(`/members/${member!.id}`)).toMatchObject(apiError(404, 'resource_not_found'));
    await until(
      async () => (await school.read<Booking>(`/bookings/${booking.id}`)).status === 'cancelled',
      'its lessons are cancelled',
    );
  });
});
