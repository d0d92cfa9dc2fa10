import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addPaymentMethod, createPayment, type InputOf, type Operation, removePaymentMethod } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { type Caller, freePort, type ServiceProcess, startProcess, until } from '@swim/testing';
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
  startSurroundings,
  storedPayments,
  withKey,
} from './payment-parts.js';

const MOST_WRITES = 20;
const MAIN = new URL('crashing-main.mjs', import.meta.url);

let payment: Surroundings;
let process: ServiceProcess;

const start = async () =>
  startProcess(MAIN, {
    ...payment.parts.env,
    MONGODB_URI: `${payment.parts.env.MONGODB_URI}&monitorCommands=true`,
    HEALTH_PORT: String(await freePort()),
    SANDBOX_SETTLING_MS: '700',
  });

beforeAll(async () => {
  payment = await startSurroundings();
  process = await start();
}, 90_000);
afterAll(async () => {
  await process?.kill('SIGTERM');
  await payment?.stop();
});

/** Calls until the service has an answer: as a client does that retries under one key. */
async function insist<O extends Operation>(operation: O, input: InputOf<O>, caller: Caller) {
  const ask = () =>
    payment.parts.call(operation, input, caller).catch((error: unknown) => {
      if (error instanceof AppError && ['SERVER_ERROR', 'CONFLICT'].includes(error.code)) return null;
      throw error;
    });
  return until(ask, 'there is an answer', 60_000);
}

/** Whether nothing is under way in any collection: no step left, no event unpublished. */
async function isQuiet(): Promise<boolean> {
  const database = payment.parts.database('payment_test');
  const busy = [{ relayAt: { $type: 'date' } }, { nextAt: { $type: 'date' } }];
  const counts = ['payments', 'wallets'].map((name) => database.collection(name).countDocuments({ $or: busy }));
  return (await Promise.all(counts)).every((count) => count === 0);
}

/** Has the process die after its nth write from the start of this call, and starts it again; false when it outlived it. */
async function dieAt<O extends Operation>(
  n: number,
  operation: O,
  input: InputOf<O>,
  caller: Caller,
): Promise<boolean> {
  await process.crashAfterWrites(n);
  const answered = payment.parts.call(operation, input, caller).then(
    () => true,
    (error: unknown) => error instanceof AppError && error.code !== 'SERVER_ERROR',
  );
  await Promise.race([process.exit(), answered]);
  await until(async () => process.ended || ((await answered) && (await isQuiet())), 'it is dead or done');
  // A process that has just died may still seem to run: its channel is closed before its end is told.
  const disarmed = process.ended ? null : process.crashAfterWrites(0).catch(() => process.exit());
  await Promise.race([process.exit(), disarmed]);
  const died = process.ended;
  if (!died) return false;
  // Before anybody works again: whoever takes the work over then keeps it.
  await lapse(payment);
  process = await start();
  return true;
}

async function crashEverywhere(story: (n: number) => Promise<boolean>): Promise<number> {
  for (let n = 1; n <= MOST_WRITES; n++) {
    if (!(await story(n))) return n - 1;
  }
  throw new Error(`It still dies after ${MOST_WRITES} writes.`);
}

const chargesFor = async ({ booking }: Customer) => {
  const ids = new Set(payment.bookings.heardOf(booking).map(({ paymentId }) => paymentId));
  return (await Promise.all([...ids].map((id) => chargesOf(payment, id)))).flat();
};

/** That a customer was charged as often as the booking counts, and that nothing is left under way. */
async function expectSettled(customer: Customer, charges: number): Promise<void> {
  await until(isQuiet, 'nothing is under way');
  const stored = await storedPayments(payment, customer.booking);
  expect(stored.map(({ step }) => step)).toEqual(stored.map(() => 'done'));
  expect(await chargesFor(customer)).toHaveLength(charges);
  expect([...customer.booking.payments.values()].map(({ state }) => state)).toEqual(
    Array.from({ length: charges }, () => 'succeeded'),
  );
  for (const { _id } of stored) await toldOf(_id, ['payment.succeeded']);
}

