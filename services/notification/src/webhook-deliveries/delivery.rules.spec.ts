import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MOST_TRIES, outcomeOf, receives, replayedTypes, requestedPauseMs } from './delivery.rules.js';

const NOW = new Date('2027-03-01T12:00:00.000Z');
const TABLE_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const failure = { statusCode: 500, error: 'The answer was 500.', retryAfter: null };
const pauseMs = (tries: number, random: number, retryAfter: string | null = null) => {
  const outcome = outcomeOf({ ...failure, retryAfter }, tries, NOW, random);
  return outcome.kind === 'retried' ? outcome.dueAt.getTime() - NOW.getTime() : null;
};

describe('a failed try', () => {
  it('is followed by the next one after the pause of the table, up to 10 % later', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, random) => {
        const ms = pauseMs(tries, random)!;
        expect(ms).toBeGreaterThanOrEqual(TABLE_S[tries - 1]! * 1_000);
        expect(ms).toBeLessThanOrEqual(TABLE_S[tries - 1]! * 1_100 + 1);
      }),
    );
  });

  it('is the last after ten, and after an answer of 410', () => {
    expect(MOST_TRIES).toBe(10);
    expect(pauseMs(10, 0.5)).toBeNull();
    expect(outcomeOf({ ...failure, statusCode: 410 }, 1, NOW, 0)).toEqual({ kind: 'failed' });
  });

  it.each([
    ['120', 120_000],
    ['2', 5_000],
    ['Mon, 01 Mar 2027 13:00:00 GMT', 3_600_000],
    ['Mon, 01 Mar 2027 11:00:00 GMT', 5_000],
    ['999999999', 86_400_000],
    ['99999999999999999999', 86_400_000],
    ['Sun, 01 Mar 2037 12:00:00 GMT', 86_400_000],
    ['0', 5_000],
    ['2.5', 5_000],
    ['', 5_000],
    ['soon', 5_000],
    ['-5', 5_000],
  ])('with Retry-After: %s is followed by one after %d ms', (retryAfter, ms) => {
    expect(pauseMs(1, 0, retryAfter)).toBe(ms);
  });

  it('has no requested pause without Retry-After', () => {
    expect(requestedPauseMs(null, NOW)).toBe(0);
  });
});

it.each([
  [199, 'retried'],
  [200, 'succeeded'],
  [204, 'succeeded'],
  [299, 'succeeded'],
  [301, 'retried'],
  [404, 'retried'],
  [null, 'retried'],
])('a try with the status %s has %s', (statusCode, kind) => {
  expect(outcomeOf({ ...failure, statusCode }, 1, NOW, 0).kind).toBe(kind);
});

it('an endpoint receives the types that it names, and * is all', () => {
  expect(receives(['*'], 'booking.created')).toBe(true);
  expect(receives(['session.created'], 'booking.created')).toBe(false);
});

it('a replay has the requested types that the endpoint receives, by default all of these', () => {
  expect(replayedTypes(['*'], undefined)).toBeNull();
  expect(replayedTypes(['booking.created'], undefined)).toEqual(['booking.created']);
  expect(replayedTypes(['booking.created'], ['booking.created', 'ping'])).toEqual(['booking.created']);
});
