import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  findActing,
  getPaymentMethod,
  type Principal,
  removePaymentMethod,
  updatePaymentMethod,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, inDays, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { addCard, aFamily, defaultsOf, methodsOf, type PaymentHarness, startPayment, withRival } from './harness.js';

let payment: PaymentHarness;
beforeAll(async () => {
  payment = await startPayment();
});
afterAll(() => payment?.stop());

const setDefault = (principal: Principal, id: string, isDefault = true, options: RequestOptions = {}) =>
  payment.harness.call(
    updatePaymentMethod,
    { payment_method_id: id, changes: { is_default: isDefault } },
    { principal, ...options },
  );
const remove = (principal: Principal, id: string, options: RequestOptions = {}) =>
  payment.harness.call(removePaymentMethod, { payment_method_id: id }, { principal, ...options });
it('of an account that is closing are read by the school that acts for it, and not changed: account_closing', async () => {
  const family = aFamily();
  const { accountId } = family;
  const closing = inDays(7);
  const school = aPrincipal({ kind: 'school' });
  const ending = payment.harness.serve(findActing, (_, { accountId: actingSchoolId }) => ({
    principal: { ...school, accountId, kind: 'family' as const, actingSchoolId, closing },
  }));
  const method = await addCard(payment, family);
  const { id: payment_method_id } = method;
  const read = payment.harness.call(getPaymentMethod, { payment_method_id }, { principal: school });
  expect(await read).toEqual(method);
  const changed = await rejectionOf(setDefault(school, method.id));
  expect(changed).toMatchObject({ reason: 'account_closing', details: { erases_at: closing } });
  expect((await rejectionOf(remove(school, method.id))).reason).toBe('account_closing');
  ending();
});