/** That an object is told of by events of these types, each once. */
async function toldOf(id: string, types: string[]): Promise<void> {
  const told = () => payment.events.filter(({ objectId }) => objectId === id);
  await until(() => told().length >= types.length, `${id} is told of`);
  expect(told().map(({ type, n }) => [type, n])).toEqual(types.map((type, index) => [type, index + 1]));
}

describe('a process that dies after any single write', () => {
  it('charges once, and settles, a payment whose client asks again', async () => {
    const writes = await crashEverywhere(async (n) => {
      const customer = await aCustomer(payment);
      await until(isQuiet, 'nothing is under way');
      const [asked, caller] = [paymentFor(customer.booking, customer.method), withKey(customer.family, `pay ${n}`)];
      const died = await dieAt(n, createPayment, asked, caller);
      const answered = await insist(createPayment, asked, caller);
      await expectSettled(customer, 1);
      expect(answered.status).toBe('succeeded');
      expect((await storedPayments(payment, customer.booking)).map(({ _id }) => _id)).toEqual([answered.id]);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(7);
  }, 240_000);

  it('charges once, and settles, a payment by a slow processor that nobody asks for again', async () => {
    const writes = await crashEverywhere(async (n) => {
      const customer = await aCustomer(payment, 'pm_card_timeout');
      await until(isQuiet, 'nothing is under way');
      const caller = { principal: customer.family };
      const died = await dieAt(n, createPayment, paymentFor(customer.booking, customer.method), caller);
      await expectSettled(customer, 1);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(7);
  }, 240_000);

  it('keeps a declined payment once, and frees its booking', async () => {
    await crashEverywhere(async (n) => {
      const customer = await aCustomer(payment, 'pm_card_declined');
      await until(isQuiet, 'nothing is under way');
      const [asked, caller] = [
        paymentFor(customer.booking, customer.method),
        withKey(customer.family, `declined ${n}`),
      ];
      const died = await dieAt(n, createPayment, asked, caller);
      await expect(insist(createPayment, asked, caller)).rejects.toMatchObject({ reason: 'card_declined' });
      await until(isQuiet, 'nothing is under way');
      expect([...customer.booking.payments.values()].map(({ state }) => state)).toEqual(['failed']);
      expect(await storedPayments(payment, customer.booking)).toMatchObject([{ status: 'failed', step: 'done' }]);
      return died;
    });
  }, 240_000);

  it('adds a method once, with one default, and removes it once', async () => {
    await crashEverywhere(async (n) => {
      const family = aFamily();
      const first = await addCard(payment, family);
      await until(isQuiet, 'nothing is under way');
      const asked = { account_id: family.accountId, processor_payment_method_id: 'pm_card_visa', is_default: true };
      const died = await dieAt(n, addPaymentMethod, asked, withKey(family, `add ${n}`));
      const added = await insist(addPaymentMethod, asked, withKey(family, `add ${n}`));
      expect(await methodsOf(payment, family)).toEqual([added, { ...first, is_default: false }]);
      await until(isQuiet, 'nothing is under way');
      await toldOf(added.id, ['payment_method.added']);
      return died;
    });
    await crashEverywhere(async (n) => {
      const family = aFamily();
      const [first, second] = [await addCard(payment, family), await addCard(payment, family)];
      await until(isQuiet, 'nothing is under way');
      const died = await dieAt(n, removePaymentMethod, { payment_method_id: first.id }, { principal: family });
      await until(isQuiet, 'nothing is under way');
      expect(await methodsOf(payment, family)).toEqual([{ ...second, is_default: true }]);
      await toldOf(first.id, ['payment_method.added', 'payment_method.removed']);
      return died;
    });
  }, 240_000);
});
