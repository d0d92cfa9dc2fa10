import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  capturePayment,
  createRefund,
  getPayment,
  refundForBooking,
  voidForBooking,
  voidPayment,
} from '@swim/contracts';
import {
  aCustomer,
  type Customer,
  chargesOf,
  pay,
  schoolOf,
  storedPayments,
  storedRefunds,
  withKey,
} from '../harness.js';
import { type CrashHarness, startCrashHarness } from './crash-harness.js';

let payment: CrashHarness;

jest.setTimeout(420_000);
beforeAll(async () => {
  payment = await startCrashHarness();
});
afterAll(() => payment?.stop());

interface Paid {
  customer: Customer;
  id: string;
}

async function aPayment(capture: boolean, token = 'pm_card_visa'): Promise<Paid> {
  const customer = await aCustomer(payment, token);
  const { id } = await pay(payment, customer, { capture });
  await payment.untilQuiet();
  return { customer, id };
}

const get = ({ customer, id }: Paid) =>
  payment.harness.call(getPayment, { payment_id: id }, { principal: customer.family });
const stateOf = ({ customer, id }: Paid) => customer.booking.payments.get(id)?.state;
const bySchool = ({ customer }: Paid, key: string) => withKey(schoolOf(customer), key);

async function expectRefunded(paid: Paid, amountCents: number): Promise<void> {
  const { customer, id } = paid;
  expect(await storedRefunds(payment, id)).toMatchObject([{ status: 'succeeded', step: 'done' }]);
  const moved = (await chargesOf(payment, id))[0]!.refunds!.filter(({ state }) => state === 'succeeded');
  expect(moved.map((each) => each.amountCents)).toEqual([amountCents]);
  expect(payment.bookings.refundedCents(customer.booking)).toBe(amountCents);
  expect((await get(paid)).refunded_cents).toBe(amountCents);
  await payment.expectPublished(id, ['payment.succeeded', 'payment.refunded']);
}

describe('payment crashes after any single write of', () => {
  it('a capture: the client that retries gets it captured, once', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const paid = await aPayment(false);
      const [input, options] = [{ payment_id: paid.id }, bySchool(paid, `capture ${n}`)];
      const crashed = await payment.crashAt(n, capturePayment, input, options);
      expect(await payment.insist(capturePayment, input, options)).toMatchObject({ status: 'succeeded' });
      await payment.untilQuiet();
      expect([stateOf(paid), (await chargesOf(payment, paid.id))[0]!.state]).toEqual(['succeeded', 'succeeded']);
      await payment.expectPublished(paid.id, ['payment.authorized', 'payment.succeeded']);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  });

  it('a void whose client does not retry: it is voided everywhere, or nowhere', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const paid = await aPayment(false);
      const options = { principal: schoolOf(paid.customer) };
      const crashed = await payment.crashAt(n, voidPayment, { payment_id: paid.id }, options);
      await payment.untilQuiet();
      expect(await storedPayments(payment, paid.customer.booking)).toMatchObject([{ status: 'voided', step: 'done' }]);
      expect([stateOf(paid), (await chargesOf(payment, paid.id))[0]!.state]).toEqual(['failed', 'voided']);
      await payment.expectPublished(paid.id, ['payment.authorized', 'payment.voided']);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(4);
  });

  it('a void that the booking requests', async () => {
    await payment.service.everywhere(async (n) => {
      const paid = await aPayment(false);
      const input = { bookingId: paid.customer.booking.id, paymentId: paid.id };
      const crashed = await payment.crashAt(n, voidForBooking, input, {});
      await payment.insist(voidForBooking, input, {});
      await payment.untilQuiet();
      expect([stateOf(paid), (await chargesOf(payment, paid.id))[0]!.state]).toEqual(['failed', 'voided']);
      return crashed;
    });
  });

  it('a refund: the client that retries gets one refund', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const paid = await aPayment(true);
      const input = { payment_id: paid.id, amount_cents: 2_500, reason: 'Closed.' };
      const options = bySchool(paid, `refund ${n}`);
      const crashed = await payment.crashAt(n, createRefund, input, options);
      await payment.insist(createRefund, input, options);
      await payment.untilQuiet();
      await expectRefunded(paid, 2_500);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(7);
  });

  it('a refund that fails at first and whose client does not retry: it is made once', async () => {
    await payment.service.everywhere(async (n) => {
      const paid = await aPayment(true, 'pm_card_refund_fails');
      const input = { payment_id: paid.id, reason: 'Closed.' };
      const crashed = await payment.crashAt(n, createRefund, input, { principal: schoolOf(paid.customer) });
      await payment.untilQuiet();
      if ((await storedRefunds(payment, paid.id)).length > 0) await expectRefunded(paid, 6_000);
      return crashed;
    });
  });

  it('a refund that the booking requests, and requests again', async () => {
    await payment.service.everywhere(async (n) => {
      const paid = await aPayment(true);
      const { booking } = paid.customer;
      const refundId = payment.bookings.allocate(booking, paid.id, 1_000);
      const input = { bookingId: booking.id, paymentId: paid.id, refundId, amountCents: 1_000, reason: 'Cancelled.' };
      const crashed = await payment.crashAt(n, refundForBooking, input, {});
      await payment.insist(refundForBooking, input, {});
      await payment.untilQuiet();
      await expectRefunded(paid, 1_000);
      return crashed;
    });
  });
});
