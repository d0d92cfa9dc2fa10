import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDisputed, type KnownDispute, nextToRecord, withRecorded, withReported } from './dispute.rules.js';

const STATES = ['open', 'won', 'lost'] as const;
const dispute = (state: KnownDispute['state'], id = 'dp_1') => ({ id, state, amountCents: 5_000 });

describe('disputes of a payment', () => {
  it('that are reported are unrecorded first, and recorded state by state', () => {
    const opened = withReported([], [dispute('open')])!;
    expect(nextToRecord(opened)).toEqual({ ...dispute('open'), recorded: null });
    const recorded = withRecorded(opened, opened[0]!);
    expect([nextToRecord(recorded), withReported(recorded, [dispute('open')])]).toEqual([undefined, null]);
    expect(nextToRecord(withReported(recorded, [dispute('lost')])!)).toEqual({ ...dispute('lost'), recorded: 'open' });
  });

  it('end in the first decision, in whatever order and however often reports arrive', () => {
    const reports = fc.array(fc.constantFrom(...STATES), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(reports, (states) => {
        const end = states.reduce<KnownDispute[]>((now, state) => withReported(now, [dispute(state)]) ?? now, []);
        expect(end.map(({ state }) => state)).toEqual([states.find((state) => state !== 'open') ?? 'open']);
      }),
    );
  });

  it('make it disputed until each of them is won', () => {
    const of = (...states: KnownDispute['state'][]) => ({
      disputes: states.map((state, index) => ({ ...dispute(state, `dp_${index}`), recorded: null })),
    });
    expect([{}, of(), of('won'), of('won', 'won')].map(isDisputed)).toEqual([false, false, false, false]);
    expect([of('open'), of('lost'), of('won', 'open')].map(isDisputed)).toEqual([true, true, true]);
  });
});
