import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKey, apiKeyWithText, createKey, DEFAULT_SCOPES, getKey, getMe, listKeys, updateKey } from '@swim/contracts';
import { newId, parseApiKey } from '@swim/platform';
import { type RequestOptions, rejectionOf, updateAll } from '@swim/testing';
import { type KeyHarness, startKeys, withKey } from '../key-harness.js';

let keys: KeyHarness;
beforeAll(async () => {
  keys = await startKeys();
});
afterAll(() => keys?.stop());

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const owned = (key_id: string, principal = keys.owner) => ({ account_id: principal.accountId, key_id });
const read = (id: string, principal = keys.owner) => keys.harness.call(getKey, owned(id, principal), { principal });
const list = (query = {}, principal = keys.owner) =>
  keys.harness.call(listKeys, { account_id: principal.accountId, ...query }, { principal });
const rejection = (work: Promise<unknown>) => rejectionOf(work);

describe('GET /me', () => {
  it('returns the account and the key of the request, whatever its scopes', async () => {
    const made = await keys.mint({ name: 'Reader', scopes: ['members:read'] });
    const principal = { ...keys.owner, keyId: made.id, scopes: made.scopes };
    const { account, key } = await keys.harness.call(getMe, {}, { principal });
    expect(account).toMatchObject({ id: keys.owner.accountId });
    expect(key).toEqual(await read(made.id));
  });

  it('rejects a key that does not exist in this environment: resource_not_found', async () => {
    const principal = { ...keys.owner, keyId: newId('key') };
    expect(await rejection(keys.harness.call(getMe, {}, { principal }))).toMatchObject({
      reason: 'resource_not_found',
    });
  });
});

