import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createRefund } from '@swim/contracts';
import { type RunningService, startService } from '@swim/messaging';
import { metricValue, until, updateAll } from '@swim/testing';
import { PaymentsService } from '../../src/payments/payments.service.js';
import {
  aCustomer,
  type Customer,
  chargesOf,
  lapse,
  type PaymentHarness,
  pay,
  schoolOf,
  settleCharges,
  startPayment,
  storedPayments,
} from '../harness.js';

const COUNT = 24;

let payment: PaymentHarness;
let second: RunningService;
beforeAll(async () => {
  payment = await startPayment();
  const { config } = await import('../../src/config.js');
  const { AppModule } = await import('../../src/app.module.js');
  second = await startService('payment', AppModule, { ...config, HEALTH_PORT: 0 });
});
afterAll(async () => {
  await second?.stop();
  await payment?.stop();
});

const customersWith = (token: string, count = COUNT): Promise<Customer[]> =>
  Promise.all(Array.from({ length: count }, () => aCustomer(payment, token)));
const isPaid = ({ booking }: Customer) => payment.bookings.paidCents(booking) === booking.amountCents;

/** Expects one charge of the whole amount for each customer, and one event of it. */
async function expectChargedOnce(customers: Customer[]): Promise<void> {
  await until(() => customers.every(isPaid), 'all bookings are paid');
  for (const { booking } of customers) {
    const stored = await storedPayments(payment, booking);
    expect(stored).toMatchObject([{ status: 'succeeded' }]);
    const { _id } = stored[0]!;
    expect(await chargesOf(payment, _id)).toMatchObject([{ state: 'succeeded', amountCents: booking.amountCents }]);
    const events = () => payment.events.filter(({ objectId }) => objectId === _id);
    await until(() => events().length > 0, 'its event is published');
    expect(events().map(({ type }) => type)).toEqual(['payment.succeeded']);
  }
}

describe('two replicas of payment', () => {
  it('share the requests: each payment is made by one of them', async () => {
    const served = [payment.service, second].map(({ app }) =>
      jest.spyOn(app.get(PaymentsService, { strict: false }), 'create'),
    );
    const customers = await customersWith('pm_card_visa');
    await Promise.all(customers.map((customer) => pay(payment, customer)));
    const counts = served.map(({ mock }) => mock.calls.length);
    for (const each of served) each.mockRestore();
    expect(counts.reduce((sum, count) => sum + count)).toBe(COUNT);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    await expectChargedOnce(customers);
  });

  it('resume overdue payments side by side: each is charged once', async () => {
    const customers = await customersWith('pm_card_timeout');
    const made = await Promise.all(customers.map((customer) => pay(payment, customer)));
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['pending']));
    await settleCharges(payment);
    await lapse(payment);
    await expectChargedOnce(customers);
  });
});

describe('the metrics of payment', () => {
  const ofSandbox = { kind: 'payment', env: 'test' };
  const inProgress = () => metricValue('swim_payment_backlog', ofSandbox);
  const oldestSeconds = () => metricValue('swim_payment_oldest_seconds', ofSandbox);

  it('show how many payments are in progress, and how old the oldest is', async () => {
    const [first, ...others] = await customersWith('pm_card_timeout', 3);
    for (const customer of [first!, ...others]) await pay(payment, customer);
    const createdAt = new Date(Date.now() - 120_000);
    const payments = payment.harness.database('payment_test').collection('payments');
    await updateAll(payments, { bookingId: first!.booking.id }, { createdAt });
    await until(async () => (await inProgress()) === 3, 'three are in progress');
    await until(async () => (await oldestSeconds()) >= 120, 'the oldest is two minutes old');
    await settleCharges(payment);
    await lapse(payment);
    await until(async () => (await inProgress()) === 0, 'none is in progress');
    expect(await oldestSeconds()).toBe(0);
  });

  it('count the refunds that the processor fails', async () => {
    const count = () => metricValue('swim_refund_failures_total');
    const [customer] = await customersWith('pm_card_refund_fails', 1);
    const { id } = await pay(payment, customer!);
    const before = await count();
    const principal = schoolOf(customer!);
    const input = { payment_id: id, reason: 'Closed.' };
    expect((await payment.harness.call(createRefund, input, { principal })).status).toBe('failed');
    expect(await count()).toBe(before + 1);
  });
});
