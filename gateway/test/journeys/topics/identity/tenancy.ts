import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountEvent, Booking, Instructor, Member, Payment, PaymentMethod, Session } from '@swim/contracts';
import { until } from '@swim/testing';
import { apiError, type Customer } from '../../fixtures/customer.js';
import {
  aBooking,
  aCard,
  aMember,
  anInstructor,
  aSession,
  bookingBody,
  instructorBody,
  nextTime,
  paymentBody,
  sessionBody,
} from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';
import { type Contents, differencesBetween } from '../../fixtures/snapshot.js';

journey('tenancy', () => {
  /** A customer with one object of each kind. */
  interface Household {
    customer: Customer;
    member: Member;
    session: Session;
    booking: Booking;
    visa: PaymentMethod;
    payment: Payment;
  }

  let instructor: Instructor;
  let ruiz: Household;
  let okafor: Household;
  let otherSchool: Customer;
  let untouched: Contents;
  const free = nextTime();

  async function aHousehold(customer: Customer): Promise<Household> {
    const [member, visa] = [await aMember(customer, { medical_notes: 'Asthma' }), await aCard(customer)];
    const [session, booking] = [
      await aSession(customer, instructor, member),
      await aBooking(customer, instructor, member),
    ];
    const payment = await customer.make<Payment>('/payments', paymentBody(booking, visa, { amount_cents: 1_000 }));
    return { customer, member, session, booking, visa, payment };
  }

  beforeAll(async () => {
    instructor = await anInstructor(stack.school);
    ruiz = await aHousehold(stack.family);
    okafor = await aHousehold(await stack.open('family'));
    otherSchool = await stack.open('school');
    untouched = await stack.snapshot();
  });

  /** A well-formed id that does not exist. */
  const NOBODY = '01k5zr8q3ve9mbf6w2n0x4ht7c';

  describe('what belongs to another family', () => {
    const OBJECTS: [name: string, method: string, path: (household: Household) => string, body: object | null][] = [
      ['its members', 'GET', ({ member }) => `/members/${member.id}`, null],
      ['the progress of its members', 'GET', ({ member }) => `/members/${member.id}/progress`, null],
      ['to change its members', 'PATCH', ({ member }) => `/members/${member.id}`, { name: 'Mine' }],
      ['to erase its members', 'DELETE', ({ member }) => `/members/${member.id}`, null],
      ['its sessions', 'GET', ({ session }) => `/sessions/${session.id}`, null],
      ['to move its sessions', 'PATCH', ({ session }) => `/sessions/${session.id}`, { date: free }],
      ['to cancel its sessions', 'POST', ({ session }) => `/sessions/${session.id}/cancel`, {}],
      ['its bookings', 'GET', ({ booking }) => `/bookings/${booking.id}`, null],
      ['its payments', 'GET', ({ payment }) => `/payments/${payment.id}`, null],
      ['to change its methods', 'PATCH', ({ visa }) => `/payment-methods/${visa.id}`, { is_default: true }],
      ['to remove its methods', 'DELETE', ({ visa }) => `/payment-methods/${visa.id}`, null],
    ];

    it.each(OBJECTS)('is answered 404, like what does not exist: %s', async (_, method, path, body) => {
      const pending = body ? { body } : {};
      const foreign = await ruiz.customer.send(method, path(okafor), pending);
      expect(foreign).toMatchObject({ ...apiError(404, 'resource_not_found'), error: { code: 'NOT_FOUND' } });
      const absent = await ruiz.customer.send(method, path(okafor).replace(/_[0-9a-z]{26}/, `_${NOBODY}`), pending);
      expect([absent.status, absent.error]).toEqual([404, foreign.error]);
      expect((await otherSchool.send(method, path(okafor), pending)).error).toEqual(foreign.error);
    });

    const BELOW: [name: string, method: string, path: string, body: object | null][] = [
      ['members', 'GET', '/members', null],
      ['a new member', 'POST', '/members', { name: 'Mia', date_of_birth: '2017-05-04' }],
      ['bookings', 'GET', '/bookings', null],
      ['payments', 'GET', '/payments', null],
      ['payment methods', 'GET', '/payment-methods', null],
      ['a new payment method', 'POST', '/payment-methods', { processor_payment_method_id: 'pm_card_visa' }],
      ['the set-up of one', 'POST', '/payment-methods/setup', {}],
      ['the account itself', 'GET', '', null],
    ];
    it.each(BELOW)(
      'is answered 403 below its account, whether or not that exists: %s',
      async (_, method, below, body) => {
        const pending = body ? { body } : {};
        for (const id of [okafor.customer.id, `acct_${NOBODY}`, stack.school.id, otherSchool.id]) {
          const answer = await ruiz.customer.send(method, `/accounts/${id}${below}`, pending);
          expect(answer).toMatchObject({ ...apiError(403, 'foreign_account'), error: { code: 'AUTHORIZATION_ERROR' } });
        }
      },
    );

    const BODIES: [field: string, path: string, body: () => object][] = [
      ['member_id', '/sessions', () => sessionBody(instructor, okafor.member, free)],
      [
        'instructor_id',
        '/sessions',
        () => ({ ...sessionBody(instructor, ruiz.member, free), instructor_id: `ins_${NOBODY}` }),
      ],
      [
        'location.pool_id',
        '/sessions',
        () => sessionBody(instructor, ruiz.member, free, { location: { type: 'pool', pool_id: `pool_${NOBODY}` } }),
      ],
      ['member_ids.0', '/bookings', () => bookingBody(instructor, [okafor.member], [free])],
      ['member_ids.1', '/bookings', () => bookingBody(instructor, [ruiz.member, okafor.member], [free])],
      [
        'instructor_id',
        '/bookings',
        () => ({ ...bookingBody(instructor, [ruiz.member], [free]), instructor_id: `ins_${NOBODY}` }),
      ],
      ['booking_id', '/payments', () => paymentBody(okafor.booking, ruiz.visa, { amount_cents: 1 })],
      ['payment_method_id', '/payments', () => paymentBody(ruiz.booking, okafor.visa, { amount_cents: 1 })],
    ];
    it.each(BODIES)(
      'named as %s in the body of POST %s is rejected as if it were not there',
      async (field, path, body) => {
        const answer = await ruiz.customer.post(path, body());
        expect(answer).toMatchObject({
          status: 400,
          error: { code: 'VALIDATION_ERROR', details: { reason: 'not_found' } },
        });
        // Lists are named whole or by place.
        expect(field.startsWith(String(answer.error.details.field))).toBe(true);
      },
    );

    it('is in no list of the family', async () => {
      const others = okafor;
      const secrets = [
        others.member.id,
        others.session.id,
        others.booking.id,
        others.visa.id,
        others.payment.id,
        others.customer.id,
      ];
      for (const path of [
        '/sessions',
        '/bookings',
        '/events',
        ...['members', 'bookings', 'payments', 'payment-methods'].map(
          (each) => `/accounts/${ruiz.customer.id}/${each}`,
        ),
      ]) {
        const text = JSON.stringify(await ruiz.customer.readAll(path));
        expect(text.length).toBeGreaterThan(2);
        for (const secret of secrets) expect(text).not.toContain(secret);
      }
      for (const query of [
        `/sessions?member_id=${others.member.id}`,
        `/bookings?member_id=${others.member.id}`,
        `/events?object_id=${others.booking.id}`,
      ]) {
        expect(await ruiz.customer.readAll(query)).toEqual([]);
      }
      expect(
        await ruiz.customer.readAll(`/accounts/${ruiz.customer.id}/payments?booking_id=${others.booking.id}`),
      ).toEqual([]);
    });

    it('is read by its school, which cannot change members and payments', async () => {
      for (const { member, session, booking, payment } of [ruiz, okafor]) {
        expect(await stack.school.read<Session>(`/sessions/${session.id}`)).toMatchObject({ id: session.id });
        expect(await stack.school.read<Booking>(`/bookings/${booking.id}`)).toMatchObject({ id: booking.id });
        expect(await stack.school.read<Payment>(`/payments/${payment.id}`)).toMatchObject({ id: payment.id });
        expect(await stack.school.read<Member>(`/members/${member.id}`)).toMatchObject({ id: member.id });
        expect(await stack.school.patch(`/members/${member.id}`, { name: 'Ours' })).toMatchObject(
          apiError(403, 'foreign_account'),
        );
        const pays = await stack.school.post('/payments', {
          booking_id: booking.id,
          payment_method_id: okafor.visa.id,
          amount_cents: 1,
          currency: 'USD',
        });
        expect(pays).toMatchObject(apiError(400, 'not_found'));
      }
      for (const path of ['/sessions', '/bookings', '/events', `/accounts/${otherSchool.id}/payments`]) {
        expect(await otherSchool.readAll(path)).toEqual([]);
      }
      const theirs = await otherSchool.send('PATCH', `/instructors/${instructor.id}`, { body: { bio: 'Mine' } });
      expect(theirs).toMatchObject(apiError(404, 'resource_not_found'));
      expect(await ruiz.customer.patch(`/instructors/${instructor.id}`, { bio: 'Mine' })).toMatchObject(
        apiError(403, 'school_only'),
      );
      expect(await ruiz.customer.post('/instructors', instructorBody())).toMatchObject(apiError(403, 'school_only'));
    });

    it('is unchanged after all of these requests', async () => {
      const differences = differencesBetween(untouched, await stack.snapshot());
      // Idempotency keeps a record of each rejected write, and booking one of each booking that was not made.
      expect(differences.filter((line) => !/^\+ \w+\.(?:idempotency|drafts) /.test(line))).toEqual([]);
    });
  });

  it('a booking with the payment method of another family, or an unknown one, is rejected', async () => {
    for (const id of [okafor.visa.id, `pm_${NOBODY}`]) {
      const answer = await ruiz.customer.post(
        '/bookings',
        bookingBody(instructor, [ruiz.member], [nextTime()], { payment_method_id: id }),
      );
      expect(answer).toMatchObject(apiError(400, 'not_found', 'payment_method_id'));
    }
  });

  describe('a key of the live environment', () => {
    const idsOf = async (customer: Customer) =>
      (await customer.readAll<Instructor>('/instructors')).map(({ id }) => id);

    it('sees nothing of the sandbox, even with the same account', async () => {
      const [school, family] = [await stack.open('school', 'live'), await stack.open('family', 'live')];
      const member = await aMember(family);
      const live = await anInstructor(school);
      const session = await aSession(family, live, member);
      const ofSandbox = await idsOf(stack.family);
      expect(ofSandbox).toContain(instructor.id);
      expect(ofSandbox).not.toContain(live.id);
      const ofLive = await idsOf(family);
      expect(ofLive).toContain(live.id);
      expect(ofLive.filter((id) => ofSandbox.includes(id))).toEqual([]);
      expect(await family.readAll('/sessions')).toMatchObject([{ id: session.id }]);
      for (const path of [
        `/instructors/${instructor.id}`,
        `/members/${ruiz.member.id}`,
        `/sessions/${ruiz.session.id}`,
      ]) {
        expect((await family.get(path)).status).toBe(404);
      }
      const crossed = await family.post('/sessions', sessionBody(instructor, member, free));
      expect(crossed).toMatchObject(apiError(400, 'not_found', 'instructor_id'));
      const [event] = await until(async () => {
        const events = await family.read<AccountEvent[]>('/events?type=session.created');
        return events.length > 0 ? events : null;
      }, 'the live event arrives');
      expect(event).toMatchObject({ livemode: true, account_id: family.id });
      const crossing = await stack.mint(family.id, {}, 'test');
      expect(await crossing.get('/sessions')).toMatchObject(apiError(401, 'unknown_key'));
      const sameAccount = await stack.mint(ruiz.customer.id, {}, 'live');
      expect(await sameAccount.get('/sessions')).toMatchObject(apiError(401, 'unknown_key'));
    });
  });
});
