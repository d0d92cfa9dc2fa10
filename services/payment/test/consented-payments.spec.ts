import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  authenticateSandboxPayment,
  createPayment,
  findActing,
  getPayment,
  type InputOf,
  isCausedBy,
  type Payment,
  type Principal,
  removePaymentMethod,
  resetPayments,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, type RequestOptions, rejectionOf, until } from '@swim/testing';
import {
  aCustomer,
  addCard,
  type Customer,
  chargesOf,
  expectNothing,
  lapse,
  type PaymentHarness,
  pay,
  schoolOf,
  settleCharges,
  startPayment,
  storedPayments,
  withKey,
} from './harness.js';

let payment: PaymentHarness;
beforeAll(async () => {
  payment = await startPayment();
});
afterAll(() => payment?.stop());

/** An account that consents to be charged for its booking. */
async function aConsenting(token = 'pm_card_visa'): Promise<Customer> {
  const customer = await aCustomer(payment, token);
  customer.booking.consentedMethodId = customer.method.id;
  return customer;
}
const charge = (
  customer: Customer,
  changes: Partial<InputOf<typeof createPayment>> = {},
  options: RequestOptions = {},
): Promise<Payment> => {
  const { id, amountCents, currency } = customer.booking;
  const money = { booking_id: id, amount_cents: amountCents, currency, ...changes };
  return payment.harness.call(createPayment, money, { principal: schoolOf(customer), ...options });
};
const remove = ({ family, method }: Customer) =>
  payment.harness.call(removePaymentMethod, { payment_method_id: method.id }, { principal: family });
const marksOf = async ({ family }: Customer) => {
  const wallets = payment.harness.database('payment_test').collection<{ _id: string; charging?: unknown[] }>('wallets');
  return (await wallets.findOne({ _id: family.accountId }))?.charging ?? [];
};

describe('a charge by the family’s consent', () => {
  it('is made by the school, off-session, and is the family’s payment', async () => {
    const customer = await aConsenting();
    const made = await charge(customer);
    expect(made).toMatchObject({
      account_id: customer.family.accountId,
      payment_method_id: customer.method.id,
      method: 'card',
      status: 'succeeded',
    });
    expect(await chargesOf(payment, made.id)).toMatchObject([{ state: 'succeeded', amountCents: 6_000 }]);
    const asFamily = { principal: customer.family };
    expect(await payment.harness.call(getPayment, { payment_id: made.id }, asFamily)).toEqual(made);
    await until(async () => (await marksOf(customer)).length === 0, 'the method is free');
    await remove(customer);
  });

  it('is rejected without a consent, and of a method that was removed: no_consent', async () => {
    const without = await aCustomer(payment);
    expect((await rejectionOf(charge(without))).reason).toBe('no_consent');
    await expectNothing(payment, without);
    const removed = await aConsenting();
    await remove(removed);
    expect((await rejectionOf(charge(removed))).reason).toBe('no_consent');
    await expectNothing(payment, removed);
  });

  it('without a method is required of the family to name one', async () => {
    const customer = await aConsenting();
    const byFamily = rejectionOf(charge(customer, {}, { principal: customer.family }));
    expect(await byFamily).toMatchObject({ reason: 'required', details: { field: 'payment_method_id' } });
    const byOther = rejectionOf(charge(customer, {}, { principal: aPrincipal({ kind: 'school' }) }));
    expect(await byOther).toMatchObject({ reason: 'not_found', details: { field: 'booking_id' } });
  });

  it('of a card that insists on its holder is 402; the family pays with it', async () => {
    const customer = await aConsenting('pm_card_authenticationRequired');
    const rejection = await rejectionOf(charge(customer));
    expect(rejection).toMatchObject({
      reason: 'authentication_required',
      message: expect.stringContaining('Ask the family to pay'),
      details: { payment_id: expect.any(String), decline_code: 'authentication_required' },
    });
    expect(await pay(payment, customer)).toMatchObject({ status: 'succeeded' });
  });

  it('is made once by repeated and concurrent requests with one key', async () => {
    const customer = await aConsenting();
    const options = withKey(schoolOf(customer), newId('req'));
    await Promise.allSettled([1, 2, 3].map(() => charge(customer, {}, options)));
    const again = await charge(customer, {}, options);
    expect(await storedPayments(payment, customer.booking)).toMatchObject([{ _id: again.id }]);
    expect(payment.bookings.paidCents(customer.booking)).toBe(6_000);
  });

  it('lets a removal of its method lose while it is in progress, and win afterwards', async () => {
    const customer = await aConsenting('pm_card_timeout');
    expect(await charge(customer)).toMatchObject({ status: 'pending' });
    expect((await rejectionOf(remove(customer))).reason).toBe('change_in_progress');
    await settleCharges(payment);
    await lapse(payment);
    await until(() => payment.bookings.paidCents(customer.booking) === 6_000, 'it is charged');
    await remove(customer);
  });

  it('that is superseded after its mark does not block the removal of the method', async () => {
    const customer = await aConsenting();
    const made = await charge(customer);
    await until(async () => (await marksOf(customer)).length === 0, 'the method is free');
    const wallets = payment.harness.database('payment_test').collection<{ _id: string }>('wallets');
    const late = { charging: [{ methodId: customer.method.id, paymentId: made.id }] };
    await wallets.updateOne({ _id: customer.family.accountId }, { $set: late });
    await remove(customer);
  });

  it('that meets the removal of its method is charged, or not, and never after the removal was answered', async () => {
    for (let round = 0; round < 5; round++) {
      const customer = await aConsenting();
      // On a busy machine it may be rejected while the charge is in progress.
      const removing = payment.harness.insist(
        removePaymentMethod,
        { payment_method_id: customer.method.id },
        { principal: customer.family },
      );
      const [charged, removed] = await Promise.allSettled([charge(customer), removing]);
      expect(removed.status).toBe('fulfilled');
      if (charged.status === 'rejected') await expectNothing(payment, customer);
      expect((await rejectionOf(charge(customer, { amount_cents: 1 }))).reason).toMatch(/^(no_consent|already_paid)$/);
    }
  });
});

