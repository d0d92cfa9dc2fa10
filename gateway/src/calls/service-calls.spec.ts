import { describe, expect, it } from '@jest/globals';
import { RetryBudget } from './service-calls.js';

describe('the retry budget', () => {
  it('allows a tenth of what is called, and ten at first', () => {
    const budget = new RetryBudget();
    const spendAll = () => {
      let spent = 0;
      while (budget.spend()) spent++;
      return spent;
    };
    expect(spendAll()).toBe(10);
    for (let call = 0; call < 50; call++) budget.earn();
    expect(Math.round(spendAll() / 5)).toBe(1);
    for (let call = 0; call < 10_000; call++) budget.earn();
    expect(spendAll()).toBe(10);
  });
});
