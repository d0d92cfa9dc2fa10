import { expect } from '@jest/globals';
import {
  addPaymentMethod,
  type BusEvent,
  createPayment,
  type Environment,
  type InputOf,
  listPaymentMethods,
  listPayments,
  type Payment,
  type PaymentMethod,
  type Principal,
  type Refund,
} from '@swim/contracts';
import { type RunningService, startService } from '@swim/messaging';
import {
  aPrincipal,
  collectMessages,
  type RequestOptions,
  startHarness,
  type TestHarness,
  updateAll,
} from '@swim/testing';
import { type KnownBooking, KnownBookings } from './known-bookings.js';

/**
 * Times of the tests, in ms: so long that none of them ends by itself on a busy machine. `lapse` and `settleCharges` end them.
 */
const TIMES = {
  PAYMENT_LEASE_MS: '60000',
  PAYMENT_TIMEOUT_MS: '3600000',
  PROCESSOR_TIMEOUT_MS: '6000',
  SANDBOX_SETTLING_MS: '3600000',
};

export interface Surroundings {
  harness: TestHarness;
  bookings: KnownBookings;
  /** Events that payment has published, in order. */
  events: BusEvent[];
  stop(): Promise<void>;
}

export interface PaymentHarness extends Surroundings {
  service: RunningService;
}

/** Real NATS and database, and a fake booking service, without the service itself; `settings` are variables of its environment. */
export async function startSurroundings(settings: Record<string, string> = {}): Promise<Surroundings> {
  const harness = await startHarness();
  Object.assign(harness.env, TIMES, settings);
  Object.assign(process.env, TIMES, settings);
  const bookings = new KnownBookings();
  bookings.answer(harness);
  const events = await collectMessages<BusEvent>(harness.connection, 'event.*.payment.>');
  return { harness, bookings, events, stop: () => harness.stop() };
}

/** The payment service in the test's process, on real NATS and a real database. */
export async function startPayment(settings?: Record<string, string>): Promise<PaymentHarness> {
  const surroundings = await startSurroundings(settings);
  const { config } = await import('../src/config.js');
  const { AppModule } = await import('../src/app.module.js');
  const service = await startService('payment', AppModule, config);
  return {
    ...surroundings,
    service,
    async stop() {
      await service.stop();
      await surroundings.stop();
    },
  };
}

export const aFamily = (env: Environment = 'test'): Principal => aPrincipal({ env });
export const withKey = (principal: Principal, idempotencyKey: string): RequestOptions => ({
  principal,
  idempotencyKey,
});

/** Adds a test card to the account's wallet. */
export const addCard = (
  { harness }: Pick<Surroundings, 'harness'>,
  principal: Principal,
  token = 'pm_card_visa',
  isDefault = false,
): Promise<PaymentMethod> =>
  harness.call(
    addPaymentMethod,
    { account_id: principal.accountId, processor_payment_method_id: token, is_default: isDefault },
    { principal },
  );

/** An account with a card and a booking to pay. */
export interface Customer {
  family: Principal;
  method: PaymentMethod;
  booking: KnownBooking;
}

export async function aCustomer(
  surroundings: Surroundings,
  token = 'pm_card_visa',
  booked: Partial<KnownBooking> = {},
): Promise<Customer> {
  const family = aFamily();
  const method = await addCard(surroundings, family, token);
  return { family, method, booking: surroundings.bookings.booking({ accountId: family.accountId, ...booked }) };
}

/** A well-formed request to pay a booking in full. */
export const paymentFor = (
  booking: KnownBooking,
  method: PaymentMethod,
  overrides: Partial<InputOf<typeof createPayment>> = {},
) => ({
  booking_id: booking.id,
  payment_method_id: method.id,
  amount_cents: booking.amountCents,
  currency: booking.currency,
  ...overrides,
});

/** Charges of one payment, or all, at the simulator. */
export const chargesOf = ({ harness }: Pick<Surroundings, 'harness'>, paymentId?: string) =>
  harness
    .database('payment_test')
    .collection<{
      _id: string;
      state: string;
      amountCents: number;
      refundedCents?: number;
      refunds?: { key: string; amountCents: number; state: string }[];
    }>('processor_charges')
    .find(paymentId ? { _id: paymentId } : {})
    .toArray();

