import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountEvent, Booking, Instructor, Member, Payment, PaymentMethod, Refund } from '@swim/contracts';
import { until } from '@swim/testing';
import { type Answer, apiError, type Customer } from '../../fixtures/customer.js';
import { aBooking, aCard, aMember, anInstructor, paymentBody } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('payments', () => {
  let instructor: Instructor;
  let family: Customer;
  let member: Member;
  let visa: PaymentMethod;
  beforeAll(async () => {
    instructor = await anInstructor(stack.school);
    family = stack.family;
    [member, visa] = [await aMember(family), await aCard(family)];
  });

  const paymentsOf = (customer: Customer, booking: Booking) =>
    customer.readAll<Payment>(`/accounts/${customer.id}/payments?booking_id=${booking.id}`);
  const bookingNow = ({ id }: Booking) => family.read<Booking>(`/bookings/${id}`);

  /** The account's events about `ids`, oldest first, once there are this many. */
  const eventsOf = (customer: Customer, ids: string[], length: number): Promise<AccountEvent[]> =>
    until(async () => {
      const events = (await customer.readAll<AccountEvent>('/events')).reverse();
      const concerned = events.filter(({ data }) => ids.some((id) => JSON.stringify(data.object).includes(id)));
      return concerned.length >= length ? concerned : null;
    }, `${length} events arrive`);

  describe('a family that books and pays', () => {
    let customer: Customer;
    let card: PaymentMethod;
    let booking: Booking;
    let payment: Payment;
    beforeAll(async () => {
      customer = await stack.open('family');
      const kid = await aMember(customer);
      await eventsOf(customer, [kid.id], 1);
      booking = await aBooking(customer, instructor, kid);
    });

    it('adds a card, which is shown by brand and last digits', async () => {
      card = await aCard(customer);
      expect(card).toMatchObject({ processor: 'simulator', brand: 'visa', last4: '4242', is_default: true });
      expect(await customer.readAll(`/accounts/${customer.id}/payment-methods`)).toEqual([card]);
      await eventsOf(customer, [booking.id, card.id], 4);
    });

    it('pays in two parts, after which the booking is paid', async () => {
      const part = { amount_cents: 2_500 };
      payment = await customer.make<Payment>('/payments', paymentBody(booking, card, part));
      expect(payment).toMatchObject({
        status: 'succeeded',
        amount_cents: 2_500,
        refunded_cents: 0,
        failure_code: null,
      });
      const half = await customer.read<Booking>(`/bookings/${booking.id}`);
      expect(half).toMatchObject({ payment_status: 'partially_paid', amount_paid_cents: 2_500 });
      const tooMuch = await customer.post('/payments', paymentBody(booking, card, { amount_cents: 3_501 }));
      expect(tooMuch).toMatchObject(apiError(400, 'amount_exceeds_due', 'amount_cents'));
      await customer.make<Payment>('/payments', paymentBody(booking, card, { amount_cents: 3_500 }));
      const whole = await customer.read<Booking>(`/bookings/${booking.id}`);
      expect(whole).toMatchObject({ payment_status: 'paid', amount_paid_cents: 6_000, status: 'confirmed' });
      expect(whole.version).toBeGreaterThan(half.version);
    });

    it('finds both payments in its history, and so does the school', async () => {
      const history = await paymentsOf(customer, booking);
      expect(history.map(({ amount_cents: cents }) => cents)).toEqual([3_500, 2_500]);
      expect(await customer.read<Payment>(`/payments/${payment.id}`)).toEqual(payment);
      expect(await paymentsOf(stack.school, booking)).toEqual(history);
    });

    it('cannot pay a paid booking again', async () => {
      const repeated = await customer.post('/payments', paymentBody(booking, card, { amount_cents: 1 }));
      expect(repeated).toMatchObject({ ...apiError(409, 'already_paid'), error: { code: 'CONFLICT' } });
    });

    it('receives events of all steps in order, and so does the school, each with its own sequence without a gap', async () => {
      const ids = [booking.id, card.id, payment.id, ...booking.member_ids];
      // That of the connection with the school names the member too.
      const own = await eventsOf(customer, ids, 8);
      const order = own.map(({ type }) => type);
      for (const [earlier, later] of [
        ['member.created', 'booking.created'],
        ['booking.created', 'booking.confirmed'],
        ['booking.confirmed', 'payment.succeeded'],
        ['session.created', 'payment.succeeded'],
        ['payment_method.added', 'payment.succeeded'],
      ] as const) {
        expect(order.indexOf(earlier)).toBeGreaterThanOrEqual(0);
        expect(order.lastIndexOf(later)).toBeGreaterThan(order.indexOf(earlier));
      }
      expect(order.filter((type) => type === 'payment.succeeded')).toHaveLength(2);
      const schools = await eventsOf(stack.school, [booking.id], 5);
      expect(schools.map(({ type }) => type).sort()).toEqual([
        'booking.confirmed',
        'booking.created',
        'payment.succeeded',
        'payment.succeeded',
        'session.created',
      ]);
      for (const [account, events] of [
        [customer, own],
        [stack.school, schools],
      ] as const) {
        const all = (await account.readAll<AccountEvent>('/events')).reverse();
        expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
        expect(events.every(({ account_id: id, livemode }) => id === account.id && !livemode)).toBe(true);
      }
      expect(schools.filter(({ id }) => own.some((event) => event.id === id))).toEqual([]);
      expect(JSON.stringify([...own, ...schools])).not.toContain('Kid ');
    });
  });

  describe('a card', () => {
    it.each([
      ['pm_card_declined', 'card_declined', 'card_declined'],
      ['pm_card_insufficient_funds', 'card_declined', 'insufficient_funds'],
      ['pm_card_requires_action', 'authentication_required', 'authentication_required'],
    ])(
      '%s is declined with 402, a failed payment is stored, and another card then pays',
      async (token, reason, code) => {
        const [bad, booking] = [await aCard(family, token), await aBooking(family, instructor, member)];
        const declined = await family.post('/payments', paymentBody(booking, bad));
        expect(declined).toMatchObject({
          ...apiError(402, reason, 'payment_method_id'),
          error: {
            code: 'VALIDATION_ERROR',
            details: { decline_code: code, payment_id: expect.stringMatching(/^pay_/) },
          },
        });
        const failed = await family.read<Payment>(`/payments/${declined.error.details.payment_id}`);
        expect(failed).toMatchObject({ status: 'failed', failure_code: code, amount_cents: 6_000 });
        expect(await bookingNow(booking)).toMatchObject({ amount_paid_cents: 0 });
        await eventsOf(family, [failed.id], 1);
        const paid = await family.make<Payment>('/payments', paymentBody(booking, visa));
        expect(await bookingNow(booking)).toMatchObject({ payment_status: 'paid', amount_paid_cents: 6_000 });
        expect(await paymentsOf(family, booking)).toEqual([paid, failed]);
        const paymentEvents = await eventsOf(family, [paid.id, failed.id], 2);
        expect(paymentEvents.map(({ type }) => type)).toEqual(['payment.failed', 'payment.succeeded']);
      },
    );

    it('of a slow processor is pending, counts against the balance, and succeeds without another request', async () => {
      const [slow, booking] = [await aCard(family, 'pm_card_timeout'), await aBooking(family, instructor, member)];
      const pending = await family.make<Payment>('/payments', paymentBody(booking, slow));
      expect(pending).toMatchObject({ status: 'pending', failure_code: null });
      const second = await family.post('/payments', paymentBody(booking, visa));
      expect([400, 409]).toContain(second.status);
      expect(['amount_exceeds_due', 'already_paid']).toContain(second.error.details.reason);
      await until(async () => (await bookingNow(booking)).payment_status === 'paid', 'the slow payment is settled');
      const settled = await until(async () => {
        const payment = await family.read<Payment>(`/payments/${pending.id}`);
        return payment.status === 'pending' ? null : payment;
      }, 'the payment is succeeded, too');
      expect(settled).toMatchObject({ ...pending, status: 'succeeded', updated_at: expect.any(String) });
    });
  });

  describe('an authorised payment', () => {
    const authorized = async () => {
      const booking = await aBooking(family, instructor, member);
      const payment = await family.make<Payment>('/payments', paymentBody(booking, visa, { capture: false }));
      return { booking, payment };
    };

    it('is captured by the school, not by the family, and then refunded in parts', async () => {
      const { booking, payment } = await authorized();
      expect(payment.status).toBe('authorized');
      await until(async () => (await bookingNow(booking)).payment_status === 'authorized', 'its booking counts it');
      const path = `/payments/${payment.id}`;
      expect(await family.post(`${path}/capture`, {})).toMatchObject(apiError(403, 'school_only', 'payment_id'));
      expect(await stack.school.post(`${path}/capture`, {})).toMatchObject({
        status: 200,
        data: { status: 'succeeded' },
      });
      await until(async () => (await bookingNow(booking)).payment_status === 'paid', 'its booking is paid');
      expect(await stack.school.post(`${path}/capture`, {})).toMatchObject(
        apiError(409, 'invalid_state', 'payment_id'),
      );

      const body = { amount_cents: 1_000, reason: 'A shorter lesson.' };
      expect(await family.post(`${path}/refunds`, body)).toMatchObject(apiError(403, 'school_only', 'payment_id'));
      const refund = await stack.school.make<Refund>(`${path}/refunds`, body);
      expect(refund).toMatchObject({ payment_id: payment.id, amount_cents: 1_000, status: 'succeeded' });
      const tooMuch = await stack.school.post(`${path}/refunds`, { ...body, amount_cents: 5_001 });
      expect(tooMuch).toMatchObject(apiError(400, 'amount_exceeds_refundable', 'amount_cents'));
      await stack.school.make<Refund>(`${path}/refunds`, { reason: 'The rest.' });
      expect(await family.read<Payment>(path)).toMatchObject({ status: 'refunded', refunded_cents: 6_000 });
      expect(await family.readAll<Refund>(`${path}/refunds`)).toHaveLength(2);
      await until(async () => (await bookingNow(booking)).payment_status === 'refunded', 'its booking is refunded');
      const types = (await eventsOf(family, [payment.id], 4)).map(({ type }) => type);
      expect(types).toEqual(['payment.authorized', 'payment.succeeded', 'payment.refunded', 'payment.refunded']);
    });

    it('is voided by the school, after which another pays the booking', async () => {
      const { booking, payment } = await authorized();
      expect(await family.post(`/payments/${payment.id}/void`, {})).toMatchObject(apiError(403, 'school_only'));
      const voided = await stack.school.post(`/payments/${payment.id}/void`, {});
      expect(voided).toMatchObject({ status: 200, data: { id: payment.id, status: 'voided' } });
      const paid = await until(async () => {
        const answer = await family.post<Payment>('/payments', paymentBody(booking, visa));
        return answer.status === 201 ? answer.data : null;
      }, 'the amount is due again');
      expect(paid.status).toBe('succeeded');
    });
  });

  describe('a payment is rejected', () => {
    let booking: Booking;
    beforeAll(async () => {
      booking = await aBooking(family, instructor, member);
    });
    it.each<[string, object, number, string, string]>([
      ['over the balance', { amount_cents: 6_001 }, 400, 'amount_exceeds_due', 'amount_cents'],
      ['in another currency', { currency: 'EUR' }, 400, 'currency_mismatch', 'currency'],
      [
        'for a booking that does not exist',
        { booking_id: 'bkg_01k5zr8q3ve9mbf6w2n0x4ht7c' },
        400,
        'not_found',
        'booking_id',
      ],
      [
        'with a method that does not exist',
        { payment_method_id: 'pm_01k5zr8q3ve9mbf6w2n0x4ht7c' },
        400,
        'not_found',
        'payment_method_id',
      ],
    ])('%s', async (_, changes, status, reason, field) => {
      expect(await family.post('/payments', paymentBody(booking, visa, changes))).toMatchObject(
        apiError(status, reason, field),
      );
      expect(await paymentsOf(family, booking)).toEqual([]);
      expect(await bookingNow(booking)).toEqual(booking);
    });

    it('with a method that was removed', async () => {
      const gone = await aCard(family);
      expect((await family.delete(`/payment-methods/${gone.id}`)).status).toBe(204);
      const rejected = await family.post('/payments', paymentBody(booking, gone));
      expect(rejected).toMatchObject(apiError(400, 'not_found', 'payment_method_id'));
    });
  });

  describe('twenty payments of one booking at once, under keys of their own', () => {
    let booking: Booking;
    beforeEach(async () => {
      booking = await aBooking(family, instructor, member);
    });

    const race = (cents: number): Promise<Answer<Payment>[]> =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          family.post<Payment>('/payments', paymentBody(booking, visa, { amount_cents: cents }), {
            'idempotency-key': `${booking.id}-${index}`,
          }),
        ),
      );

    it.each([
      [6_000, 1],
      [2_500, 2],
      [1_000, 6],
    ])('of %d cents each: never more than the amount is charged', async (cents, most) => {
      const answers = await race(cents);
      const paid = answers.filter(({ status }) => status === 201).map(({ data }) => data);
      for (const { error } of answers.filter(({ status }) => status !== 201)) {
        expect(['amount_exceeds_due', 'already_paid', 'change_in_progress']).toContain(error.details.reason);
      }
      expect(paid.length).toBeGreaterThanOrEqual(1);
      expect(paid.length).toBeLessThanOrEqual(most);
      expect(paid.every(({ status }) => status === 'succeeded')).toBe(true);
      // A settlement that timed out is repeated after the response.
      const isPaid = async () => (await bookingNow(booking)).amount_paid_cents === paid.length * cents;
      await until(isPaid, 'the booking counts every charge');
      const begun = await stack.stored('payment', 'payments', { bookingId: booking.id });
      const charges = await stack.stored('payment', 'processor_charges', {
        _id: { $in: begun.map(({ _id: id }) => id) },
      });
      expect(charges).toHaveLength(paid.length);
      const history = await paymentsOf(family, booking);
      expect(history.map(({ id }) => id).sort()).toEqual(paid.map(({ id }) => id).sort());
    });
  });
});
