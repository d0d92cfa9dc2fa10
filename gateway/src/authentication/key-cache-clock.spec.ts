import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { OutputOf, Principal, verifyKey } from '@swim/contracts';
import { AppError, formatApiKey, newId, type PresentedKey } from '@swim/platform';
import { KeyCache } from './key-cache.js';
import { KnownNews } from './known-news.js';

type Answer = OutputOf<typeof verifyKey>;

const START_MS = Date.UTC(2027, 0, 1);
const principal: Principal = { accountId: newId('acct'), kind: 'family', env: 'test', keyId: newId('key'), scopes: [] };
const good = (more: Partial<Answer> = {}): Answer => ({ principal, expiresAt: null, ipAllowlist: [], ...more });
const key = formatApiKey('test', principal.keyId);

let nowMs: number;
let asked: PresentedKey[];
let answer: () => Promise<Answer>;
let keys: KeyCache;
let news: KnownNews;

/** Time passes while the gateway hears that there are no news. */
function pass(ms: number): void {
  nowMs += ms;
  news.alive();
}

describe('a time of day that is set back by ten minutes', () => {
  const passed = () => nowMs - START_MS;
  let setBackMs: number;

  beforeEach(() => {
    setBackMs = 0;
    nowMs = START_MS;
    asked = [];
    answer = async () => good();
    news = new KnownNews(() => nowMs);
    news.begin();
    jest.spyOn(performance, 'now').mockImplementation(passed);
    jest.spyOn(Date, 'now').mockImplementation(() => nowMs - setBackMs);
    const verify = async (presented: PresentedKey) => {
      asked.push(presented);
      return answer();
    };
    keys = new KeyCache({ verify, news: { live: new KnownNews(), test: news }, canAsk: () => true });
  });
  afterEach(() => void jest.restoreAllMocks());

  const setBack = () => {
    setBackMs = 600_000;
  };

  it('lets no verdict live longer: neither a good one, nor a bad one, nor one that is unsure', async () => {
    const aged = async (ms: number, age: (ms: number) => void) => {
      setBackMs = 0;
      await keys.find(key);
      setBack();
      const before = asked.length;
      age(ms - 1);
      await keys.find(key);
      age(1);
      await keys.find(key);
      return asked.length - before;
    };
    expect(await aged(60_000, pass)).toBe(1);
    pass(60_000);
    news.lose();
    expect(await aged(500, (ms) => (nowMs += ms))).toBe(1);
    pass(60_000);
    answer = async () => {
      throw new AppError('unknown_key');
    };
    expect(await aged(5_000, pass)).toBe(1);
  });

  it('lets no key be used past the expiry that was told before', async () => {
    answer = async () => good({ expiresAt: new Date(START_MS + 7_000).toISOString() });
    await keys.find(key);
    setBack();
    pass(6_999);
    await keys.find(key);
    expect(asked.length).toBe(1);
    pass(1);
    await keys.find(key);
    expect(asked.length).toBe(2);
  });
});
