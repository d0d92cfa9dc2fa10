import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '@swim/contracts';
import { formatApiKey, hashKeyDigest, newId, parseApiKey } from '@swim/platform';
import { rejectionOf as rejection, until } from '@swim/testing';
import { type KeyHarness, startKeys } from '../key-harness.js';

const OLD = randomBytes(32);
const NEWER = randomBytes(32);

let keys: KeyHarness;
beforeAll(async () => {
  process.env.KEY_PEPPER_VERSION = '2';
  process.env.KEY_PEPPERS = `1:${OLD.toString('base64')}, 3:${NEWER.toString('base64')}`;
  keys = await startKeys();
});
afterAll(() => keys?.stop());

/** A key as it was stored under the pepper of a version. */
async function storedUnder(pepper: Buffer, pepperVersion: number) {
  const id = newId('key');
  const text = formatApiKey('test', id);
  const like = (await keys.stored().findOne({ _id: keys.owner.keyId }))!;
  const hash = hashKeyDigest(parseApiKey(text)!.digest, pepper).toString('base64');
  await keys.stored().insertOne({ ...like, _id: id, hash, pepperVersion });
  return { id, text, hash };
}
const stored = async (id: string) => (await keys.stored().findOne({ _id: id }))!;

describe('a key under an older pepper', () => {
  it('is accepted, and stored under the current pepper at its next use', async () => {
    const { id, text, hash } = await storedUnder(OLD, 1);
    expect(await keys.verify(text)).toMatchObject({ principal: { keyId: id, scopes: [...SCOPES] } });
    await until(async () => (await stored(id)).pepperVersion === 2, 'it is kept anew');
    expect((await stored(id)).hash).not.toBe(hash);
    expect(await keys.verify(text)).toMatchObject({ principal: { keyId: id } });
  });

  it('stays unchanged by requests with a wrong secret', async () => {
    const { id, text, hash } = await storedUnder(OLD, 1);
    const wrong = formatApiKey('test', id);
    expect(await rejection(keys.verify(wrong))).toMatchObject({ reason: 'unknown_key' });
    expect(await stored(id)).toMatchObject({ hash, pepperVersion: 1 });
    expect(await keys.verify(text)).toMatchObject({ principal: { keyId: id } });
  });
});

describe('a key under a newer pepper', () => {
  it('is accepted by a replica with the older setting, and stays unchanged', async () => {
    const { id, text, hash } = await storedUnder(NEWER, 3);
    expect(await keys.verify(text)).toMatchObject({ principal: { keyId: id } });
    await until(
      async () => (await keys.stored().findOne({ _id: id, lastUsedAt: { $ne: null } } as object)) !== null,
      'noted',
    );
    expect(await stored(id)).toMatchObject({ hash, pepperVersion: 3 });
  });
});

describe('a key whose pepper is not configured', () => {
  it('fails verification with a server error instead of a rejection', async () => {
    const { text } = await storedUnder(randomBytes(32), 9);
    expect(await rejection(keys.verify(text))).toMatchObject({ code: 'SERVER_ERROR' });
  });
});

describe('a new key', () => {
  it('is stored under the current pepper', async () => {
    const { id, key } = await keys.mint();
    expect(await stored(id)).toMatchObject({ pepperVersion: 2 });
    expect(await keys.verify(key)).toMatchObject({ principal: { keyId: id } });
  });
});
