import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { OutputOf, Principal, verifyKey } from '@swim/contracts';
import { AppError, formatApiKey, newId, type PresentedKey, sharedClock } from '@swim/platform';
import { KeyCache } from './key-cache.js';
import { KeyInvalidations } from './key-invalidations.js';

type Answer = OutputOf<typeof verifyKey>;

const START_MS = Date.UTC(2027, 0, 1);
const principal: Principal = { accountId: newId('acct'), kind: 'family', env: 'test', keyId: newId('key'), scopes: [] };
const good = (more: Partial<Answer> = {}): Answer => ({ principal, expiresAt: null, ipAllowlist: [], ...more });
const key = formatApiKey('test', principal.keyId);

let nowMs: number;
let lookedUp: PresentedKey[];
let answer: () => Promise<Answer>;
let keys: KeyCache;
let invalidations: KeyInvalidations;

/** Time passes while the gateway receives heartbeats and no invalidation. */
function pass(ms: number): void {
  nowMs += ms;
  invalidations.alive();
}

describe('a time of day that is set back by ten minutes', () => {
  const passed = () => nowMs - START_MS;
  let setBackMs: number;

  beforeEach(() => {
    setBackMs = 0;
    nowMs = START_MS;
    lookedUp = [];
    answer = async () => good();
    invalidations = new KeyInvalidations(() => nowMs);
    invalidations.begin();
    jest.spyOn(performance, 'now').mockImplementation(passed);
    jest.spyOn(Date, 'now').mockImplementation(() => nowMs - setBackMs);
    jest.spyOn(sharedClock, 'nowMs').mockImplementation(() => nowMs);
    const verify = async (presented: PresentedKey) => {
      lookedUp.push(presented);
      return answer();
    };
    keys = new KeyCache({
      verify,
      invalidations: { live: new KeyInvalidations(), test: invalidations },
      canVerify: () => true,
    });
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
      const before = lookedUp.length;
      age(ms - 1);
      await keys.find(key);
      age(1);
      await keys.find(key);
      return lookedUp.length - before;
    };
    expect(await aged(60_000, pass)).toBe(1);
    pass(60_000);
    invalidations.lose();
    expect(await aged(500, (ms) => (nowMs += ms))).toBe(1);
    pass(60_000);
    answer = async () => {
      throw new AppError('unknown_key');
    };
    expect(await aged(5_000, pass)).toBe(1);
  });

  it('lets no key be used past the expiry that the first look-up returned', async () => {
    answer = async () => good({ expiresAt: new Date(START_MS + 7_000).toISOString() });
    await keys.find(key);
    setBack();
    pass(6_999);
    await keys.find(key);
    expect(lookedUp.length).toBe(1);
    pass(1);
    await keys.find(key);
    expect(lookedUp.length).toBe(2);
  });
});
