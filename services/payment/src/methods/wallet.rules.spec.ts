import { describe, expect, it } from '@jest/globals';
import { newId } from '@swim/platform';
import fc from 'fast-check';
import { toPaymentMethod } from './method.mapper.js';
import {
  defaultAfter,
  findMethod,
  isFull,
  MOST_METHODS,
  sliceOf,
  type WalletContents,
  type WalletMethod,
  withMethod,
  withoutMethod,
} from './wallet.rules.js';

const EMPTY: WalletContents = { methods: [], defaultId: null };

const aMethod = (id = newId('pm')): WalletMethod => ({
  id,
  token: 'pm_card_visa',
  processor: 'simulator',
  brand: 'visa',
  last4: '4242',
  expMonth: 12,
  expYear: 2030,
});

const aWallet = (size: number): WalletContents =>
  Array.from({ length: size }, () => aMethod()).reduce((wallet, method) => withMethod(wallet, method, false), EMPTY);

const defaultsOf = (wallet: WalletContents): string[] =>
  wallet.methods
    .map((method) => toPaymentMethod(method, wallet))
    .filter((method) => method.is_default)
    .map(({ id }) => id);

interface Change {
  do: 'add' | 'remove' | 'make default' | 'step down';
  pick: number;
  asDefault: boolean;
}

const changes = fc.array(
  fc.record<Change>({
    do: fc.constantFrom('add', 'add', 'remove', 'make default', 'step down'),
    pick: fc.nat(),
    asDefault: fc.boolean(),
  }),
  { maxLength: 60 },
);

function apply(wallet: WalletContents, change: Change): WalletContents {
  if (change.do === 'add') return withMethod(wallet, aMethod(), change.asDefault);
  const picked = wallet.methods[change.pick % Math.max(wallet.methods.length, 1)];
  if (!picked) return wallet;
  if (change.do === 'remove') return withoutMethod(wallet, picked.id);
  const defaultId = defaultAfter(wallet, picked.id, change.do === 'make default');
  return defaultId === null ? wallet : { ...wallet, defaultId };
}

describe('a wallet', () => {
  it('has exactly one default unless it is empty, after any changes', () => {
    fc.assert(
      fc.property(changes, (all) => {
        let wallet = EMPTY;
        for (const change of all) {
          wallet = apply(wallet, change);
          expect(defaultsOf(wallet)).toHaveLength(wallet.methods.length > 0 ? 1 : 0);
          expect(wallet.defaultId === null).toBe(wallet.methods.length === 0);
        }
      }),
    );
  });

  it('keeps its methods newest first, in whatever order they are added', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8].map(() => newId('pm'))), (ids) => {
        const wallet = ids.reduce((now, id) => withMethod(now, aMethod(id), false), EMPTY);
        expect(wallet.methods.map(({ id }) => id)).toEqual([...ids].sort().reverse());
      }),
    );
  });

  it('makes the first method its default even if that is not requested', () => {
    const method = aMethod();
    expect(withMethod(EMPTY, method, false).defaultId).toBe(method.id);
  });

  it('keeps its default when another method is added without requesting it', () => {
    const wallet = aWallet(2);
    expect(withMethod(wallet, aMethod(), false).defaultId).toBe(wallet.defaultId);
  });

  it('changes its default to an added method that requests it', () => {
    const method = aMethod();
    expect(withMethod(aWallet(2), method, true).defaultId).toBe(method.id);
  });

  it('makes the newest remaining method its default when the default is removed', () => {
    const wallet = aWallet(3);
    expect(withoutMethod(wallet, wallet.defaultId!).defaultId).toBe(wallet.methods[0]!.id);
  });

  it('keeps its default when another method is removed', () => {
    const wallet = aWallet(3);
    expect(withoutMethod(wallet, wallet.methods[0]!.id).defaultId).toBe(wallet.defaultId);
  });

  it('makes the newest other method its default when the default is unset', () => {
    const wallet = aWallet(3);
    const newestDefault = { ...wallet, defaultId: wallet.methods[0]!.id };
    expect(defaultAfter(newestDefault, wallet.methods[0]!.id, false)).toBe(wallet.methods[1]!.id);
    expect(defaultAfter(wallet, wallet.methods[2]!.id, false)).toBe(wallet.methods[0]!.id);
  });

  it('cannot unset the default of its only method', () => {
    const wallet = aWallet(1);
    expect(defaultAfter(wallet, wallet.defaultId!, false)).toBeNull();
  });

  it('is full at its limit and not before', () => {
    expect(isFull(aWallet(MOST_METHODS - 1))).toBe(false);
    expect(isFull(aWallet(MOST_METHODS))).toBe(true);
  });

  it('finds a method by its id and no other', () => {
    const wallet = aWallet(2);
    expect(findMethod(wallet, wallet.methods[1]!.id)).toBe(wallet.methods[1]);
    expect(findMethod(wallet, newId('pm'))).toBeNull();
  });
});

describe('a page of methods', () => {
  it('pages through the wallet once, for any size of wallet and page', () => {
    fc.assert(
      fc.property(fc.nat({ max: 25 }), fc.integer({ min: 1, max: 12 }), (size, limit) => {
        const { methods } = aWallet(size);
        const walked: WalletMethod[] = [];
        let afterId: string | undefined;
        for (let more = true; more; ) {
          const { items, hasMore } = sliceOf(methods, { afterId, limit });
          walked.push(...items);
          afterId = items.at(-1)?.id;
          more = hasMore;
        }
        expect(walked).toEqual(methods);
      }),
      { numRuns: 50 },
    );
  });

  it('continues after a method that was removed meanwhile', () => {
    const wallet = aWallet(4);
    const [, second] = wallet.methods;
    const left = withoutMethod(wallet, second!.id);
    expect(sliceOf(left.methods, { afterId: second!.id, limit: 10 }).items).toEqual(wallet.methods.slice(2));
  });

  it('starts at an offset, and is empty beyond the end', () => {
    const { methods } = aWallet(3);
    expect(sliceOf(methods, { offset: 1, limit: 1 })).toEqual({ items: [methods[1]], hasMore: true });
    expect(sliceOf(methods, { offset: 10_000, limit: 5 })).toEqual({ items: [], hasMore: false });
  });
});
