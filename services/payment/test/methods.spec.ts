import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPaymentMethod,
  getPaymentMethod,
  listPaymentMethods,
  type Principal,
  setUpPaymentMethod,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, rejectionOf } from '@swim/testing';
import {
  addCard,
  aFamily,
  defaultsOf,
  listMethods,
  methodsOf,
  type PaymentHarness,
  startPayment,
  withKey,
  withRival,
} from './harness.js';

let payment: PaymentHarness;
beforeAll(async () => {
  payment = await startPayment();
});
afterAll(() => payment?.stop());

const addingWith = (principal: Principal, token: unknown) =>
  payment.harness.call(
    addPaymentMethod,
    { account_id: principal.accountId, processor_payment_method_id: token as string },
    { principal },
  );

const settingUp = (principal: Principal, account_id = principal.accountId) =>
  payment.harness.call(setUpPaymentMethod, { account_id }, { principal });

describe('adding a payment method', () => {
  it('returns the card’s last four digits, and makes the first one the default', async () => {
    const family = aFamily();
    const year = new Date().getUTCFullYear();
    const method = await addCard(payment, family);
    expect(method).toEqual({
      object: 'payment_method',
      id: method.id,
      processor: 'simulator',
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: method.exp_year,
      is_default: true,
      created_at: expect.stringMatching(/Z$/),
      updated_at: method.created_at,
    });
    // The year may change meanwhile.
    expect([year + 4, new Date().getUTCFullYear() + 4]).toContain(method.exp_year);
    expect(await methodsOf(payment, family)).toEqual([method]);
  });

  it('changes the default only on request', async () => {
    const family = aFamily();
    const first = await addCard(payment, family);
    expect((await addCard(payment, family, 'pm_card_mastercard')).is_default).toBe(false);
    expect(await defaultsOf(payment, family)).toEqual([first.id]);
    const third = await addCard(payment, family, 'pm_card_visa', true);
    expect(third.is_default).toBe(true);
    expect(await defaultsOf(payment, family)).toEqual([third.id]);
  });

  it('rejects a token that the processor does not know, and lists those that it knows', async () => {
    const rejection = await rejectionOf(addingWith(aFamily(), 'pm_card_nobody'));
    expect(rejection).toMatchObject({
      reason: 'invalid_payment_method',
      code: 'VALIDATION_ERROR',
      details: { field: 'processor_payment_method_id' },
    });
    expect(rejection.details.errors![0]!.allowed).toEqual(
      expect.arrayContaining(['pm_card_visa', 'pm_card_amex', 'pm_card_timeout']),
    );
  });

  it('rejects a card of Stripe’s that cannot be attached to a customer there: card_declined', async () => {
    const family = aFamily();
    expect(await rejectionOf(addingWith(family, 'pm_card_visa_chargeDeclinedInsufficientFunds'))).toMatchObject({
      reason: 'card_declined',
      details: { field: 'processor_payment_method_id', decline_code: 'insufficient_funds' },
    });
    expect(await methodsOf(payment, family)).toEqual([]);
  });

  it.each(['4242424242424242', 'pm_', 'pm_card visa', `pm_${'x'.repeat(65)}`, 'tok_visa', 'pm_a\n'])(
    'rejects %j, which is no token',
    async (token) => {
      const rejection = await rejectionOf(addingWith(aFamily(), token));
      expect(rejection).toMatchObject({
        reason: 'invalid_format',
        details: { field: 'processor_payment_method_id', reason: 'invalid_format' },
      });
    },
  );

  it('rejects another account', async () => {
    const rejection = await rejectionOf(
      payment.harness.call(
        addPaymentMethod,
        { account_id: newId('acct'), processor_payment_method_id: 'pm_card_visa' },
        { principal: aFamily() },
      ),
    );
    expect(rejection).toMatchObject({ reason: 'foreign_account', code: 'AUTHORIZATION_ERROR' });
  });

  it('needs no secret of a browser library in the sandbox', async () => {
    expect(await settingUp(aFamily())).toEqual({ client_secret: null });
    expect(await rejectionOf(settingUp(aFamily(), newId('acct')))).toMatchObject({ reason: 'foreign_account' });
  });

  it('rejects the fifty-first, before its card is typed too', async () => {
    const family = aFamily();
    for (let made = 0; made < 50; made++) await addCard(payment, family);
    expect(await rejectionOf(settingUp(family))).toMatchObject({ reason: 'limit_reached' });
    expect(await rejectionOf(addCard(payment, family))).toMatchObject({ reason: 'limit_reached', code: 'CONFLICT' });
    expect((await listMethods(payment, family)).pagination.total).toBe(50);
  });

  it('is rejected with change_in_progress under repeated concurrent changes of the wallet', async () => {
    const family = aFamily();
    await addCard(payment, family);
    const rejection = await rejectionOf(withRival(payment, () => addCard(payment, family)));
    expect(rejection).toMatchObject({ reason: 'change_in_progress', code: 'CONFLICT', retryAfterSeconds: 1 });
  });

  it('stores nothing in a dry run, and returns the result', async () => {
    const family = aFamily();
    const validated = await payment.harness.call(
      addPaymentMethod,
      { account_id: family.accountId, processor_payment_method_id: 'pm_card_visa' },
      { principal: family, dryRun: true },
    );
    expect(validated).toMatchObject({ brand: 'visa', is_default: true });
    expect(await methodsOf(payment, family)).toEqual([]);
  });

  it('makes one method for twenty requests with the same key', async () => {
    const family = aFamily();
    const add = () =>
      payment.harness.call(
        addPaymentMethod,
        { account_id: family.accountId, processor_payment_method_id: 'pm_card_visa' },
        withKey(family, 'add once'),
      );
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, add));
    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : []));
    expect(new Set(made).size).toBe(1);
    expect((await methodsOf(payment, family)).map(({ id }) => id)).toEqual([made[0]]);
    expect((await add()).id).toBe(made[0]);
  });

  it('leaves exactly one default after twenty concurrent requests for it', async () => {
    const family = aFamily();
    const added = await Promise.all(Array.from({ length: 20 }, () => addCard(payment, family, 'pm_card_visa', true)));
    const methods = await methodsOf(payment, family);
    expect(methods).toHaveLength(20);
    expect(methods.map(({ id }) => id)).toEqual(
      added
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    expect(await defaultsOf(payment, family)).toHaveLength(1);
  });

  it('is rejected in the live environment while no live processor is configured', async () => {
    const rejection = await rejectionOf(addCard(payment, aPrincipal({ env: 'live' })));
    expect(rejection).toMatchObject({ reason: 'unavailable', code: 'SERVER_ERROR' });
    expect(rejection.message).toContain('No payment processor is configured for the live environment');
  });
});

