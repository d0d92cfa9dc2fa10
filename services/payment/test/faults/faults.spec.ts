import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createPayment, getPayment, type InputOf, type Payment, reservePayment } from '@swim/contracts';
import { AppError, Deadline, inEnvironment, makeRequestContext, newId } from '@swim/platform';
import { ofSeveralTries, rejectionOf, until } from '@swim/testing';
import { PaymentsRepository } from '../../src/payments/payments.repository.js';
import { PaymentsService } from '../../src/payments/payments.service.js';
import { SimulatorAdapter } from '../../src/processor/simulator/simulator.adapter.js';
import {
  aCustomer,
  type Customer,
  chargesOf,
  lapse,
  methodsOf,
  type PaymentHarness,
  paymentFor,
  paymentsOf,
  pay as payOf,
  startPayment,
  storedPayments,
} from '../harness.js';

let payment: PaymentHarness;
beforeAll(async () => {
  payment = await startPayment();
});
afterEach(() => {
  payment.bookings.silence();
  payment.bookings.answer(payment.harness);
});
afterAll(() => payment?.stop());

const HURRIED_MS = 700;

/** Pays under a key; repeats the request while an earlier run is in progress, or after a time-out on a busy machine. */
async function pay(customer: Customer, key: string): Promise<Payment> {
  const isTransient = (error: unknown) =>
    error instanceof AppError && (error.reason === 'idempotency_in_progress' || error.code === 'SERVER_ERROR');
  const attempt = () =>
    payOf(payment, customer, {}, { idempotencyKey: key }).catch((error: unknown) => {
      if (isTransient(error)) return null;
      throw error;
    });
  return until(attempt, 'the payment is answered');
}

/**
 * Sends requests with little time, until the work has begun: on a busy machine a request may expire before it is read. Returns
 * the error of the first.
 */
async function payInVain(customer: Customer, key: string, hasBegun = isStored): Promise<AppError> {
  const rejections: AppError[] = [];
  const check = async () => {
    const hurried = payOf(payment, customer, {}, { idempotencyKey: key, budgetMs: HURRIED_MS });
    rejections.push(await rejectionOf(hurried));
    return hasBegun(customer);
  };
  await until(check, 'a payment has begun');
  return rejections[0]!;
}

const storedOf = ({ booking }: Customer) => storedPayments(payment, booking);
const isStored = async (customer: Customer) => (await storedOf(customer)).length > 0;
const stepIs = (customer: Customer, expected: string) =>
  until(async () => (await storedOf(customer))[0]?.step === expected, `it is to ${expected}`);
const listed = async ({ family }: Customer): Promise<Payment[]> => (await paymentsOf(payment, family)).items;
const isPaid = ({ booking }: Customer) => payment.bookings.paidCents(booking) === booking.amountCents;
const isFinished = async (customer: Customer) => (await storedOf(customer)).every(({ step }) => step === 'done');
const idOf = async (customer: Customer) => (await storedOf(customer))[0]!._id;
// A settlement that timed out is sent again.
const receivedSteps = ({ booking }: Customer) => [
  ...new Set(payment.bookings.receivedFor(booking).map(({ what }) => what)),
];
const eventsOf = (id: string) => payment.events.filter(({ objectId }) => objectId === id);

/** Runs a check while the processor charges, and holds back its responses until `release`. A run waits seconds for them. */
const withAnswersHeldBack = (check: (release: () => void) => Promise<void>) => () =>
  ofSeveralTries(async () => {
    const simulator = payment.service.app.get(SimulatorAdapter, { strict: false });
    const gate = Promise.withResolvers<void>();
    simulator.charge = async (charge) => {
      const outcome = await SimulatorAdapter.prototype.charge.call(simulator, charge);
      await gate.promise;
      return outcome;
    };
    const release = () => {
      simulator.charge = SimulatorAdapter.prototype.charge;
      gate.resolve();
    };
    await check(release).finally(release);
  });

