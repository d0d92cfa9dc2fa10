import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Environment, getAccount, verifyKey } from '@swim/contracts';
import { inEnvironment, newId, parseApiKey } from '@swim/platform';
import { aPrincipal, rejectionOf, until } from '@swim/testing';
import { type PeopleHarness, startPeople } from '../harness.js';

let people: PeopleHarness;
beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people?.stop());

const keys = (env: Environment = 'test') =>
  people.harness.database(`people_${env}`).collection<{ _id: string; lastUsedAt: Date | null }>('api_keys');

/** A key of the school, as a client would present it. */
async function aKey(env: Environment = 'test', accountId = people.school.accountId) {
  const { AccessService } = await import('../../src/identity/keys/access.service.js');
  const access = people.service.app.get(AccessService, { strict: false });
  const id = newId('key');
  const text = await inEnvironment(env, () =>
    access.keep({
      id,
      accountId,
      name: 'Test',
      scopes: ['members:read'],
      secretBytes: randomBytes(32),
    }),
  );
  return { text, ...parseApiKey(text)! };
}
const verify = ({ keyId, digest, env }: { keyId: string; digest: string; env: Environment }) =>
  people.harness.call(verifyKey, { keyId, digest, env }, { principal: aPrincipal({ env }) });
const rejection = (key: Parameters<typeof verify>[0]) => rejectionOf(verify(key));

describe('verifying a key', () => {
  it('returns the principal and the scopes', async () => {
    const key = await aKey();
    expect(await verify(key)).toEqual({
      principal: {
        accountId: people.school.accountId,
        kind: 'school',
        env: 'test',
        keyId: key.keyId,
        scopes: ['members:read'],
      },
      expiresAt: null,
      ipAllowlist: [],
    });
  });

  it('returns its expiry and its addresses', async () => {
    const key = await aKey();
    const expiresAt = new Date(Date.now() + 3_600_000);
    await keys().updateOne({ _id: key.keyId }, { $set: { expiresAt, ipAllowlist: ['10.0.0.0/8'] } });
    expect(await verify(key)).toMatchObject({ expiresAt: expiresAt.toISOString(), ipAllowlist: ['10.0.0.0/8'] });
  });

  it('returns the same for an unknown id and for a wrong secret', async () => {
    const [key, other] = [await aKey(), await aKey()];
    const unknown = await rejection({ ...key, keyId: newId('key') });
    const wrong = await rejection({ ...key, digest: other.digest });
    expect(unknown).toMatchObject({ reason: 'unknown_key', code: 'AUTHENTICATION_ERROR' });
    expect(wrong.toBody()).toEqual(unknown.toBody());
    expect(await rejection({ ...key, digest: '' })).toMatchObject({ reason: 'invalid_format' });
  });

  it('rejects an expired and a revoked key, with that reason only for the right secret', async () => {
    const [expired, revoked] = [await aKey(), await aKey()];
    await keys().updateOne({ _id: expired.keyId }, { $set: { expiresAt: new Date(0) } });
    await keys().updateOne({ _id: revoked.keyId }, { $set: { revokedAt: new Date() } });
    expect(await rejection(expired)).toMatchObject({ reason: 'expired_key' });
    expect(await rejection(revoked)).toMatchObject({ reason: 'revoked_key' });
    expect(await rejection({ ...revoked, digest: expired.digest })).toMatchObject({ reason: 'unknown_key' });
  });

  it('rejects keys of the other environment and of an account that does not exist', async () => {
    expect(await rejection({ ...(await aKey()), env: 'live' })).toMatchObject({ reason: 'unknown_key' });
    expect(await rejection(await aKey('test', newId('acct')))).toMatchObject({ reason: 'unknown_key' });
  });

  it('records the use, at most once a minute', async () => {
    const key = await aKey();
    const lastUsed = async () => (await keys().findOne({ _id: key.keyId }))!.lastUsedAt;
    expect(await lastUsed()).toBeNull();
    await verify(key);
    const first = await until(lastUsed, 'the use is noted');
    await verify(key);
    expect(await lastUsed()).toEqual(first);
    const longAgo = new Date(first.getTime() - 120_000);
    await keys().updateOne({ _id: key.keyId }, { $set: { lastUsedAt: longAgo } });
    await verify(key);
    await until(async () => (await lastUsed())! > longAgo, 'the next use is noted');
  });

  it('stores neither the key nor its secret, nor the digest from a gateway', async () => {
    const key = await aKey();
    const secret = key.text.slice('swl_test_'.length + 26, -7);
    const stored = JSON.stringify(await keys().findOne({ _id: key.keyId }));
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(key.digest);
    expect(stored).not.toContain(key.text);
    expect(JSON.parse(stored)).toMatchObject({ pepperVersion: 1, last4: key.text.slice(-4) });
  });
});

describe('an account', () => {
  it('is returned complete to its own key: a school with policies, a family without', async () => {
    const { school, family } = people;
    expect(await people.harness.call(getAccount, { account_id: school.accountId }, { principal: school })).toEqual({
      object: 'account',
      id: school.accountId,
      name: 'The school',
      email: 'office@example.test',
      pending_email: null,
      kind: 'school',
      timezone: 'Europe/Berlin',
      locale: 'en',
      currency: 'EUR',
      policies: {
        free_cancellation_hours: 24,
        late_fee_percent: 50,
        no_show_fee_percent: 100,
        require_prepayment: false,
        enforce_availability: true,
        makeup_credits: true,
        progress_visible: true,
        offer_url_template: null,
      },
      metadata: {},
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    expect(
      await people.harness.call(getAccount, { account_id: family.accountId }, { principal: family }),
    ).toMatchObject({
      kind: 'family',
      policies: null,
    });
  });

  it('is rejected to another account, whether or not it exists', async () => {
    for (const account_id of [people.otherFamily.accountId, newId('acct')]) {
      const work = people.harness.call(getAccount, { account_id }, { principal: people.family });
      expect(await rejectionOf(work)).toMatchObject({ reason: 'foreign_account', code: 'AUTHORIZATION_ERROR' });
    }
  });

  it('is not found in an environment without it', async () => {
    const principal = aPrincipal({ ...people.family, env: 'live' });
    expect(
      await rejectionOf(people.harness.call(getAccount, { account_id: principal.accountId }, { principal })),
    ).toMatchObject({ reason: 'resource_not_found' });
  });
});