describe('listing payment methods', () => {
  it('returns them newest first, page by page, with an exact total', async () => {
    const family = aFamily();
    const added: string[] = [];
    for (let made = 0; made < 5; made++) added.unshift((await addCard(payment, family)).id);
    const first = await listMethods(payment, family, { limit: 2 });
    expect(first.pagination).toMatchObject({ has_more: true, total: 5 });
    const second = await listMethods(payment, family, { limit: 2, cursor: first.pagination.next_cursor! });
    const last = await listMethods(payment, family, { limit: 2, cursor: second.pagination.next_cursor! });
    expect(last.pagination).toEqual({ has_more: false, next_cursor: null, total: 5 });
    expect([...first.items, ...second.items, ...last.items].map(({ id }) => id)).toEqual(added);
    expect((await listMethods(payment, family, { limit: 3, offset: 3 })).items.map(({ id }) => id)).toEqual(
      added.slice(3),
    );
  });

  it('lists those of these ids, and those that changed in a range', async () => {
    const family = aFamily();
    const first = await addCard(payment, family);
    const second = await addCard(payment, family);
    const third = await addCard(payment, family, 'pm_card_visa', true);
    const idsOf = async (filters: Parameters<typeof listMethods>[2]) =>
      (await listMethods(payment, family, filters)).items.map(({ id }) => id);
    expect(await idsOf({ ids: `${first.id},${newId('pm')},${second.id}` })).toEqual([second.id, first.id]);
    // The first was the default until the third was added.
    const [former] = (await listMethods(payment, family, { ids: first.id })).items;
    expect(former!.updated_at > second.updated_at).toBe(true);
    expect(await idsOf({ updated_from: former!.updated_at })).toContain(first.id);
    expect(await idsOf({ updated_to: former!.updated_at })).not.toContain(first.id);
    expect(await idsOf({ updated_from: second.updated_at })).toEqual([third.id, second.id, first.id]);
    const page = await listMethods(payment, family, { ids: `${first.id},${second.id}`, limit: 1 });
    expect(page.pagination).toMatchObject({ has_more: true, total: 2 });
    const cursor = page.pagination.next_cursor!;
    expect(await rejectionOf(listMethods(payment, family, { cursor }))).toMatchObject({ reason: 'invalid_cursor' });
    const reversed = { updated_from: '2027-03-02', updated_to: '2027-03-01' };
    expect(await rejectionOf(listMethods(payment, family, reversed))).toMatchObject({ reason: 'range_reversed' });
  });

  it('returns an empty page for an account without methods', async () => {
    const { items, pagination } = await listMethods(payment, aFamily());
    expect(items).toEqual([]);
    expect(pagination).toEqual({ has_more: false, next_cursor: null, total: 0 });
  });

  it('rejects an invalid cursor, and one of another account', async () => {
    const [family, other] = [aFamily(), aFamily()];
    await addCard(payment, family);
    await addCard(payment, family);
    const { next_cursor: cursor } = (await listMethods(payment, family, { limit: 1 })).pagination;
    expect(await rejectionOf(listMethods(payment, family, { cursor: 'junk' }))).toMatchObject({
      reason: 'invalid_cursor',
    });
    expect(await rejectionOf(listMethods(payment, other, { cursor: cursor! }))).toMatchObject({
      reason: 'invalid_cursor',
    });
  });

  it('returns one by its id to its account alone', async () => {
    const [family, other] = [aFamily(), aFamily()];
    const method = await addCard(payment, family);
    const read = (principal: Principal) =>
      payment.harness.call(getPaymentMethod, { payment_method_id: method.id }, { principal });
    expect(await read(family)).toEqual(method);
    expect(await rejectionOf(read(other))).toMatchObject({ reason: 'resource_not_found', code: 'NOT_FOUND' });
  });

  it('rejects another account', async () => {
    const [family, other] = [aFamily(), aFamily()];
    const work = payment.harness.call(listPaymentMethods, { account_id: other.accountId }, { principal: family });
    expect(await rejectionOf(work)).toMatchObject({ reason: 'foreign_account', code: 'AUTHORIZATION_ERROR' });
  });
});
