import { describe, expect, it } from '@jest/globals';
import { areAllStored, audienceOf, retentionStart } from './event.rules.js';

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

describe('retentionStart', () => {
  it('is exactly this many days before now, to the millisecond', () => {
    const start = retentionStart(new Date('2026-06-01T12:00:00.001Z'), 90);
    expect(start.toISOString()).toBe('2026-03-03T12:00:00.001Z');
  });
});
