import { beforeAll, describe, expect, it } from '@jest/globals';
import type {
  Account,
  Booking,
  CancellationQuote,
  Family,
  Instructor,
  Payment,
  PaymentMethod,
  Refund,
} from '@swim/contracts';
import { until } from '@swim/testing';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import { aCard, aMember, anInstructor, bookingBody } from '../../fixtures/fixtures.js';
import { advance } from '../../fixtures/sandbox-clock.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

interface Totals {
  charged_cents: number;
  refunded_cents: number;
  fees_cents: number;
}

/**
 * A lesson in the minor unit of each currency, or in the `unit` of them that processors take. The exact price ends in a half, and so do half of the rounded price, the late fee,
 * and what 35 % of it is not: `lateFee` and `missedFee` are rounded half up.
 */
const CASES = [
  // 3334 × 45 / 60 = 2500.5; 50 % of 2501 = 1250.5; 35 % of 2501 = 875.35
  { currency: 'JPY', decimals: 0, unit: 1, rate: 3_334, minutes: 45, price: 2_501, lateFee: 1_251, missedFee: 875 },
  // In tens: 12330 × 30 / 60 = 6165; 50 % of 6170 = 3085; 35 % of 6170 = 2159.5
  { currency: 'KWD', decimals: 3, unit: 10, rate: 12_330, minutes: 30, price: 6_170, lateFee: 3_090, missedFee: 2_160 },
];

