import { expect, it } from '@jest/globals';
import { type Figures, hasAny, methodsOf } from './figures.ts';

const NOTHING: Figures = {
  lessons: 0,
  charged_cents: 0,
  charged_by_method: { card: 0, cash: 0, transfer: 0, terminal: 0, voucher: 0 },
  refunded_cents: 0,
  fees_cents: 0,
  credits_issued_cents: 0,
  credits_spent_cents: 0,
};

it('leaves out days on which nothing happened', () => {
  const days = [NOTHING, { ...NOTHING, lessons: 1 }, { ...NOTHING, refunded_cents: 500 }];
  expect(days.map(hasAny)).toEqual([false, true, true]);
});

it('tells cash from cards, and nothing where all came by cards', () => {
  const charged = { ...NOTHING.charged_by_method, card: 500 };
  expect(methodsOf({ ...NOTHING, charged_by_method: charged })).toEqual([]);
  expect(methodsOf({ ...NOTHING, charged_by_method: { ...charged, cash: 300 } })).toEqual([
    { method: 'card', cents: 500 },
    { method: 'cash', cents: 300 },
  ]);
});