it('a payment that a school makes for a family which it acts for is not caused by that family, also once it is resumed', async () => {
  const customer = await aCustomer(payment, 'pm_card_timeout');
  const { accountId } = customer.family;
  const end = payment.harness.serve(findActing, (_, { accountId: actingSchoolId }) => ({
    principal: { ...customer.family, actingSchoolId },
  }));
  const made = await charge(customer, { payment_method_id: customer.method.id });
  end();
  expect(made).toMatchObject({ account_id: accountId, status: 'pending' });
  await settleCharges(payment);
  await lapse(payment);
  const { cause } = await until(() => payment.events.find(({ objectId }) => objectId === made.id), 'it is charged');
  expect(cause).toMatchObject({ accountId, actingSchoolId: customer.booking.schoolId });
  expect(isCausedBy(accountId, cause)).toBe(false);
});

describe('a payment whose bank asks the cardholder', () => {
  const CARD = 'pm_card_threeDSecure2Required';
  const waiting = async (overrides?: Partial<InputOf<typeof createPayment>>) => {
    const customer = await aCustomer(payment, CARD);
    return { customer, made: await pay(payment, customer, overrides) };
  };
  const get = ({ family }: Customer, id: string) =>
    payment.harness.call(getPayment, { payment_id: id }, { principal: family });
  const eventsOf = (id: string) => payment.events.filter(({ objectId }) => objectId === id);
  const answer = (id: string, outcome: 'succeeded' | 'failed', principal: Principal, options: RequestOptions = {}) =>
    payment.harness.call(authenticateSandboxPayment, { payment_id: id, outcome }, { ...options, principal });

  it('is pending with what he has to do, and holds its amount', async () => {
    const { customer, made } = await waiting();
    const next = { type: 'use_processor_sdk', redirect_url: null, client_secret: expect.stringMatching(/./) };
    expect(made).toMatchObject({ status: 'pending', failure_code: null, next_action: next });
    expect(await rejectionOf(pay(payment, customer, { amount_cents: 1 }))).toMatchObject({ details: { due_cents: 0 } });
  });

  it.each([
    ['succeeds', true, 'succeeded', 'payment.succeeded'],
    ['is authorised', false, 'authorized', 'payment.authorized'],
  ] as const)(
    '%s once he has authenticated himself, which is shown first and repeated',
    async (_, capture, status, type) => {
      const { customer, made } = await waiting({ capture });
      const shown = await answer(made.id, 'succeeded', customer.family, { dryRun: true });
      expect(shown).toMatchObject({ status, next_action: null });
      expect(await get(customer, made.id)).toEqual(made);
      const ended = await answer(made.id, 'succeeded', customer.family);
      expect(ended).toMatchObject({ id: made.id, status, failure_code: null, next_action: null });
      expect(await answer(made.id, 'succeeded', customer.family)).toEqual(ended);
      expect((await rejectionOf(answer(made.id, 'failed', customer.family))).reason).toBe('invalid_state');
      await until(() => eventsOf(made.id).some((event) => event.type === type), 'its event is published');
      expect(await chargesOf(payment, made.id)).toMatchObject([{ state: status }]);
    },
  );

  it('fails when its cardholder fails to authenticate, by a request of the school, and another card pays', async () => {
    const { customer, made } = await waiting();
    expect(await answer(made.id, 'failed', schoolOf(customer))).toMatchObject({
      ...{ status: 'failed', failure_code: 'authentication_failed' },
    });
    await until(() => [...customer.booking.payments.values()].every(({ state }) => state === 'failed'), 'it is free');
    expect((await rejectionOf(answer(made.id, 'succeeded', customer.family))).reason).toBe('invalid_state');
    const visa = await addCard(payment, customer.family);
    expect((await pay(payment, { ...customer, method: visa })).status).toBe('succeeded');
  });

  it('is authenticated by nobody who does not see it, and no other payment is', async () => {
    const { made } = await waiting();
    const stranger = await aCustomer(payment);
    expect((await rejectionOf(answer(made.id, 'succeeded', stranger.family))).reason).toBe('resource_not_found');
    const { id } = await pay(payment, stranger);
    expect((await rejectionOf(answer(id, 'succeeded', stranger.family))).reason).toBe('invalid_state');
  });

  it('ends when its account is emptied', async () => {
    const { customer, made } = await waiting();
    const reset = { accountId: customer.family.accountId, before: new Date(Date.now() + 60_000).toISOString() };
    const ended = () => payment.harness.call(resetPayments, { ...reset, phase: 'end' }, { principal: customer.family });
    await until(async () => (await ended()).done, 'nothing is in progress');
    expect(await get(customer, made.id)).toMatchObject({
      ...{ status: 'failed', failure_code: 'authentication_timeout' },
    });
  });
});
