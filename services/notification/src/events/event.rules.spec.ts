import { describe, expect, it } from '@jest/globals';
import { areAllStored, audienceOf, chainsOf, retentionStart } from './event.rules.js';

describe('audienceOf', () => {
  it('names each account once', () => {
    const audience = ['acct_b', 'acct_a', 'acct_b'];
    expect(audienceOf({ type: 'booking.created', audience })).toEqual(['acct_b', 'acct_a']);
  });

  it('omits readers that are no account, such as public', () => {
    expect(audienceOf({ type: 'instructor.updated', audience: ['public', 'acct_a', ''] })).toEqual(['acct_a']);
  });

  it('is empty for a ping, which is delivered and never listed', () => {
    expect(audienceOf({ type: 'ping', audience: ['acct_a'] })).toEqual([]);
  });
});

describe('areAllStored', () => {
  it('requires as many copies as the event has', () => {
    expect(areAllStored([])).toBe(false);
    expect(areAllStored([{ copies: 2 }])).toBe(false);
    expect(areAllStored([{ copies: 2 }, { copies: 2 }])).toBe(true);
    expect(areAllStored([{ copies: 1 }])).toBe(true);
  });
});

describe('chainsOf', () => {
  it('orders the events of each object, and splits them where one is missing or repeated', () => {
    const anEvent = (objectId: string, n: number) => ({ objectId, n });
    const events = [
      anEvent('a', 3),
      anEvent('b', 1),
      anEvent('a', 1),
      anEvent('a', 2),
      anEvent('b', 3),
      anEvent('a', 3),
    ];
    expect(chainsOf(events)).toEqual([
      [anEvent('a', 1), anEvent('a', 2), anEvent('a', 3)],
      [anEvent('a', 3)],
      [anEvent('b', 1)],
      [anEvent('b', 3)],
    ]);
  });

  it('does not join the events of different objects', () => {
    const events = [
      { objectId: 'a', n: 1 },
      { objectId: 'b', n: 2 },
    ];
    expect(chainsOf(events)).toHaveLength(2);
  });
});

describe('retentionStart', () => {
  it('is exactly this many days before now, to the millisecond', () => {
    const start = retentionStart(new Date('2026-06-01T12:00:00.001Z'), 90);
    expect(start.toISOString()).toBe('2026-03-03T12:00:00.001Z');
  });
});
