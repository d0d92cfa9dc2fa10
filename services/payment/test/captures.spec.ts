import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  capturePayment,
  getPayment,
  type Operation,
  type Payment,
  type Principal,
  voidForBooking,
  voidPayment,
} from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { aPrincipal, ofSeveralTries, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { SimulatorAdapter } from '../src/processor/simulator/simulator.adapter.js';
import {
  aCustomer as aCustomerOf,
  aFamily,
  type Customer,
  chargesOf,
  lapse,
  type PaymentHarness,
  pay,
  paymentsOf,
  schoolOf,
  settleCharges,
  startPayment,
  storedPayments,
} from './harness.js';

let payment: PaymentHarness;
beforeAll(async () => {
  payment = await startPayment();
});
afterAll(() => payment?.stop());

// The part of a charge that the simulator does not store.
const UNSTORED = { token: 'x', capture: false, reference: null, customerId: null };

const aCustomer = (token?: string): Promise<Customer> => aCustomerOf(payment, token);
const authorize = (customer: Customer, overrides = {}) => pay(payment, customer, { capture: false, ...overrides });
const end = (operation: Operation & typeof capturePayment, id: string, options: RequestOptions): Promise<Payment> =>
  payment.harness.call(operation, { payment_id: id }, options);
const capture = (id: string, principal: Principal, options: RequestOptions = {}) =>
  end(capturePayment, id, { principal, ...options });
const release = (id: string, principal: Principal, options: RequestOptions = {}) =>
  end(voidPayment, id, { principal, ...options });
const get = (id: string, principal: Principal) => payment.harness.call(getPayment, { payment_id: id }, { principal });
const stateOf = ({ booking }: Customer, id: string) => booking.payments.get(id)?.state;
const isKnownAs = (customer: Customer, id: string, state: string) =>
  until(() => stateOf(customer, id) === state, `its booking counts it as ${state}`);
const eventsOf = (id: string) =>
  payment.events.filter(({ objectId }) => objectId === id).map(({ type, n }) => [type, n]);
const areDone = (customer: Customer) =>
  until(
    async () => (await storedPayments(payment, customer.booking)).every(({ step }) => step === 'done'),
    'all is done',
  );

/** An authorised payment that its booking knows of. */
async function anAuthorized(token?: string): Promise<{ customer: Customer; school: Principal; id: string }> {
  const customer = await aCustomer(token);
  const { id } = await authorize(customer);
  if (token === undefined) await areDone(customer);
  return { customer, school: schoolOf(customer), id };
}

/** Makes the processor capture, and hold back its first response until the gate opens. */
function holdBackCapture(): () => void {
  const simulator = payment.service.app.get(SimulatorAdapter, { strict: false });
  const gate = Promise.withResolvers<void>();
  simulator.capture = async (charge) => {
    simulator.capture = SimulatorAdapter.prototype.capture;
    const outcome = await simulator.capture(charge);
    await gate.promise;
    return outcome;
  };
  return gate.resolve;
}

describe('a payment with capture: false', () => {
  it('is authorised: its booking counts it against the balance, and nothing is charged', async () => {
    const customer = await aCustomer();
    const made = await authorize(customer, { amount_cents: 4_000 });
    expect(made).toMatchObject({ status: 'authorized', amount_cents: 4_000, refunded_cents: 0, failure_code: null });
    expect(await chargesOf(payment, made.id)).toMatchObject([{ state: 'authorized' }]);
    await isKnownAs(customer, made.id, 'authorized');
    const rejection = await rejectionOf(pay(payment, customer, { amount_cents: 2_001 }));
    expect(rejection).toMatchObject({ reason: 'amount_exceeds_due', details: { due_cents: 2_000 } });
    expect((await paymentsOf(payment, customer.family, { status: 'authorized' })).items).toEqual([made]);
    await until(() => eventsOf(made.id).length > 0, 'its event is published');
    expect(eventsOf(made.id)).toEqual([['payment.authorized', 1]]);
  });

  it.each([
    ['pm_card_declined', 'card_declined'],
    ['pm_card_insufficient_funds', 'card_declined'],
    ['pm_card_requires_action', 'authentication_required'],
  ])('with %s is rejected as %s', async (token, reason) => {
    const customer = await aCustomer(token);
    expect(await rejectionOf(authorize(customer))).toMatchObject({ reason });
  });

  it('with pm_card_timeout is pending, and authorised by asking', async () => {
    const customer = await aCustomer('pm_card_timeout');
    const made = await authorize(customer);
    expect(made.status).toBe('pending');
    await settleCharges(payment);
    await isKnownAs(customer, made.id, 'authorized');
    expect((await get(made.id, customer.family)).status).toBe('authorized');
  });
});

describe('POST /payments/{payment_id}/capture', () => {
  it('by the school charges the payment once, and its booking counts it as paid', async () => {
    const { customer, school, id } = await anAuthorized();
    const captured = await capture(id, school);
    expect(captured).toMatchObject({ id, status: 'succeeded' });
    await isKnownAs(customer, id, 'succeeded');
    expect(await chargesOf(payment, id)).toMatchObject([{ state: 'succeeded' }]);
    expect((await get(id, customer.family)).status).toBe('succeeded');
    await until(() => eventsOf(id).length > 1, 'its events are published');
    expect(eventsOf(id)).toEqual([
      ['payment.authorized', 1],
      ['payment.succeeded', 2],
    ]);
  });

  it('twice is rejected: invalid_state; under the same key it returns the same', async () => {
    const { school, id } = await anAuthorized();
    const options = { idempotencyKey: 'capture once' };
    const captured = await capture(id, school, options);
    expect(await capture(id, school, options)).toEqual(captured);
    const rejection = await rejectionOf(capture(id, school));
    expect(rejection).toMatchObject({ reason: 'invalid_state', code: 'CONFLICT', details: { status: 'succeeded' } });
  });

  it('by many at once charges once: the others are rejected', async () => {
    const { customer, school, id } = await anAuthorized();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => capture(id, school)));
    const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [(each.reason as AppError).code] : []));
    expect(new Set(reasons)).toEqual(new Set(['CONFLICT']));
    expect(reasons).toHaveLength(19);
    await isKnownAs(customer, id, 'succeeded');
    expect(eventsOf(id).filter(([type]) => type === 'payment.succeeded').length).toBeLessThanOrEqual(1);
  });

  it('by the payer is rejected: school_only; by others: resource_not_found', async () => {
    const { customer, id } = await anAuthorized();
    expect(await rejectionOf(capture(id, customer.family))).toMatchObject({
      reason: 'school_only',
      code: 'AUTHORIZATION_ERROR',
    });
    const stranger = aPrincipal({ kind: 'school' });
    expect(await rejectionOf(capture(id, stranger))).toMatchObject({ reason: 'resource_not_found' });
    expect(await rejectionOf(capture(newId('pay'), stranger))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('of a payment that is not authorised is rejected: invalid_state', async () => {
    const customer = await aCustomer();
    const { id } = await pay(payment, customer);
    expect(await rejectionOf(capture(id, schoolOf(customer)))).toMatchObject({ reason: 'invalid_state' });
  });

  it('in a dry run answers the captured payment and charges nothing', async () => {
    const { school, id } = await anAuthorized();
    expect((await capture(id, school, { dryRun: true })).status).toBe('succeeded');
    expect(await chargesOf(payment, id)).toMatchObject([{ state: 'authorized' }]);
    expect((await get(id, school)).status).toBe('authorized');
  });

  it('whose authorisation has ended at the processor voids the payment and is rejected: invalid_state', async () => {
    const { customer, school, id } = await anAuthorized();
    const simulator = payment.service.app.get(SimulatorAdapter, { strict: false });
    const [stored] = await chargesOf(payment, id);
    await simulator.cancel({ paymentId: id, currency: 'USD', ...UNSTORED, ...stored! });
    const rejection = await rejectionOf(capture(id, school));
    expect(rejection).toMatchObject({ reason: 'invalid_state', details: { status: 'voided' } });
    await isKnownAs(customer, id, 'failed');
    expect((await get(id, school)).status).toBe('voided');
  });

  // The service waits seconds for the processor.
  const isQueried = async () => {
    const { customer, school, id } = await anAuthorized();
    const isCaptured = async () => (await chargesOf(payment, id))[0]?.state === 'succeeded';
    const open = holdBackCapture();
    const capturing = capture(id, school);
    try {
      await until(isCaptured, 'the processor has captured it');
      expect((await get(id, school)).status).toBe('authorized');
      expect(await rejectionOf(capture(id, school))).toMatchObject({ reason: 'change_in_progress' });
      expect(await rejectionOf(release(id, school))).toMatchObject({ reason: 'change_in_progress' });
      await lapse(payment);
      await isKnownAs(customer, id, 'succeeded');
    } finally {
      open();
    }
    // The superseded run answers what its successor stored.
    expect((await capturing).status).toBe('succeeded');
    await areDone(customer);
    expect(eventsOf(id).filter(([type]) => type === 'payment.succeeded').length).toBeLessThanOrEqual(1);
  };
  it('without an answer of the processor is queried, not guessed: authorized, then succeeded', () =>
    ofSeveralTries(isQueried));
});

describe('POST /payments/{payment_id}/void', () => {
  it('by the school releases the authorisation, and the amount is due again', async () => {
    const { customer, school, id } = await anAuthorized();
    expect(await release(id, school)).toMatchObject({ id, status: 'voided', refunded_cents: 0 });
    await isKnownAs(customer, id, 'failed');
    expect(await chargesOf(payment, id)).toMatchObject([{ state: 'voided' }]);
    await until(() => eventsOf(id).length > 1, 'its events are published');
    expect(eventsOf(id).at(-1)).toEqual(['payment.voided', 2]);
    expect((await pay(payment, customer)).status).toBe('succeeded');
  });

  it('twice, and after a capture, is rejected: invalid_state', async () => {
    const { school, id } = await anAuthorized();
    await release(id, school);
    expect(await rejectionOf(release(id, school))).toMatchObject({ reason: 'invalid_state' });
    const other = await anAuthorized();
    await capture(other.id, other.school);
    expect(await rejectionOf(release(other.id, other.school))).toMatchObject({ reason: 'invalid_state' });
  });

  it('by the payer is rejected: school_only; by others: resource_not_found', async () => {
    const { customer, id } = await anAuthorized();
    expect(await rejectionOf(release(id, customer.family))).toMatchObject({ reason: 'school_only' });
    expect(await rejectionOf(release(id, aFamily()))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('racing captures ends in one of both, everywhere the same', async () => {
    const { customer, school, id } = await anAuthorized();
    await Promise.allSettled(Array.from({ length: 10 }, (_, n) => (n % 2 ? capture : release)(id, school)));
    await areDone(customer);
    const { status } = await get(id, school);
    expect((await chargesOf(payment, id))[0]!.state).toBe(status);
    expect(stateOf(customer, id)).toBe(status === 'voided' ? 'failed' : 'succeeded');
  });
});

describe('a void that overtakes its authorisation', () => {
  const isFinal = async () => {
    const customer = await aCustomer();
    const simulator = payment.service.app.get(SimulatorAdapter, { strict: false });
    const gate = Promise.withResolvers<void>();
    simulator.charge = async (charge) => {
      simulator.charge = SimulatorAdapter.prototype.charge;
      await gate.promise;
      return simulator.charge(charge);
    };
    const paying = rejectionOf(authorize(customer));
    const { booking } = customer;
    const begun = async () => (await storedPayments(payment, booking)).find(({ step }) => step === 'charge')?._id;
    const overtake = async () => {
      const id = await until(begun, 'the processor is about to be requested');
      const { amountCents, currency } = booking;
      await simulator.cancel({ paymentId: id, amountCents, currency, ...UNSTORED });
      return id;
    };
    const id = await overtake().finally(gate.resolve);
    expect(await paying).toMatchObject({ details: { payment_id: id, decline_code: 'processing_timeout' } });
    await isKnownAs(customer, id, 'failed');
    expect(await get(id, customer.family)).toMatchObject({ status: 'failed', failure_code: 'processing_timeout' });
    expect(await chargesOf(payment, id)).toMatchObject([{ state: 'voided' }]);
  };
  it('is final: the late charge charges nothing, and the payment fails', () => ofSeveralTries(isFinal));
});

describe('booking', () => {
  const voidIt = (input: { bookingId: string; paymentId: string }) => payment.harness.call(voidForBooking, input);

  it('voids an authorised payment of a booking that has ended, once', async () => {
    const { customer, id } = await anAuthorized();
    const input = { bookingId: customer.booking.id, paymentId: id };
    expect([await voidIt(input), await voidIt(input)]).toEqual([{ accepted: true }, { accepted: true }]);
    await isKnownAs(customer, id, 'failed');
    expect((await get(id, customer.family)).status).toBe('voided');
  });

  it('leaves one that was captured', async () => {
    const { customer, school, id } = await anAuthorized();
    await capture(id, school);
    await voidIt({ bookingId: customer.booking.id, paymentId: id });
    expect((await get(id, school)).status).toBe('succeeded');
  });

  it('is rejected while the processor decides: change_in_progress', async () => {
    const { customer, id } = await anAuthorized('pm_card_timeout');
    const rejection = await rejectionOf(voidIt({ bookingId: customer.booking.id, paymentId: id }));
    expect(rejection.reason).toBe('change_in_progress');
  });

  it('names a payment of its own: not_found', async () => {
    const { id } = await anAuthorized();
    const rejection = await rejectionOf(voidIt({ bookingId: newId('bkg'), paymentId: id }));
    expect(rejection.reason).toBe('not_found');
  });
});