/** Payment documents of a booking, hidden ones too. */
export const storedPayments = (
  { harness }: Pick<Surroundings, 'harness'>,
  booking: KnownBooking,
  env: Environment = 'test',
) =>
  harness
    .database(`payment_${env}`)
    .collection<{
      _id: string;
      status: Payment['status'];
      step: string;
      readers: string[];
      attempt: number;
      outbox?: unknown[];
    }>('payments')
    .find({ bookingId: booking.id })
    .toArray();

/** Refund documents of a payment, hidden ones too. */
export const storedRefunds = (
  { harness }: Pick<Surroundings, 'harness'>,
  paymentId: string,
  env: Environment = 'test',
) =>
  harness
    .database(`payment_${env}`)
    .collection<{ _id: string; status: Refund['status']; step: string; attempt: number; reason: unknown }>('refunds')
    .find({ paymentId })
    .toArray();

/** The school of the customer's booking. */
export const schoolOf = ({ booking }: Pick<Customer, 'booking'>, env: Environment = 'test'): Principal =>
  aPrincipal({ kind: 'school', accountId: booking.schoolId, env });

/** Ends the lease of all work in progress, as after a crash. */
export async function lapse({ harness }: Pick<Surroundings, 'harness'>, env: Environment = 'test'): Promise<void> {
  for (const name of ['payments', 'refunds']) {
    const collection = harness.database(`payment_${env}`).collection(name);
    await updateAll(collection, { nextAt: { $type: 'date' } }, { nextAt: new Date(0) });
  }
}

/** Settles the charges of the slow sandbox card. */
export async function settleCharges({ harness }: Pick<Surroundings, 'harness'>): Promise<void> {
  const charges = harness.database('payment_test').collection('processor_charges');
  await updateAll(charges, { state: 'processing' }, { settlesAt: new Date(0) });
}

/** Pays a booking in full, or with the overrides. */
export const pay = (
  { harness }: Pick<Surroundings, 'harness'>,
  { family, method, booking }: Customer,
  overrides: Partial<InputOf<typeof createPayment>> = {},
  options: RequestOptions = {},
): Promise<Payment> =>
  harness.call(createPayment, paymentFor(booking, method, overrides), { principal: family, ...options });

/** A page of the payments that the principal may see. */
export const paymentsOf = (
  { harness }: Pick<Surroundings, 'harness'>,
  principal: Principal,
  input: Partial<InputOf<typeof listPayments>> = {},
) => harness.call(listPayments, { account_id: principal.accountId, ...input }, { principal });

/** Expects that a rejected payment left nothing visible, no reservation and no charge. */
export async function expectNothing(surroundings: Surroundings, { family, booking }: Customer): Promise<void> {
  expect(await storedPayments(surroundings, booking)).toEqual([]);
  expect((await paymentsOf(surroundings, family)).pagination.total).toBe(0);
  expect([...booking.payments]).toEqual([]);
  for (const { paymentId } of surroundings.bookings.receivedFor(booking)) {
    expect(await chargesOf(surroundings, paymentId)).toEqual([]);
  }
}

/** A page of the principal's wallet. */
export const listMethods = (
  { harness }: Pick<Surroundings, 'harness'>,
  principal: Principal,
  input: Partial<InputOf<typeof listPaymentMethods>> = {},
) => harness.call(listPaymentMethods, { account_id: principal.accountId, ...input }, { principal });

/** All of the principal's methods. */
export const methodsOf = async (surroundings: Pick<Surroundings, 'harness'>, principal: Principal) =>
  (await listMethods(surroundings, principal, { limit: 100 })).items;

/** Ids of the principal's methods that are marked as default. */
export const defaultsOf = async (
  surroundings: Pick<Surroundings, 'harness'>,
  principal: Principal,
): Promise<string[]> =>
  (await methodsOf(surroundings, principal)).filter((method) => method.is_default).map(({ id }) => id);

/** Changes the wallet right before each write of it, so that every write misses. */
export async function withRival<T>({ harness, service }: PaymentHarness, work: () => Promise<T>): Promise<T> {
  const { MethodsRepository } = await import('../src/methods/methods.repository.js');
  const wallets = harness.database('payment_test').collection<{ _id: string }>('wallets');
  const repository = service.app.get<object>(MethodsRepository, { strict: false });
  const target = repository as { commit?: (now: { _id: string }, ...rest: unknown[]) => Promise<unknown> };
  const whole = target.commit!;
  target.commit = async (now, ...rest) => {
    await wallets.updateOne({ _id: now._id }, { $inc: { rev: 1 } });
    return whole.call(target, now, ...rest);
  };
  try {
    return await work();
  } finally {
    delete target.commit;
  }
}
