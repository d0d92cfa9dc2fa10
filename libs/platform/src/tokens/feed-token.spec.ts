import { describe, expect, it } from '@jest/globals';
import { newFeedToken, parseFeedToken } from './feed-token.js';

describe('the token of a calendar feed', () => {
  it('names its environment, and has a digest of its own', () => {
    const [live, test] = [newFeedToken('live'), newFeedToken('test')];
    expect(parseFeedToken(live)?.env).toBe('live');
    expect(parseFeedToken(test)?.env).toBe('test');
    expect(parseFeedToken(live)!.digest).not.toBe(parseFeedToken(test)!.digest);
    expect(live).not.toContain(parseFeedToken(live)!.digest);
  });

  it('with one character changed, or of another form, is none', () => {
    const token = newFeedToken('test');
    const at = 'cal_test_'.length;
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    const wrong = [
      changed,
      token.replace('test', 'live'),
      token.slice(0, -1),
      `${token}0`,
      ` ${token}`,
      `${token}\n`,
      '',
    ];
    for (const text of wrong) expect(parseFeedToken(text)).toBeNull();
  });
});
