import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getPayment, type InputOf, type Payment, reservePayment } from '@swim/contracts';
import { refusalOfCall, until } from '@swim/testing';
import { SimulatorAdapter } from '../src/processor/simulator.adapter.js';
import {
  aCustomer,
  type Customer,
  chargesOf,
  type PaymentParts,
  paymentsOf,
  pay as payOf,
  startPayment,
  storedPayments,
} from './payment-parts.js';

let payment: PaymentParts;
beforeAll(async () => {
  payment = await startPayment();
});
afterEach(() => {
  payment.bookings.silence();
  payment.bookings.answer(payment.parts);
});
afterAll(() => payment?.stop());

const pay = (customer: Customer, key: string, budgetMs = 10_000): Promise<Payment> =>
  payOf(payment, customer, {}, { idempotencyKey: key, budgetMs });
const listed = async ({ family }: Customer): Promise<Payment[]> => (await paymentsOf(payment, family)).items;
const isPaid = ({ booking }: Customer) => payment.bookings.paidCents(booking) === booking.amountCents;
const isFinished = async ({ booking }: Customer) =>
  (await storedPayments(payment, booking)).every(({ step }) => step === 'done');
const eventsOf = (id: string) => payment.events.filter(({ objectId }) => objectId === id);

/** Has the processor take what it is asked to, and keep its answer back until the gate opens. */
function holdBackAnswers(): () => void {
  const simulator = payment.service.app.get(SimulatorAdapter, { strict: false });
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  simulator.charge = async (charge) => {
    const outcome = await SimulatorAdapter.prototype.charge.call(simulator, charge);
    await gate;
    return outcome;
  };
  return () => {
    simulator.charge = SimulatorAdapter.prototype.charge;
    open();
  };
}

describe('while the booking service is down', () => {
  it('a payment is refused as unavailable and shown to nobody, and its key finishes it afterwards, with one charge', async () => {
    const customer = await aCustomer(payment);
    payment.bookings.silence();
    expect(await refusalOfCall(pay(customer, 'booking down', 700))).toMatchObject({ code: 'SERVER_ERROR' });
    expect(await listed(customer)).toEqual([]);
    payment.bookings.answer(payment.parts);
    const made = await pay(customer, 'booking down');
    expect(made.status).toBe('succeeded');
    expect(await listed(customer)).toEqual([made]);
    expect(isPaid(customer)).toBe(true);
    expect(await chargesOf(payment, made.id)).toHaveLength(1);
    expect(await storedPayments(payment, customer.booking)).toHaveLength(1);
  });

  it('a payment that nobody asks for again is finished once it is back', async () => {
    const customer = await aCustomer(payment);
    payment.bookings.silence();
    await refusalOfCall(pay(customer, 'never again', 700));
    payment.bookings.answer(payment.parts);
    await until(() => isPaid(customer), 'the booking is paid');
    await until(() => isFinished(customer), 'all is done');
    const [made] = await listed(customer);
    expect(made).toMatchObject({ status: 'succeeded' });
    expect(await chargesOf(payment, made!.id)).toHaveLength(1);
  });

  it('a payment that is charged already is answered, and its booking told once it is back', async () => {
    const customer = await aCustomer(payment);
    payment.bookings.silence();
    payment.bookings.answerReserve(payment.parts);
    const made = await pay(customer, 'settled late', 2_000);
    expect(made.status).toBe('succeeded');
    expect(isPaid(customer)).toBe(false);
    payment.bookings.answerSettle(payment.parts);
    await until(() => isPaid(customer), 'the booking is told');
    await until(() => isFinished(customer), 'all is done');
    expect(eventsOf(made.id)).toHaveLength(1);
  });
});

describe('when the processor does not answer in time', () => {
  it('the payment is pending, and becomes what the processor says when asked, with one charge', async () => {
    const customer = await aCustomer(payment);
    const release = holdBackAnswers();
    const made = await pay(customer, 'no answer', 1_500);
    expect(made.status).toBe('pending');
    await until(() => isPaid(customer), 'the booking is paid');
    release();
    const get = () => payment.parts.call(getPayment, { payment_id: made.id }, { principal: customer.family });
    expect(await get()).toEqual({ ...made, status: 'succeeded' });
    expect(await chargesOf(payment, made.id)).toHaveLength(1);
    await until(() => eventsOf(made.id).length > 0, 'its event is published');
    expect(eventsOf(made.id)).toHaveLength(1);
    expect(await pay(customer, 'no answer')).toEqual(made);
  });

  it('who was overtaken while waiting for it changes nothing, and answers what the other found out', async () => {
    const customer = await aCustomer(payment);
    const release = holdBackAnswers();
    const waiting = pay(customer, 'overtaken');
    await until(() => isPaid(customer), 'the recoverer has taken over and settled it');
    await until(() => isFinished(customer), 'all is done');
    release();
    const made = await waiting;
    expect(made.status).toBe('succeeded');
    expect(await storedPayments(payment, customer.booking)).toMatchObject([{ _id: made.id, step: 'done', attempt: 2 }]);
    await until(() => eventsOf(made.id).length > 0, 'its event is published');
    expect(eventsOf(made.id)).toHaveLength(1);
    expect(payment.bookings.heardOf(customer.booking).map(({ what }) => what)).toEqual(['reserve', 'succeeded']);
  });
});

describe('when a request to the booking service is overtaken by its own repetition', () => {
  it('what it sets aside after the repetition was refused is freed, nothing is charged, and its key hears the refusal', async () => {
    const customer = await aCustomer(payment);
    const { booking, family } = customer;
    const late: InputOf<typeof reservePayment>[] = [];
    payment.bookings.silence();
    payment.bookings.answerSettle(payment.parts);
    const stopHanging = payment.parts.serve(reservePayment, (input) => {
      late.push(input);
      return new Promise(() => undefined);
    });
    expect(await refusalOfCall(pay(customer, 'late', 700))).toMatchObject({ reason: 'deadline_exceeded' });
    stopHanging();
    booking.cancelled = true;
    payment.bookings.answerReserve(payment.parts);
    const stored = () => storedPayments(payment, booking);
    await until(async () => (await stored())[0]?.step === 'withdraw', 'the repetition is refused');

    booking.cancelled = false;
    payment.bookings.reserve(late[0]!, family);
    expect([...booking.payments.values()]).toMatchObject([{ state: 'reserved' }]);
    await until(() => [...booking.payments.values()][0]?.state === 'failed', 'it is freed');
    await until(() => isFinished(customer), 'all is done');

    expect(await refusalOfCall(pay(customer, 'late'))).toMatchObject({
      reason: 'invalid_state',
      code: 'CONFLICT',
      details: { field: 'booking_id' },
    });
    expect(await listed(customer)).toEqual([]);
    expect(await chargesOf(payment, (await stored())[0]!._id)).toEqual([]);
  });

  it('and nothing was set aside at all, the refusal stands all the same', async () => {
    const customer = await aCustomer(payment);
    payment.bookings.silence();
    await refusalOfCall(pay(customer, 'refused later', 700));
    customer.booking.cancelled = true;
    payment.bookings.answer(payment.parts);
    await until(() => isFinished(customer), 'all is done');
    expect(payment.bookings.heardOf(customer.booking).map(({ what }) => what)).toEqual(['reserve', 'failed']);
    expect(await refusalOfCall(pay(customer, 'refused later'))).toMatchObject({ reason: 'invalid_state' });
    expect(await listed(customer)).toEqual([]);
  });
});
