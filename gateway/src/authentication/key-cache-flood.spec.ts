import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OutputOf, Principal, verifyKey } from '@swim/contracts';
import { AppError, formatApiKey, newId } from '@swim/platform';
import { KeyCache, type Verdict } from './key-cache.js';
import { KeyInvalidations } from './key-invalidations.js';

type Answer = OutputOf<typeof verifyKey>;

const principal: Principal = { accountId: newId('acct'), kind: 'family', env: 'test', keyId: newId('key'), scopes: [] };
const key = formatApiKey('test', principal.keyId);

let nowMs: number;
let answer: () => Promise<Answer>;
let keys: KeyCache;
let invalidations: KeyInvalidations;

beforeEach(() => {
  nowMs = 0;
  answer = async () => ({ principal, expiresAt: null, ipAllowlist: [] });
  invalidations = new KeyInvalidations(() => nowMs);
  invalidations.begin();
  const options = { canVerify: () => true, nowMs: () => nowMs, wallMs: () => nowMs };
  keys = new KeyCache({
    verify: () => answer(),
    invalidations: { live: new KeyInvalidations(() => nowMs), test: invalidations },
    ...options,
  });
});

/** Time passes while the gateway receives heartbeats and no invalidation. */
function pass(ms: number): void {
  nowMs += ms;
  invalidations.alive();
}

describe('keys that are made up', () => {
  it('take the place of none that is valid, however many they are', async () => {
    await keys.find(key);
    answer = async () => {
      throw new AppError('unknown_key');
    };
    for (let made = 0; made < 21_000; made++) await keys.find(formatApiKey('test', principal.keyId));
    expect(keys.find(key)).toMatchObject({ principal });
  });

  it('are looked up in turn; a key that was valid is not', async () => {
    const turns: string[] = [];
    const inTurn = (name: string) => (lookUp: () => Promise<Verdict>) => {
      turns.push(name);
      return lookUp();
    };
    await keys.find(key, inTurn('first'));
    pass(60_000);
    await keys.find(key, inTurn('again'));
    answer = async () => {
      throw new AppError('unknown_key');
    };
    const bad = formatApiKey('test', newId('key'));
    await keys.find(bad, inTurn('bad'));
    pass(5_000);
    await keys.find(bad, inTurn('bad again'));
    expect(turns).toEqual(['first', 'bad', 'bad again']);
  });
});