describe('making a key', () => {
  it('returns it with its text, which is valid at once and never returned again', async () => {
    const made = await keys.mint({ scopes: ['members:read'], ip_allowlist: ['192.0.2.0/24'], expires_at: inHours(5) });
    expect(apiKeyWithText.strict().parse(made)).toEqual(made);
    const { key: text, ...shown } = made;
    expect(shown).toMatchObject({ name: 'Shop', status: 'active', last_used_at: null, revoked_at: null });
    expect(text).toMatch(/^swl_test_/);
    expect(text!.endsWith(made.last4)).toBe(true);
    expect(await keys.verify(text)).toMatchObject({
      principal: { accountId: keys.owner.accountId, env: 'test', keyId: made.id, scopes: ['members:read'] },
      expiresAt: made.expires_at,
      ipAllowlist: ['192.0.2.0/24'],
    });
    expect(apiKey.strict().parse(await read(made.id))).toMatchObject({ id: made.id, name: 'Shop' });
    const everything = JSON.stringify([await list(), await keys.stored().find().toArray()]);
    expect(everything).not.toContain(parseApiKey(text!)!.digest);
    expect(everything).not.toContain(text!.slice('swl_test_'.length + 26, -7));
  });

  it('gives it the requesting key’s scopes except those that must be named, and rejects an empty list', async () => {
    expect((await keys.mint()).scopes).toEqual([...DEFAULT_SCOPES]);
    const medical = await keys.mint({ scopes: ['members:read', 'members:medical', 'keys:write'] });
    expect((await keys.mint({}, { ...keys.owner, keyId: medical.id })).scopes).toEqual(['keys:read', 'members:read']);
    const manager = await keys.mint({ scopes: ['members:medical'] });
    expect(await rejection(keys.mint({}, { ...keys.owner, keyId: manager.id }))).toMatchObject({
      reason: 'required',
      details: { field: 'scopes' },
    });
  });

  it('gives it the scopes, addresses and end of the requesting key by default', async () => {
    const limits = { ip_allowlist: ['10.0.0.0/8'], expires_at: inHours(2) };
    const parent = await keys.mint({ scopes: ['members:write', 'bookings:read'], ...limits });
    const child = await keys.mint({ name: 'Child' }, { ...keys.owner, keyId: parent.id });
    expect(child).toMatchObject({ scopes: ['members:read', 'members:write', 'bookings:read'], ...limits });
    expect(await keys.mint({ expires_at: null })).toMatchObject({ expires_at: null });
  });

  it('creates it in the environment of the requesting key only', async () => {
    const made = await keys.mint();
    expect(parseApiKey(made.key!)).toMatchObject({ env: 'test' });
    const live = { ...keys.owner, env: 'live' as const };
    expect(await rejection(read(made.id, live))).toMatchObject({ reason: 'resource_not_found' });
    expect(await rejection(keys.mint({}, live))).toMatchObject({ reason: 'unknown_key' });
  });

  it('returns the same text again under the same Idempotency-Key, and stores it encrypted', async () => {
    const options = { idempotencyKey: newId('req') };
    const made = await keys.mint({}, keys.owner, options);
    expect(await keys.mint({}, keys.owner, options)).toEqual(made);
    const records = await keys.harness.database('people_test').collection('idempotency').find().toArray();
    const kept = records.map(({ answer }) => String(answer?.buffer ?? '')).join();
    expect(kept).not.toContain(made.key!.slice(0, 40));
    expect(records.length).toBeGreaterThan(0);
  });

  it('does not return the text again to a key that lacks a scope of the new one: missing_scope', async () => {
    const options = { idempotencyKey: newId('req') };
    const made = await keys.mint({ scopes: ['payments:read'] }, keys.owner, options);
    const narrow = { ...keys.owner, keyId: (await keys.mint({ scopes: ['members:read'] })).id };
    expect(await rejection(keys.mint({ scopes: ['payments:read'] }, narrow, options))).toMatchObject({
      reason: 'missing_scope',
    });
    expect(await keys.mint({ scopes: ['payments:read'] }, keys.owner, options)).toEqual(made);
  });

  it('is finished by the next request under its key after a crash, and the returned text is valid', async () => {
    const options = { idempotencyKey: newId('req') };
    const lost = await keys.mint({}, keys.owner, options);
    const records = keys.harness.database('people_test').collection('idempotency');
    await updateAll(records, {}, { state: 'running', leaseUntil: new Date(0) });
    const made = await keys.mint({}, keys.owner, options);
    expect(made.id).toBe(lost.id);
    expect(made.key).not.toBe(lost.key);
    expect(await keys.verify(made.key)).toMatchObject({ principal: { keyId: made.id } });
    expect(await rejection(keys.verify(lost.key))).toMatchObject({ reason: 'unknown_key' });
  });

  it('stores nothing in a dry run, and returns no text', async () => {
    const made = await keys.mint({ name: 'Dry' }, keys.owner, { dryRun: true });
    expect(made).toMatchObject({ name: 'Dry', key: null, status: 'active' });
    expect(await rejection(read(made.id))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('rejects another account: foreign_account', async () => {
    const work = keys.harness.call(
      createKey,
      { account_id: keys.family.accountId, name: 'Shop' },
      { principal: keys.owner },
    );
    expect(await rejection(work)).toMatchObject({ reason: 'foreign_account' });
  });

  it('rejects a scope that the requesting key lacks: missing_scope', async () => {
    const narrow = await keys.mint({ scopes: ['members:write'] });
    const requester = { ...keys.owner, keyId: narrow.id };
    expect(await rejection(keys.mint({ scopes: ['members:read', 'payments:read'] }, requester))).toMatchObject({
      reason: 'missing_scope',
      details: { scope: 'payments:read' },
    });
    expect(await keys.mint({ scopes: ['members:read'] }, requester)).toMatchObject({ scopes: ['members:read'] });
  });

  it('rejects addresses and an end beyond those of the requesting key: out_of_range', async () => {
    const bound = await keys.mint({ ip_allowlist: ['10.0.0.0/8'], expires_at: inHours(2) });
    const requester = { ...keys.owner, keyId: bound.id };
    expect(await rejection(keys.mint({ ip_allowlist: [] }, requester))).toMatchObject({
      reason: 'out_of_range',
      details: { field: 'ip_allowlist' },
    });
    for (const expires_at of [inHours(3), null])
      expect(await rejection(keys.mint({ expires_at }, requester))).toMatchObject({
        reason: 'out_of_range',
        details: { field: 'expires_at' },
      });
  });

  it('rejects an end in the past: in_past', async () => {
    expect(await rejection(keys.mint({ expires_at: inHours(-1) }))).toMatchObject({
      reason: 'in_past',
      details: { field: 'expires_at' },
    });
  });

  it('rejects a requesting key that was revoked meanwhile, whatever verdict a gateway has cached', async () => {
    const requester = async (set: object) => {
      const { id } = await keys.mint();
      await keys.stored().updateOne({ _id: id }, { $set: set });
      return (await rejection(keys.mint({}, { ...keys.owner, keyId: id }))).reason;
    };
    expect(await requester({ revokedAt: new Date() })).toBe('revoked_key');
    expect(await requester({ expiresAt: new Date(0) })).toBe('expired_key');
  });

  it('rejects the 101st active key under any concurrency, and counts neither expired nor revoked ones: limit_reached', async () => {
    const owner = await withKey(keys, keys.otherSchool);
    const like = (await keys.stored().findOne({ _id: owner.keyId }))!;
    const copies = (many: number, set: object) =>
      Array.from({ length: many }, () => ({ ...like, _id: newId('key'), ...set }));
    await keys.stored().insertMany([...copies(96, {}), ...copies(5, { revokedAt: new Date() })]);
    await keys.stored().insertMany(copies(5, { expiresAt: new Date(0) }));
    expect(await keys.mint({}, owner, { dryRun: true })).toMatchObject({ status: 'active' });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => keys.mint({}, owner)));
    const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.reason] : []));
    expect(new Set(reasons)).toEqual(new Set(['limit_reached']));
    while ((await keys.stored().countDocuments(active(owner.accountId))) < 100) await keys.mint({}, owner);
    expect(await keys.stored().countDocuments(active(owner.accountId))).toBe(100);
    for (const options of [{}, { dryRun: true }] satisfies RequestOptions[])
      expect(await rejection(keys.mint({}, owner, options))).toMatchObject({
        reason: 'limit_reached',
        code: 'CONFLICT',
      });
  });

  const active = (accountId: string) => ({
    readers: [accountId],
    revokedAt: null,
    $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date() } }],
  });

  it.each([
    [{ name: ' ' }, 'name', 'too_short'],
    [{ name: 'x'.repeat(101) }, 'name', 'too_long'],
    [{ scopes: [] }, 'scopes', 'too_short'],
    [{ scopes: ['members:all'] }, 'scopes.0', 'invalid_value'],
    [{ scopes: ['members:read', 'members:read'] }, 'scopes', 'duplicate_value'],
    [{ ip_allowlist: ['10.0.0.0/33'] }, 'ip_allowlist.0', 'invalid_format'],
    [{ ip_allowlist: ['2001:db8::/129'] }, 'ip_allowlist.0', 'invalid_format'],
    [{ ip_allowlist: ['192.0.2.7', 'example.com'] }, 'ip_allowlist.1', 'invalid_format'],
    [{ ip_allowlist: ['::ffff:192.0.2.7'] }, 'ip_allowlist.0', 'invalid_format'],
    [{ ip_allowlist: ['10.0.0.1', '10.0.0.1'] }, 'ip_allowlist', 'duplicate_value'],
    [{ expires_at: '2030-01-01' }, 'expires_at', 'offset_required'],
    [{ env: 'live' }, 'env', 'unknown_field'],
    [{ key: 'swl_test_mine' }, 'key', 'unknown_field'],
  ])('rejects %j', async (input, field, reason) => {
    const { details } = await rejection(keys.mint(input as object));
    expect(details).toMatchObject({ field, reason });
  });
});

