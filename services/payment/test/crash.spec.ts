import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { addPaymentMethod, createPayment, type InputOf, type Operation, removePaymentMethod } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { CrashableService, type RequestOptions, until } from '@swim/testing';
import {
  aCustomer,
  addCard,
  aFamily,
  type Customer,
  chargesOf,
  lapse,
  methodsOf,
  paymentFor,
  type Surroundings,
  settleCharges,
  startSurroundings,
  storedPayments,
  withKey,
} from './harness.js';

const PAST = new Date(0);
// Longer than any delay between attempts, and shorter than the rest of a lease.
const MOST_PUT_OFF_MS = 20_000;

let payment: Surroundings;
let service: CrashableService;

jest.setTimeout(420_000);
beforeAll(async () => {
  payment = await startSurroundings();
  // A short settling time, so that a payment whose process lives ends within its case.
  payment.harness.env.SANDBOX_SETTLING_MS = '300';
  service = await CrashableService.start(payment.harness, {
    service: 'payment',
    load: async () => ({
      module: (await import('../src/app.module.js')).AppModule,
      config: (await import('../src/config.js')).config,
    }),
    lapse: lapseAll,
    elapse,
  });
});
afterAll(async () => {
  await service?.stop();
  await payment?.stop();
});

/** Ends every lease, and makes everything due for recovery. */
async function lapseAll(): Promise<void> {
  const collection = (name: string) => payment.harness.database('payment_test').collection(name);
  const unsent = { relayAt: { $type: 'date' } };
  await Promise.all([
    lapse(payment),
    settleCharges(payment),
    collection('idempotency').updateMany({ state: 'running' }, { $set: { leaseUntil: PAST } }),
    ...['payments', 'wallets'].map((name) => collection(name).updateMany(unsent, { $set: { relayAt: PAST } })),
  ]);
}

/** Makes due the next attempt of payments whose processor has not responded yet; leases last longer, and stay. */
async function elapse(): Promise<void> {
  const nextAt = { $gt: PAST, $lt: new Date(Date.now() + MOST_PUT_OFF_MS) };
  const payments = payment.harness.database('payment_test').collection('payments');
  await payments.updateMany({ nextAt }, { $set: { nextAt: PAST } });
}

const untilQuiet = () => service.idle(isQuiet);

/** Repeats the request until it succeeds, as a client does that retries under one key. */
async function insist<O extends Operation>(operation: O, input: InputOf<O>, options: RequestOptions) {
  const check = () =>
    payment.harness.call(operation, input, options).catch((error: unknown) => {
      if (error instanceof AppError && ['SERVER_ERROR', 'CONFLICT'].includes(error.code)) return null;
      throw error;
    });
  return until(check, 'there is an answer');
}

/** Whether no collection has work left: no step left, no event unpublished. */
async function isQuiet(): Promise<boolean> {
  const database = payment.harness.database('payment_test');
  const busy = [{ relayAt: { $type: 'date' } }, { nextAt: { $type: 'date' } }];
  const counts = ['payments', 'wallets'].map((name) => database.collection(name).countDocuments({ $or: busy }));
  return (await Promise.all(counts)).every((count) => count === 0);
}

/** Crashes payment after its nth write of this request, and starts a new instance; false when it outlived the request. */
const crashAt = <O extends Operation>(
  n: number,
  operation: O,
  input: InputOf<O>,
  options: RequestOptions,
): Promise<boolean> => service.crashDuring(n, () => payment.harness.call(operation, input, options), isQuiet);

const chargesFor = async ({ booking }: Customer) => {
  const ids = new Set(payment.bookings.receivedFor(booking).map(({ paymentId }) => paymentId));
  return (await Promise.all([...ids].map((id) => chargesOf(payment, id)))).flat();
};

