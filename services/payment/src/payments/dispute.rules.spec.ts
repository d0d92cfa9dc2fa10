import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  isDisputed,
  isNewlyDecided,
  type KnownDispute,
  nextToRecord,
  withReported as reportedAt,
  toDispute,
  withRecorded,
} from './dispute.rules.js';

const STATES = ['open', 'won', 'lost'] as const;
const AT = new Date('2027-03-01T12:00:00.000Z');
const dispute = (state: KnownDispute['state'], id = 'dp_1') => ({ id, state, amountCents: 5_000 });
const withReported = (known: KnownDispute[], reported: ReturnType<typeof dispute>[]) => reportedAt(known, reported, AT);

describe('disputes of a payment', () => {
  it('that are reported are unrecorded first, and recorded state by state', () => {
    const opened = withReported([], [dispute('open')])!;
    expect(nextToRecord(opened)).toEqual({ ...dispute('open'), revision: 1, recorded: null, closedAt: null });
    const recorded = withRecorded(opened, opened[0]!);
    expect([nextToRecord(recorded), withReported(recorded, [dispute('open')])]).toEqual([undefined, null]);
    const lost = withReported(recorded, [dispute('lost')])!;
    expect(nextToRecord(lost)).toEqual({ ...dispute('lost'), revision: 2, recorded: 'open', closedAt: AT });
  });

  it('have the latest decision, and never open again, in whatever order and however often states are reported', () => {
    const reports = fc.array(fc.constantFrom(...STATES), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(reports, (states) => {
        let decisions = 0;
        const end = states.reduce<KnownDispute[]>((now, state) => {
          const after = withReported(now, [dispute(state)]) ?? now;
          if (isNewlyDecided(now, after)) decisions++;
          return after;
        }, []);
        const decided = states.filter(
          (state, index) => state !== 'open' && states.slice(0, index).findLast((each) => each !== 'open') !== state,
        );
        expect(end.map(({ state }) => state)).toEqual([decided.at(-1) ?? 'open']);
        expect(decisions).toBe(decided.length);
      }),
    );
  });

  it('make it disputed until each of them is won', () => {
    const of = (...states: KnownDispute['state'][]) => ({
      disputes: states.map((state, index) => ({
        ...dispute(state, `dp_${index}`),
        ...{ revision: 1, recorded: null, closedAt: state === 'open' ? null : AT },
      })),
    });
    expect([{}, of(), of('won'), of('won', 'won')].map(isDisputed)).toEqual([false, false, false, false]);
    expect([of('open'), of('lost'), of('won', 'open')].map(isDisputed)).toEqual([true, true, true]);
    const shown = [of(), of('won'), of('won', 'lost', 'won'), of('lost', 'open')].map((each) => toDispute(each));
    const closed_at = AT.toISOString();
    expect(shown).toEqual([
      null,
      { status: 'won', closed_at },
      { status: 'lost', closed_at },
      { status: 'open', closed_at: null },
    ]);
  });
});