describe('while the booking service is down', () => {
  it('a payment is rejected as unavailable and visible to no account, and its key finishes it afterwards, with one charge', async () => {
    const customer = await aCustomer(payment);
    payment.bookings.silence();
    expect(await payInVain(customer, 'booking down')).toMatchObject({ code: 'SERVER_ERROR' });
    expect(await listed(customer)).toEqual([]);
    payment.bookings.answer(payment.harness);
    const made = await pay(customer, 'booking down');
    expect(made.status).toBe('succeeded');
    expect(await listed(customer)).toEqual([made]);
    await until(() => isPaid(customer), 'the booking is paid');
    expect(await chargesOf(payment, made.id)).toHaveLength(1);
    expect(await storedOf(customer)).toHaveLength(1);
  });

  it('a payment that is not requested again is finished once it is back', async () => {
    const customer = await aCustomer(payment);
    payment.bookings.silence();
    await payInVain(customer, 'never again');
    payment.bookings.answer(payment.harness);
    await until(() => isPaid(customer), 'the booking is paid');
    await until(() => isFinished(customer), 'all is done');
    const [made] = await listed(customer);
    expect(made).toMatchObject({ status: 'succeeded' });
    expect(await chargesOf(payment, made!.id)).toHaveLength(1);
  });

  it('a payment that is charged already is returned, and settled with its booking once it is back', async () => {
    const customer = await aCustomer(payment);
    payment.bookings.silence();
    payment.bookings.answerReserve(payment.harness);
    const made = await pay(customer, 'settled late');
    expect(made.status).toBe('succeeded');
    expect(isPaid(customer)).toBe(false);
    payment.bookings.answerSettle(payment.harness);
    await until(() => isPaid(customer), 'the payment is settled');
    await until(() => isFinished(customer), 'all is done');
    await until(() => eventsOf(made.id).length > 0, 'its event is published');
    expect(eventsOf(made.id)).toHaveLength(1);
  });
});

describe('when the processor does not respond in time', () => {
  const getsOutcome = withAnswersHeldBack(async (release) => {
    const customer = await aCustomer(payment);
    const made = await pay(customer, 'no answer');
    expect(made.status).toBe('pending');
    await until(() => isPaid(customer), 'the booking is paid');
    release();
    const get = () => payment.harness.call(getPayment, { payment_id: made.id }, { principal: customer.family });
    expect(await get()).toEqual({ ...made, status: 'succeeded', updated_at: expect.any(String) });
    expect(await chargesOf(payment, made.id)).toHaveLength(1);
    await until(() => eventsOf(made.id).length > 0, 'its event is published');
    expect(eventsOf(made.id)).toHaveLength(1);
    expect(await pay(customer, 'no answer')).toEqual(made);
  });
  it('the payment is pending, and then gets the processor’s outcome, with one charge', getsOutcome);

  const isSuperseded = withAnswersHeldBack(async (release) => {
    const customer = await aCustomer(payment);
    const waiting = pay(customer, 'superseded');
    await stepIs(customer, 'charge');
    // The recoverer requests the outcome from the processor, which has it once it has charged.
    await until(async () => (await chargesOf(payment, await idOf(customer))).length === 1, 'the processor has it');
    await lapse(payment);
    await until(() => isPaid(customer), 'the recoverer has taken over and settled it');
    await stepIs(customer, 'done');
    const [before] = await storedOf(customer);
    expect(before!.attempt).toBeGreaterThan(1);
    release();
    const made = await waiting;
    expect(made.status).toBe('succeeded');
    const { attempt, status, step } = before!;
    expect(await storedOf(customer)).toMatchObject([{ _id: made.id, attempt, status, step }]);
    await until(() => eventsOf(made.id).length > 0, 'its event is published');
    expect(eventsOf(made.id)).toHaveLength(1);
    expect(receivedSteps(customer)).toEqual(['reserve', 'succeeded']);
  });
  it('a superseded run changes nothing, and returns the outcome that its successor stored', isSuperseded);
});

describe('while the processor takes 30 seconds a call', () => {
  const arePending = withAnswersHeldBack(async (release) => {
    const customers = await Promise.all(Array.from({ length: 4 }, () => aCustomer(payment)));
    const paying = customers.map((customer) => payOf(payment, customer));
    await stepIs(customers[0]!, 'charge');
    for (const customer of customers) {
      expect((await methodsOf(payment, customer.family)).map(({ id }) => id)).toEqual([customer.method.id]);
      expect((await paymentsOf(payment, customer.family)).pagination.total).toBeLessThanOrEqual(1);
    }
    expect((await Promise.all(paying)).map(({ status }) => status)).toEqual(customers.map(() => 'pending'));
    release();
    for (const customer of customers) await until(() => isPaid(customer), 'the booking is paid');
  });
  it('payments are pending, and wallets and lists answer', arePending);
});