/** Expects as many charges as the booking counts, and no work left. */
async function expectSettled(customer: Customer, charges: number): Promise<void> {
  await untilQuiet();
  const stored = await storedPayments(payment, customer.booking);
  expect(stored.map(({ step }) => step)).toEqual(stored.map(() => 'done'));
  expect(await chargesFor(customer)).toHaveLength(charges);
  expect([...customer.booking.payments.values()].map(({ state }) => state)).toEqual(
    Array.from({ length: charges }, () => 'succeeded'),
  );
  for (const { _id } of stored) await expectPublished(_id, ['payment.succeeded']);
}

/** Expects the events of an object to be of these types, each published once. */
async function expectPublished(id: string, types: string[]): Promise<void> {
  const publishedEvents = () => payment.events.filter(({ objectId }) => objectId === id);
  await until(() => publishedEvents().length >= types.length, `the events of ${id} are published`);
  expect(publishedEvents().map(({ type, n }) => [type, n])).toEqual(types.map((type, index) => [type, index + 1]));
}

describe('payment crashes after any single write', () => {
  it('charges a payment whose client retries once, and settles it', async () => {
    const writes = await service.everywhere(async (n) => {
      const customer = await aCustomer(payment);
      await untilQuiet();
      const [input, options] = [paymentFor(customer.booking, customer.method), withKey(customer.family, `pay ${n}`)];
      const crashed = await crashAt(n, createPayment, input, options);
      const answered = await insist(createPayment, input, options);
      await expectSettled(customer, 1);
      expect(answered.status).toBe('succeeded');
      expect((await storedPayments(payment, customer.booking)).map(({ _id }) => _id)).toEqual([answered.id]);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(7);
  });

  it('charges a payment by a slow processor whose client does not retry once, and settles it', async () => {
    const writes = await service.everywhere(async (n) => {
      const customer = await aCustomer(payment, 'pm_card_timeout');
      await untilQuiet();
      const options = { principal: customer.family };
      const crashed = await crashAt(n, createPayment, paymentFor(customer.booking, customer.method), options);
      await expectSettled(customer, 1);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(7);
  });

  it('stores a declined payment once, and releases its reservation', async () => {
    await service.everywhere(async (n) => {
      const customer = await aCustomer(payment, 'pm_card_declined');
      await untilQuiet();
      const [input, options] = [
        paymentFor(customer.booking, customer.method),
        withKey(customer.family, `declined ${n}`),
      ];
      const crashed = await crashAt(n, createPayment, input, options);
      await expect(insist(createPayment, input, options)).rejects.toMatchObject({ reason: 'card_declined' });
      await untilQuiet();
      expect([...customer.booking.payments.values()].map(({ state }) => state)).toEqual(['failed']);
      expect(await storedPayments(payment, customer.booking)).toMatchObject([{ status: 'failed', step: 'done' }]);
      return crashed;
    });
  });

  it('adds a method once, with one default, and removes it once', async () => {
    await service.everywhere(async (n) => {
      const family = aFamily();
      const first = await addCard(payment, family);
      const input = { account_id: family.accountId, processor_payment_method_id: 'pm_card_visa', is_default: true };
      const crashed = await crashAt(n, addPaymentMethod, input, withKey(family, `add ${n}`));
      const added = await insist(addPaymentMethod, input, withKey(family, `add ${n}`));
      expect(await methodsOf(payment, family)).toEqual([added, { ...first, is_default: false }]);
      await untilQuiet();
      await expectPublished(added.id, ['payment_method.added']);
      return crashed;
    });
    await service.everywhere(async (n) => {
      const family = aFamily();
      const [first, second] = [await addCard(payment, family), await addCard(payment, family)];
      await untilQuiet();
      const crashed = await crashAt(n, removePaymentMethod, { payment_method_id: first.id }, { principal: family });
      await untilQuiet();
      expect(await methodsOf(payment, family)).toEqual([{ ...second, is_default: true }]);
      await expectPublished(first.id, ['payment_method.added', 'payment_method.removed']);
      return crashed;
    });
  });
});
