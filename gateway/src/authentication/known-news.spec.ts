import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@swim/platform';
import { KnownNews } from './known-news.js';

const [keyId, other] = [newId('key'), newId('key')];
let nowMs: number;
let news: KnownNews;
beforeEach(() => {
  nowMs = 5;
  news = new KnownNews(() => nowMs);
});

describe('an answer about a key', () => {
  it('is unsure until reading has begun, and current from then on', () => {
    const before = news.moment;
    expect(news.standingOf(keyId, before)).toBe('unsure');
    news.begin();
    expect(news.standingOf(keyId, before)).toBe('unsure');
    expect(news.standingOf(keyId, news.moment)).toBe('current');
  });

  it('is superseded by news that come after it was asked for, by those alone', () => {
    news.begin();
    const before = news.moment;
    news.hear({ keyId, revoked: false });
    expect(news.standingOf(keyId, before)).toBe('superseded');
    expect(news.standingOf(keyId, news.moment)).toBe('current');
    expect(news.standingOf(other, before)).toBe('current');
  });

  it('is unsure after a second without a word, until the next word', () => {
    news.begin();
    nowMs += 999;
    expect(news.standingOf(keyId, news.moment)).toBe('current');
    nowMs += 1;
    expect(news.standingOf(keyId, news.moment)).toBe('unsure');
    news.alive();
    expect(news.standingOf(keyId, news.moment)).toBe('current');
  });

  it('is unsure after a gap, until it was asked for anew', () => {
    news.begin();
    const before = news.moment;
    news.lose();
    news.alive();
    expect(news.standingOf(keyId, before)).toBe('unsure');
    news.begin();
    expect(news.standingOf(keyId, before)).toBe('unsure');
    expect(news.standingOf(keyId, news.moment)).toBe('current');
  });

  it('stays superseded while the gateway is cut off', () => {
    news.begin();
    const before = news.moment;
    news.hear({ keyId, revoked: true });
    news.lose();
    expect(news.standingOf(keyId, before)).toBe('superseded');
  });
});

describe('what was heard', () => {
  it('is remembered for two minutes', () => {
    news.begin();
    const before = news.moment;
    news.hear({ keyId, revoked: true });
    nowMs += 119_999;
    news.hear({ keyId: other, revoked: false });
    expect([news.isRevoked(keyId), news.standingOf(keyId, before)]).toEqual([true, 'superseded']);
    nowMs += 1;
    news.hear({ keyId: other, revoked: false });
    expect(news.isRevoked(keyId)).toBe(false);
  });

  it('of a revoked key is not taken back by other news of it', () => {
    news.hear({ keyId, revoked: true });
    news.hear({ keyId, revoked: false });
    expect(news.isRevoked(keyId)).toBe(true);
    expect(news.isRevoked(other)).toBe(false);
  });
});