describe('reading a key', () => {
  it('of another account is rejected: resource_not_found', async () => {
    for (const id of [keys.ownerOfFamily.keyId, newId('key')])
      expect(await rejection(read(id))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('rejects another account in the path: foreign_account', async () => {
    const work = keys.harness.call(getKey, owned(keys.owner.keyId, keys.ownerOfFamily), { principal: keys.owner });
    expect(await rejection(work)).toMatchObject({ reason: 'foreign_account' });
  });
});

describe('changing a key', () => {
  const change = (id: string, changes: object, principal = keys.owner, options: RequestOptions = {}) =>
    keys.harness.call(updateKey, { ...owned(id), changes }, { principal, ...options });

  it('changes the given fields for every verification from then on, and keeps the rest', async () => {
    const { key: text, ...made } = await keys.mint({ scopes: ['members:read'] });
    const changes = { scopes: ['bookings:read'], ip_allowlist: ['2001:db8::/32'] };
    const updated_at = expect.stringMatching(/Z$/);
    expect(await change(made.id, changes)).toEqual({ ...made, ...changes, updated_at });
    expect(await keys.verify(text)).toMatchObject({
      principal: { scopes: ['bookings:read'] },
      ipAllowlist: ['2001:db8::/32'],
    });
    const { last_used_at: _, updated_at: __, ...unused } = made;
    expect(await change(made.id, { name: 'Till' })).toMatchObject({ ...unused, ...changes, name: 'Till' });
  });

  it('stores nothing in a dry run', async () => {
    const { id } = await keys.mint({ scopes: ['members:read'] });
    expect(await change(id, { name: 'Dry' }, keys.owner, { dryRun: true })).toMatchObject({ name: 'Dry' });
    expect(await read(id)).toMatchObject({ name: 'Shop' });
  });

  it('rejects rights that exceed the requesting key’s: missing_scope, out_of_range', async () => {
    const { id } = await keys.mint({ scopes: ['members:read'] });
    const bound = await keys.mint({ scopes: ['members:write'], ip_allowlist: ['10.0.0.0/8'] });
    const requester = { ...keys.owner, keyId: bound.id };
    expect(await rejection(change(id, { scopes: ['payments:read'] }, requester))).toMatchObject({
      reason: 'missing_scope',
    });
    expect(await rejection(change(id, { ip_allowlist: ['0.0.0.0/0'] }, requester))).toMatchObject({
      reason: 'out_of_range',
    });
  });

  it('rejects a key that has ended: invalid_state', async () => {
    const { id } = await keys.mint();
    for (const set of [{ expiresAt: new Date(0) }, { revokedAt: new Date() }]) {
      await keys.stored().updateOne({ _id: id }, { $set: set });
      expect(await rejection(change(id, { name: 'Late' }))).toMatchObject({
        reason: 'invalid_state',
        code: 'CONFLICT',
      });
    }
  });

  it('rejects another account, and finds none of its keys: foreign_account, resource_not_found', async () => {
    const { accountId } = keys.ownerOfFamily;
    const foreign = { account_id: accountId, key_id: keys.owner.keyId, changes: { name: 'Mine' } };
    expect(await rejection(keys.harness.call(updateKey, foreign, { principal: keys.owner }))).toMatchObject({
      reason: 'foreign_account',
    });
    expect(await rejection(change(keys.ownerOfFamily.keyId, { name: 'Mine' }))).toMatchObject({
      reason: 'resource_not_found',
    });
  });
});