describe('changing the default', () => {
  it('changes it back and forth, and returns the method', async () => {
    const family = aFamily();
    const [first, second] = [await addCard(payment, family), await addCard(payment, family)];
    const changed = await setDefault(family, second.id);
    expect(changed).toEqual({ ...second, is_default: true, updated_at: changed.updated_at });
    expect(changed.updated_at > second.updated_at).toBe(true);
    expect(await defaultsOf(payment, family)).toEqual([second.id]);
    expect(await setDefault(family, second.id, false)).toMatchObject({ id: second.id, is_default: false });
    expect(await defaultsOf(payment, family)).toEqual([first.id]);
  });

  it('changes nothing when it already is the default', async () => {
    const family = aFamily();
    const [first, second] = [await addCard(payment, family), await addCard(payment, family)];
    expect(await setDefault(family, first.id)).toEqual(first);
    expect(await setDefault(family, second.id, false)).toEqual(second);
    expect(await defaultsOf(payment, family)).toEqual([first.id]);
  });

  it('is rejected when the wallet would have no default', async () => {
    const family = aFamily();
    const only = await addCard(payment, family);
    const rejection = await rejectionOf(setDefault(family, only.id, false));
    expect(rejection).toMatchObject({ reason: 'invalid_state', code: 'CONFLICT' });
    expect(await defaultsOf(payment, family)).toEqual([only.id]);
  });

  it('rejects an unknown method, and one of another account alike', async () => {
    const [family, other] = [aFamily(), aFamily()];
    const foreign = await addCard(payment, other);
    await addCard(payment, family);
    for (const id of [newId('pm'), foreign.id]) {
      const rejection = await rejectionOf(setDefault(family, id));
      expect(rejection).toMatchObject({ reason: 'resource_not_found', code: 'NOT_FOUND' });
    }
    expect(await rejectionOf(setDefault(aFamily(), foreign.id))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('rejects an empty change, and a field that cannot be changed', async () => {
    const family = aFamily();
    const { id } = await addCard(payment, family);
    const change = (changes: object) =>
      payment.harness.call(updatePaymentMethod, { payment_method_id: id, changes }, { principal: family });
    expect(await rejectionOf(change({}))).toMatchObject({ reason: 'empty_patch' });
    expect(await rejectionOf(change({ last4: '0000' }))).toMatchObject({ reason: 'read_only' });
  });

  it('is rejected with change_in_progress under repeated concurrent changes of the wallet', async () => {
    const family = aFamily();
    const methods = [await addCard(payment, family), await addCard(payment, family)];
    const rejection = await rejectionOf(withRival(payment, () => setDefault(family, methods[1]!.id)));
    expect(rejection).toMatchObject({ reason: 'change_in_progress', code: 'CONFLICT' });
  });

  it('leaves exactly one default when all methods become it concurrently', async () => {
    const family = aFamily();
    const methods = await Promise.all(Array.from({ length: 10 }, () => addCard(payment, family)));
    await Promise.all(methods.map(({ id }) => setDefault(family, id)));
    expect(await defaultsOf(payment, family)).toHaveLength(1);
  });

  it('stores nothing in a dry run, and returns the result', async () => {
    const family = aFamily();
    const [first, second] = [await addCard(payment, family), await addCard(payment, family)];
    expect(await setDefault(family, second.id, true, { dryRun: true })).toEqual({
      ...second,
      is_default: true,
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(await defaultsOf(payment, family)).toEqual([first.id]);
  });
});

describe('removing a payment method', () => {
  it('makes the newest remaining one the default when the default is removed', async () => {
    const family = aFamily();
    const [first, second, third] = [
      await addCard(payment, family),
      await addCard(payment, family),
      await addCard(payment, family),
    ];
    expect(await remove(family, first.id)).toEqual({});
    expect((await methodsOf(payment, family)).map(({ id }) => id)).toEqual([third.id, second.id]);
    expect(await defaultsOf(payment, family)).toEqual([third.id]);
  });

  it('leaves an empty wallet, whose next method is the default again', async () => {
    const family = aFamily();
    await remove(family, (await addCard(payment, family)).id);
    expect(await methodsOf(payment, family)).toEqual([]);
    expect((await addCard(payment, family)).is_default).toBe(true);
  });

  it('rejects a removed method, and one of another account alike', async () => {
    const [family, other] = [aFamily(), aFamily()];
    const [mine, foreign] = [await addCard(payment, family), await addCard(payment, other)];
    await remove(family, mine.id);
    for (const id of [mine.id, foreign.id]) {
      const rejection = await rejectionOf(remove(family, id));
      expect(rejection).toMatchObject({ reason: 'resource_not_found', code: 'NOT_FOUND' });
    }
    expect(await methodsOf(payment, other)).toHaveLength(1);
  });

  it('is rejected with change_in_progress under repeated concurrent changes of the wallet', async () => {
    const family = aFamily();
    const { id } = await addCard(payment, family);
    const rejection = await rejectionOf(withRival(payment, () => remove(family, id)));
    expect(rejection).toMatchObject({ reason: 'change_in_progress', code: 'CONFLICT' });
    expect(await methodsOf(payment, family)).toHaveLength(1);
  });

  it('keeps the method in a dry run', async () => {
    const family = aFamily();
    const { id } = await addCard(payment, family);
    expect(await remove(family, id, { dryRun: true })).toEqual({});
    expect(await methodsOf(payment, family)).toHaveLength(1);
    const rejection = await rejectionOf(remove(family, newId('pm'), { dryRun: true }));
    expect(rejection).toMatchObject({ reason: 'resource_not_found' });
  });
});

describe('events of payment methods', () => {
  it('contain the method as GET returns it, numbered per method from one, for its account only', async () => {
    const family = aFamily();
    const first = await addCard(payment, family);
    const second = await addCard(payment, family, 'pm_card_mastercard', true);
    await remove(family, first.id);
    const received = () => payment.events.filter(({ audience }) => audience.includes(family.accountId));
    await until(() => received().length >= 3, 'three events are published');
    expect(received()).toEqual([
      expect.objectContaining({ type: 'payment_method.added', objectId: first.id, n: 1, object: first }),
      expect.objectContaining({ type: 'payment_method.added', objectId: second.id, n: 1, object: second }),
      expect.objectContaining({
        type: 'payment_method.removed',
        objectId: first.id,
        n: 2,
        object: { ...first, is_default: false, updated_at: expect.stringMatching(/Z$/) },
      }),
    ]);
    expect(new Set(received().map(({ id }) => id)).size).toBe(3);
    expect(received().every(({ audience, env }) => audience.length === 1 && env === 'test')).toBe(true);
    expect(JSON.stringify(received())).not.toContain('pm_card');
  });
});