describe('when a request to the booking service is superseded by its repetition', () => {
  it('its reservation after the rejected repetition is released, nothing is charged, and its key gets the error', async () => {
    const customer = await aCustomer(payment);
    const { booking, family } = customer;
    const late: InputOf<typeof reservePayment>[] = [];
    payment.bookings.silence();
    payment.bookings.answerSettle(payment.harness);
    const hanging: ((error: AppError) => void)[] = [];
    const stopHanging = payment.harness.serve(reservePayment, (input) => {
      late.push(input);
      return new Promise((_, reject) => hanging.push(reject));
    });
    const rejection = await payInVain(customer, 'late', async () => late.length > 0);
    expect(rejection).toMatchObject({ reason: 'deadline_exceeded' });
    stopHanging();
    booking.cancelled = true;
    payment.bookings.answerReserve(payment.harness);
    // The recoverer may wait for one as well by now.
    for (const end of hanging) end(new AppError('unavailable'));
    await stepIs(customer, 'withdraw');

    booking.cancelled = false;
    payment.bookings.reserve(late[0]!, family);
    expect([...booking.payments.values()]).toMatchObject([{ state: 'reserved' }]);
    await lapse(payment);
    await until(() => [...booking.payments.values()][0]?.state === 'failed', 'it is freed');
    await until(() => isFinished(customer), 'all is done');

    expect(await rejectionOf(pay(customer, 'late'))).toMatchObject({
      reason: 'invalid_state',
      code: 'CONFLICT',
      details: { field: 'booking_id' },
    });
    expect(await listed(customer)).toEqual([]);
    expect(await chargesOf(payment, await idOf(customer))).toEqual([]);
  });

  it('and arrives after its withdrawal, it is rejected, and another payment can be made', async () => {
    const customer = await aCustomer(payment);
    const { booking, family } = customer;
    const held: InputOf<typeof reservePayment>[] = [];
    payment.bookings.silence();
    payment.bookings.answerSettle(payment.harness);
    const hanging: ((error: AppError) => void)[] = [];
    const stopHanging = payment.harness.serve(reservePayment, (input) => {
      held.push(input);
      return new Promise((_, reject) => hanging.push(reject));
    });
    await payInVain(customer, 'paused', async () => held.length > 0);
    stopHanging();
    booking.cancelled = true;
    payment.bookings.answerReserve(payment.harness);
    for (const end of hanging) end(new AppError('unavailable'));
    await stepIs(customer, 'withdraw');
    booking.cancelled = false;
    await lapse(payment);
    await stepIs(customer, 'done');
    expect(() => payment.bookings.reserve(held[0]!, family)).toThrow(AppError);
    const rejected = await idOf(customer);
    expect((await pay(customer, 'another')).status).toBe('succeeded');
    expect(await chargesOf(payment, rejected)).toEqual([]);
  });

  it('and nothing was reserved at all, the error stays', async () => {
    const customer = await aCustomer(payment);
    payment.bookings.silence();
    await payInVain(customer, 'rejected later');
    customer.booking.cancelled = true;
    payment.bookings.answer(payment.harness);
    await stepIs(customer, 'withdraw');
    await lapse(payment);
    await stepIs(customer, 'done');
    expect(receivedSteps(customer)).toEqual(['reserve', 'failed']);
    expect(await rejectionOf(pay(customer, 'rejected later'))).toMatchObject({ reason: 'invalid_state' });
    expect(await listed(customer)).toEqual([]);
  });
});

describe('when two runs of one request to pay are under way', () => {
  function payAsRun({ family, booking, method }: Customer, id: string, attempt: number): Promise<Payment> {
    const input = createPayment.input.parse(paymentFor(booking, method));
    const run = { attempt, resumed: attempt > 1, newId: () => id };
    const context = makeRequestContext({ ...run, requestId: id, principal: family, deadline: new Deadline(8_000) });
    const service = payment.service.app.get(PaymentsService, { strict: false });
    return inEnvironment('test', () => service.create(input, context));
  }

  it('both are answered with the rejection of the booking, and the rejected payment stays stored', async () => {
    const [customer, id] = [await aCustomer(payment), newId('pay')];
    const inserts = jest.spyOn(payment.service.app.get(PaymentsRepository, { strict: false }), 'insertPending');
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    payment.bookings.silence();
    payment.bookings.answerSettle(payment.harness);
    const end = payment.harness.serve(reservePayment, async () => {
      await mayAnswer;
      throw new AppError('already_paid');
    });
    try {
      const resumed = rejectionOf(payAsRun(customer, id, 2));
      await until(() => isStored(customer), 'the resumed run has stored it');
      const first = rejectionOf(payAsRun(customer, id, 1));
      await until(() => inserts.mock.results.length === 2, 'the first run has found it');
      await inserts.mock.results[1]!.value;
      answer();
      expect([(await resumed).reason, (await first).reason]).toEqual(['already_paid', 'already_paid']);
      expect(await storedOf(customer)).toMatchObject([{ _id: id, readers: [] }]);
    } finally {
      inserts.mockRestore();
      end();
    }
  });
});
