import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPaymentMethod,
  erasePaymentsOfAccount,
  type Principal,
  removePaymentMethod,
  setUpPaymentMethod,
} from '@swim/contracts';
import { rejectionOf, until } from '@swim/testing';
import { aFamily, methodsOf, pay } from '../harness.js';
import { aLiveCustomer, ends, type StripeHarness, startWithStripe } from './stripe-harness.js';

let payment: StripeHarness;
beforeAll(async () => {
  payment = await startWithStripe();
});
afterAll(() => payment?.stop());

const customersOf = ({ accountId }: Principal) =>
  [...payment.stripe.customers.values()].filter(({ metadata }) => metadata.account_id === accountId);
const add = (family: Principal, token: string, dryRun = false) =>
  payment.harness.call(
    addPaymentMethod,
    { account_id: family.accountId, processor_payment_method_id: token },
    { principal: family, dryRun },
  );
const setUp = (family: Principal, dryRun = false) =>
  payment.harness.call(setUpPaymentMethod, { account_id: family.accountId }, { principal: family, dryRun });
const remove = (family: Principal, id: string) =>
  payment.harness.call(removePaymentMethod, { payment_method_id: id }, { principal: family });

describe('a live payment method', () => {
  it('is attached to the one customer of its account', async () => {
    const family = aFamily('live');
    const tokens = [payment.stripe.card(), payment.stripe.card(), payment.stripe.card()];
    const added = await Promise.all(tokens.map((token) => add(family, token)));
    expect(added[0]).toMatchObject({
      processor: 'stripe',
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: 2031,
    });
    const [customer, ...others] = customersOf(family);
    expect(others).toEqual([]);
    expect(tokens.map((token) => payment.stripe.customerOf(token))).toEqual(tokens.map(() => customer!.id));
  });

  it('is attached although Stripe keeps an error for the key of its customer', async () => {
    const family = aFamily('live');
    const token = payment.stripe.card();
    payment.stripe.disturb(/POST \/v1\/customers/, 'keep an error');
    expect(await rejectionOf(add(family, token))).toMatchObject({ reason: 'unavailable' });
    expect(await add(family, token)).toMatchObject({ last4: '4242' });
  });

  it('that Stripe’s fields have taken by the secret of its setup is of the one customer of its account, and is charged', async () => {
    const family = aFamily('live');
    const [first, second] = [await setUp(family), await setUp(family)];
    expect(customersOf(family)).toHaveLength(1);
    const token = payment.stripe.confirmSetup(second.client_secret!);
    expect(first).not.toEqual(second);
    expect(await methodsOf(payment, family)).toEqual([]);
    const method = await add(family, token);
    const booking = payment.bookings.booking({ accountId: family.accountId });
    await pay(payment, { family, method, booking });
    await ends(payment, { family, method, booking }, 'succeeded');
  });

  it('is not set up by a dry run, nor while Stripe is away', async () => {
    const family = aFamily('live');
    expect(await setUp(family, true)).toEqual({ client_secret: null });
    expect(customersOf(family)).toEqual([]);
    payment.stripe.disturb(/POST .*setup_intents/, 503);
    expect(await rejectionOf(setUp(family))).toMatchObject({ reason: 'unavailable' });
    expect((await setUp(family)).client_secret).toMatch(/^seti_/);
  });

  it('that was set up for one account is not added to another: invalid_payment_method', async () => {
    const token = payment.stripe.confirmSetup((await setUp(aFamily('live'))).client_secret!);
    expect(await rejectionOf(add(aFamily('live'), token))).toMatchObject({ reason: 'invalid_payment_method' });
  });

  it('is rejected when Stripe does not know it, or keeps it for another account: invalid_payment_method', async () => {
    const [owner, stranger] = [aFamily('live'), aFamily('live')];
    const token = payment.stripe.card();
    await add(owner, token);
    for (const dryRun of [true, false])
      for (const wrong of [token, 'pm_unknown'])
        expect(await rejectionOf(add(stranger, wrong, dryRun))).toMatchObject({ reason: 'invalid_payment_method' });
    expect(await methodsOf(payment, stranger)).toEqual([]);
  });

  it('that Stripe declines when it is attached is rejected: card_declined', async () => {
    const family = aFamily('live');
    const rejection = await rejectionOf(add(family, payment.stripe.card('unattachable')));
    expect(rejection).toMatchObject({ reason: 'card_declined', details: { decline_code: 'insufficient_funds' } });
    expect(await methodsOf(payment, family)).toEqual([]);
  });

  it('is only described for a dry run', async () => {
    const family = aFamily('live');
    const token = payment.stripe.card();
    expect(await add(family, token, true)).toMatchObject({ brand: 'visa' });
    expect([payment.stripe.customerOf(token), customersOf(family)]).toEqual([null, []]);
  });

  it('is attached by a repeated request after Stripe’s answer was lost', async () => {
    const family = aFamily('live');
    const token = payment.stripe.card();
    payment.stripe.disturb(/POST .*\/attach/, 'lose');
    expect(await rejectionOf(add(family, token))).toMatchObject({ reason: 'unavailable' });
    expect(await add(family, token)).toMatchObject({ last4: '4242' });
  });

  it('is detached when it is removed, also when Stripe is away at first, and cannot be added again', async () => {
    const family = aFamily('live');
    const token = payment.stripe.card();
    await add(family, payment.stripe.card());
    const { id } = await add(family, token);
    for (const status of [500, 503]) payment.stripe.disturb(/POST .*\/detach/, status);
    await remove(family, id);
    expect(await rejectionOf(add(family, token))).toMatchObject({ reason: 'invalid_payment_method' });
    const wallets = payment.harness.database('payment_live').collection<{ _id: string }>('wallets');
    await until(async () => {
      await wallets.updateOne(
        { _id: family.accountId, detachAt: { $type: 'date' } },
        { $set: { detachAt: new Date(0) } },
      );
      return payment.stripe.customerOf(token) === null;
    }, 'it is detached');
    await until(async () => (await wallets.countDocuments({ detachAt: { $type: 'date' } })) === 0, 'nothing is due');
    expect(await rejectionOf(add(family, token))).toMatchObject({ reason: 'invalid_payment_method' });
  });

  it('that is in the wallet twice is detached with the second', async () => {
    const family = aFamily('live');
    const token = payment.stripe.card();
    const [first, second] = [await add(family, token), await add(family, token)];
    await remove(family, first.id);
    expect(payment.stripe.customerOf(token)).not.toBeNull();
    await remove(family, second.id);
    await until(() => payment.stripe.customerOf(token) === null, 'it is detached');
  });
});

describe('a secret key that Stripe rejects', () => {
  it('makes methods unavailable, and reveals nothing', async () => {
    const family = aFamily('live');
    payment.stripe.disturb(/POST \/v1\/customers/, 401);
    const rejection = await rejectionOf(add(family, payment.stripe.card()));
    expect(rejection).toMatchObject({
      reason: 'unavailable',
      message: 'The payment processor is unavailable. Retry the request.',
    });
  });
});

describe('the erasure of an account', () => {
  it('removes it at Stripe, with its methods', async () => {
    const customer = await aLiveCustomer(payment);
    const { family, token } = customer;
    await pay(payment, customer);
    await ends(payment, customer, 'succeeded');
    const erase = () =>
      payment.harness.call(erasePaymentsOfAccount, { accountId: family.accountId }, { principal: family });
    await until(async () => (await erase()).done, 'it is erased');
    expect([payment.stripe.customerOf(token), customersOf(family)[0]!.deleted]).toEqual([null, true]);
    const left = await payment.harness
      .database('payment_live')
      .collection('payments')
      .findOne({ bookingId: customer.booking.id });
    expect(left).toMatchObject({ token: '', customerId: null });
  });
});
