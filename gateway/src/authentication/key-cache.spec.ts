import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OutputOf, Principal, verifyKey } from '@swim/contracts';
import { AppError, formatApiKey, newId, type PresentedKey } from '@swim/platform';
import { KeyCache, type Verdict } from './key-cache.js';

type Answer = OutputOf<typeof verifyKey>;

const START_MS = Date.UTC(2027, 0, 1);
const principal: Principal = { accountId: newId('acct'), kind: 'family', env: 'test', keyId: newId('key'), scopes: [] };
const good = (more: Partial<Answer> = {}): Answer => ({ principal, expiresAt: null, ipAllowlist: [], ...more });

let nowMs: number;
let asked: PresentedKey[];
let answer: () => Promise<Answer>;
let keys: KeyCache;
const key = formatApiKey('test', principal.keyId);

beforeEach(() => {
  nowMs = START_MS;
  asked = [];
  answer = async () => good();
  keys = new KeyCache(
    (presented) => {
      asked.push(presented);
      return answer();
    },
    () => nowMs,
  );
});

const whose = (verdict: Verdict) => ('principal' in verdict ? verdict.principal : verdict.refusal);

describe('a key that is known', () => {
  it('is looked up once in 60 seconds, and answered at once', async () => {
    expect(whose(await keys.find(key))).toBe(principal);
    nowMs += 59_999;
    expect(keys.find(key)).not.toBeInstanceOf(Promise);
    nowMs += 1;
    await keys.find(key);
    expect(asked.map(({ keyId }) => keyId)).toEqual([principal.keyId, principal.keyId]);
  });

  it('is never remembered past its expiry', async () => {
    answer = async () => good({ expiresAt: new Date(START_MS + 7_000).toISOString() });
    await keys.find(key);
    nowMs += 6_999;
    await keys.find(key);
    expect(asked.length).toBe(1);
    nowMs += 1;
    answer = async () => {
      throw new AppError('expired_key');
    };
    expect(whose(await keys.find(key))).toBe('expired_key');
  });

  it('serves from memory while the store is down, until its minute is over', async () => {
    await keys.find(key);
    answer = async () => {
      throw new AppError('deadline_exceeded');
    };
    nowMs += 59_000;
    expect(whose(await keys.find(key))).toBe(principal);
    nowMs += 1_000;
    await expect(keys.find(key)).rejects.toMatchObject({ reason: 'unavailable', retryAfterSeconds: 1 });
  });
});

describe('a key that is refused', () => {
  it.each(['unknown_key', 'expired_key', 'revoked_key'] as const)(
    'as %s is remembered for 5 seconds',
    async (reason) => {
      answer = async () => {
        throw new AppError(reason);
      };
      expect(whose(await keys.find(key))).toBe(reason);
      answer = async () => good();
      nowMs += 4_999;
      expect(whose(await keys.find(key))).toBe(reason);
      nowMs += 1;
      expect(whose(await keys.find(key))).toBe(principal);
    },
  );

  it('for any other reason is an unknown one', async () => {
    answer = async () => {
      throw new AppError('invalid_id', { field: 'keyId' });
    };
    expect(whose(await keys.find(key))).toBe('unknown_key');
  });
});

describe('looking a key up', () => {
  it('happens once, however many ask at the same time', async () => {
    let tell: (told: Answer) => void = () => undefined;
    answer = () => new Promise((resolve) => (tell = resolve));
    const asking = Array.from({ length: 100 }, () => keys.find(key));
    tell(good());
    expect((await Promise.all(asking)).map(whose)).toEqual(Array.from({ length: 100 }, () => principal));
    expect(asked.length).toBe(1);
  });

  it('is no verdict when it fails: the next one asks again', async () => {
    answer = async () => {
      throw new AppError('unavailable');
    };
    await expect(keys.find(key)).rejects.toMatchObject({ reason: 'unavailable' });
    answer = async () => good();
    expect(whose(await keys.find(key))).toBe(principal);
  });

  it('does not happen for what is no key', () => {
    for (const text of [
      '',
      'x',
      `${key}x`,
      key.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      key.replace('swl', 'sk'),
      key.toUpperCase(),
    ]) {
      expect(() => keys.find(text)).toThrow(expect.objectContaining({ reason: 'malformed_key' }));
    }
    expect(asked).toEqual([]);
  });
});

describe('the allow-list of a key', () => {
  it('holds addresses and ranges of both families; what is neither allows nobody', async () => {
    answer = async () => good({ ipAllowlist: ['192.0.2.7', '198.51.100.0/24', '2001:db8::/32', 'nonsense'] });
    const verdict = await keys.find(key);
    const list = 'allowlist' in verdict ? verdict.allowlist! : null;
    const allowed = (address: string) => list!.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
    expect(['192.0.2.7', '198.51.100.200', '2001:db8:1::1'].map(allowed)).toEqual([true, true, true]);
    expect(['192.0.2.8', '198.51.101.1', '2001:db9::1'].map(allowed)).toEqual([false, false, false]);
  });

  it('is none when it is empty', async () => {
    expect(await keys.find(key)).toMatchObject({ allowlist: null });
  });
});