journey('prices, refunds and fees', () => {
  describe.each(CASES)(
    'in $currency, with $decimals decimals',
    ({ currency, unit, rate, minutes, price, lateFee, missedFee }) => {
      let school: Customer;
      let family: Customer;
      let instructor: Instructor;
      let card: PaymentMethod;
      let booking: Booking;
      beforeAll(async () => {
        [school, family] = [await stack.open('school'), await stack.open('family')];
        const policies = { late_fee_percent: 50, no_show_fee_percent: 35 };
        expectStatus(200, await school.patch(`/accounts/${school.id}`, { policies }));
        const hours = { availability_schedule: { weekly: [] } };
        instructor = await anInstructor(school, { hourly_rate_cents: rate, currency, ...hours });
        card = await aCard(family);
      });

      const now = () => family.read<Booking>(`/bookings/${booking.id}`);
      const becomes = (expected: Partial<Booking>) =>
        until(
          async () => {
            const current = await now();
            return Object.entries(expected).every(([key, value]) => current[key as keyof Booking] === value)
              ? current
              : null;
          },
          `the booking becomes ${JSON.stringify(expected)}`,
        );
      const pay = (amount_cents: number, changes: object = {}) =>
        family.post<Payment>('/payments', {
          booking_id: booking.id,
          payment_method_id: card.id,
          amount_cents,
          currency,
          ...changes,
        });
      const payments = () => family.readAll<Payment>(`/payments?booking_id=${booking.id}`);
      const refundedCents = async () => (await payments()).reduce((sum, each) => sum + each.refunded_cents, 0);

      it('each member’s lesson is priced in whole minor units, half up', async () => {
        const members = [await aMember(family), await aMember(family)];
        const sessions = [5, 48].map((hours) => ({ date: inHours(hours), duration_minutes: minutes }));
        booking = await family.make<Booking>('/bookings', { ...bookingBody(instructor, members, []), sessions });
        expect(booking).toMatchObject({ currency, amount_cents: 4 * price, amount_due_cents: 4 * price });
        for (const { id } of booking.sessions)
          expect(await family.read(`/sessions/${id}`)).toMatchObject({ price_cents: price, currency });
      });

      it('it is paid in parts to the last minor unit, and in no other currency', async () => {
        expect(await pay(unit, { currency: 'USD' })).toMatchObject(apiError(400, 'currency_mismatch', 'currency'));
        expect(await pay(4 * price + unit)).toMatchObject(apiError(400, 'amount_exceeds_due', 'amount_cents'));
        expect(await pay(unit)).toMatchObject({
          status: 201,
          data: { status: 'succeeded', amount_cents: unit, currency },
        });
        await becomes({ payment_status: 'partially_paid', amount_due_cents: 4 * price - unit });
        expect(await pay(4 * price - unit)).toMatchObject({ status: 201, data: { status: 'succeeded' } });
        await becomes({ payment_status: 'paid', amount_paid_cents: 4 * price, amount_due_cents: 0 });
      });

      it('a late cancellation keeps the fee, half up, as its quote said, and the rest goes back', async () => {
        const [late] = booking.sessions;
        const quote = await family.read<CancellationQuote>(`/sessions/${late!.id}/cancellation-quote`);
        const terms = { fee_cents: lateFee, refund_cents: price - lateFee };
        expect(quote).toMatchObject({ late: true, currency, ...terms });
        const cancelled = await family.post(`/sessions/${late!.id}/cancel`, {});
        expect(cancelled).toMatchObject({ status: 200, data: { cancellation: { late: true, fee_cents: lateFee } } });
        const held = 3 * price + lateFee;
        await becomes({ amount_cents: held, amount_paid_cents: held, payment_status: 'partially_refunded' });
        await until(async () => (await refundedCents()) === price - lateFee, 'the rest is refunded');
      });

      it('a longer lesson costs more, and a refund by the school waives as much', async () => {
        const [, , other, last] = booking.sessions;
        // The instructor teaches the group at one time: one member's lesson can be longer only without the other's.
        expectStatus(200, await family.post(`/sessions/${other!.id}/cancel`, {}));
        const held = 2 * price + lateFee;
        await becomes({ amount_cents: held, amount_paid_cents: held });
        expectStatus(200, await family.patch(`/sessions/${last!.id}`, { duration_minutes: 60 }));
        await becomes({ amount_due_cents: rate - price, payment_status: 'partially_paid' });
        expect((await pay(rate - price)).data).toMatchObject({ status: 'succeeded', amount_cents: rate - price });
        const before = await becomes({ amount_due_cents: 0 });
        const newest = (await payments())[0]!;
        const body = { amount_cents: unit, reason: 'A cold pool.' };
        const refund = await school.make<Refund>(`/payments/${newest.id}/refunds`, body);
        expect(refund).toMatchObject({ amount_cents: unit, currency, status: 'succeeded' });
        await becomes({ amount_paid_cents: before.amount_paid_cents - unit, amount_due_cents: 0 });
      });

      it('a missed lesson keeps its fee, half up, and the rest goes back', async () => {
        const missed = booking.sessions[1]!;
        const { amount_paid_cents: paid, amount_cents: amount } = await now();
        await advance(family, inHours(6));
        const path = `/sessions/${missed.id}/attendance`;
        expectStatus(200, await school.post(path, { attendance: 'no_show' }));
        const back = price - missedFee;
        await becomes({ amount_cents: amount - back, amount_paid_cents: paid - back, amount_due_cents: 0 });
      });

      it('the school’s statement has the sums in that currency, and nothing in another', async () => {
        const { amount_paid_cents: paid } = await now();
        await until(async () => 4 * price + rate - price - (await refundedCents()) === paid, 'all refunds are made');
        const { timezone: timeZone } = await school.read<Account>(`/accounts/${school.id}`);
        const monthOf = (instant: string) => new Date(instant).toLocaleDateString('sv', { timeZone }).slice(0, 7);
        // Money that moved after the advance may belong to the next month.
        const months = new Set([booking.created_at, inHours(6)].map(monthOf));
        const totalsIn = async (code: string) => {
          const sums: Totals = { charged_cents: 0, refunded_cents: 0, fees_cents: 0 };
          for (const month of months) {
            const path = `/accounts/${school.id}/statement?month=${month}&currency=${code}`;
            const { totals } = await school.read<{ totals: Totals }>(path);
            for (const sum of Object.keys(sums) as (keyof Totals)[]) sums[sum] += totals[sum];
          }
          return sums;
        };
        expect(await totalsIn(currency)).toEqual({
          charged_cents: 3 * price + rate,
          refunded_cents: await refundedCents(),
          fees_cents: lateFee + missedFee,
        });
        expect(await totalsIn('USD')).toEqual({ charged_cents: 0, refunded_cents: 0, fees_cents: 0 });
      });

      it('a price that the school sets, its charge by consent, cash, and what is due are whole units of it', async () => {
        const member = await aMember(family);
        const body = { ...bookingBody(instructor, [member], []), payment_method_id: card.id };
        const own = { date: inHours(480), duration_minutes: minutes };
        const { id } = await family.make<Booking>('/bookings', { ...body, sessions: [own] });
        const session = (await family.read<Booking>(`/bookings/${id}`)).session_ids[0]!;
        const setPrice = (cents: number) => school.patch(`/sessions/${session}`, { price_cents: cents });
        if (unit > 1)
          expect(await setPrice(price + 1)).toMatchObject(apiError(400, 'not_representable', 'price_cents'));
        expectStatus(200, await setPrice(price + unit));
        const due = async () =>
          (await school.read<Family[]>('/families?due=true')).flatMap((each) =>
            each.account_id === family.id ? each.due! : [],
          );
        await until(async () => (await due())[0]?.cents === price + unit, 'the price is due');
        expect(await due()).toEqual([{ currency, cents: price + unit, overdue_cents: 0 }]);
        const collect = (amount_cents: number, more: object = {}) =>
          school.post<Payment>('/payments', { booking_id: id, amount_cents, currency, ...more });
        expect(await collect(price + unit)).toMatchObject({
          error: { details: { reason: 'consent_exceeded', allowed_cents: price } },
        });
        if (unit > 1) expect(await collect(unit - 1)).toMatchObject(apiError(400, 'not_representable', 'amount_cents'));
        expect(await collect(price)).toMatchObject({ status: 201, data: { status: 'succeeded', currency } });
        expect(await collect(2 * unit, { method: 'cash' })).toMatchObject(
          apiError(400, 'amount_exceeds_due', 'amount_cents'),
        );
        expect(await collect(unit, { method: 'cash' })).toMatchObject({ status: 201, data: { status: 'succeeded' } });
        expect(await due()).toEqual([]);
        expectStatus(200, await family.post(`/sessions/${session}/cancel`, { refund_as: 'credit' }));
        const credits = () =>
          family.readAll<{ amount_cents: number; currency: string }>(`/accounts/${family.id}/credits`);
        await until(async () => (await credits()).length > 0, 'the credit is given');
        expect(await credits()).toMatchObject([{ amount_cents: price + unit, currency }]);
      });
    },
  );
});
