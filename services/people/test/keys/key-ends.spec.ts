import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyWithText, getKey, revokeKey, rollKey, updateKey } from '@swim/contracts';
import { keyStream } from '@swim/messaging';
import { AppError, newId } from '@swim/platform';
import { type RequestOptions, rejectionOf as rejection, until } from '@swim/testing';
import { type KeyHarness, startKeys, withKey } from '../key-harness.js';

let keys: KeyHarness;
beforeAll(async () => {
  keys = await startKeys();
});
afterAll(() => keys?.stop());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const owned = (key_id: string) => ({ account_id: keys.owner.accountId, key_id });
const requested = (options: RequestOptions) => ({ principal: keys.owner, ...options });
const read = (id: string) => keys.harness.call(getKey, owned(id), { principal: keys.owner });
const revoke = (id: string, options: RequestOptions = {}) =>
  keys.harness.call(revokeKey, owned(id), requested(options));
const roll = (id: string, overlap_hours?: number, options: RequestOptions = {}) =>
  keys.harness.call(
    rollKey,
    { ...owned(id), ...(overlap_hours === undefined ? {} : { overlap_hours }) },
    requested(options),
  );
const invalidationsOf = (id: string) => keys.invalidations.filter(({ keyId }) => keyId === id);
const stored = async (id: string) => (await keys.stored().findOne({ _id: id }))!;
const FOREIGN = () => ({ account_id: keys.ownerOfFamily.accountId, key_id: keys.owner.keyId });

describe('revoking a key', () => {
  it('ends it for good: its invalidation is published before the response, and its outbox is empty', async () => {
    const { key: text, ...made } = await keys.mint();
    const revoked = await revoke(made.id);
    const at = expect.stringMatching(/Z$/);
    expect(revoked).toEqual({ ...made, status: 'revoked', revoked_at: at, updated_at: at });
    expect(revoked.updated_at > made.updated_at).toBe(true);
    expect(invalidationsOf(made.id)).toEqual([{ keyId: made.id, revoked: true }]);
    expect(await rejection(keys.verify(text))).toMatchObject({ reason: 'revoked_key' });
    expect((await stored(made.id)).unpublishedSince).toBeUndefined();
  });

  it('is idempotent, and publishes nothing the second time', async () => {
    const { id } = await keys.mint();
    const revoked = await revoke(id);
    expect(await revoke(id)).toEqual(revoked);
    expect(invalidationsOf(id).length).toBe(1);
  });

  it('is possible for the requesting key itself', async () => {
    const own = await withKey(keys, keys.school);
    expect(await revoke(own.keyId, { principal: own })).toMatchObject({ status: 'revoked' });
    const { id } = await keys.mint();
    expect(await rejection(revoke(id, { principal: own }))).toMatchObject({ reason: 'revoked_key' });
    expect(await read(id)).toMatchObject({ status: 'active' });
  });

  it('stores nothing in a dry run', async () => {
    const { id } = await keys.mint();
    expect(await revoke(id, { dryRun: true })).toMatchObject({ status: 'revoked' });
    expect(await read(id)).toMatchObject({ status: 'active' });
    expect(invalidationsOf(id)).toEqual([]);
  });

  it('rejects another account, and finds none of its keys: foreign_account, resource_not_found', async () => {
    const foreign = keys.harness.call(revokeKey, FOREIGN(), { principal: keys.owner });
    expect(await rejection(foreign)).toMatchObject({ reason: 'foreign_account' });
    for (const id of [keys.ownerOfFamily.keyId, newId('key')])
      expect(await rejection(revoke(id))).toMatchObject({ reason: 'resource_not_found' });
  });
});

describe('invalidations of a key', () => {
  it('are published for changed rights as well', async () => {
    const { id } = await keys.mint();
    const changes = { ip_allowlist: ['10.0.0.0/8'] };
    await keys.harness.call(updateKey, { ...owned(id), changes }, { principal: keys.owner });
    expect(invalidationsOf(id)).toEqual([{ keyId: id, revoked: false }]);
  });

  it('fail the request when they cannot be published, though the key has ended; they are published as soon as possible', async () => {
    const { EventPublisher } = await import('@swim/messaging');
    const publisher = keys.service.app.get(EventPublisher, { strict: false });
    const { publishKeyInvalidation } = publisher;
    const { id, key } = await keys.mint();
    publisher.publishKeyInvalidation = () => Promise.reject(new Error('No answer.'));
    try {
      expect(await rejection(revoke(id))).toMatchObject({ reason: 'unavailable', retryAfterSeconds: 1 });
      expect(await rejection(keys.verify(key))).toMatchObject({ reason: 'revoked_key' });
      expect(await rejection(revoke(id))).toMatchObject({ reason: 'unavailable' });
    } finally {
      publisher.publishKeyInvalidation = publishKeyInvalidation;
    }
    await until(() => invalidationsOf(id).length === 1, 'the sweep has published it');
    await until(async () => (await stored(id)).unpublishedSince === undefined, 'its outbox is empty');
    expect(await revoke(id)).toMatchObject({ status: 'revoked' });
  });

  it('are published by the next sweep after a crash, and delivered once by the stream', async () => {
    const { id } = await keys.mint();
    await keys.stored().updateOne({ _id: id }, { $set: { unpublishedSince: new Date(0) }, $inc: { invalidations: 1 } });
    await until(async () => (await stored(id)).unpublishedSince === undefined, 'its outbox is empty');
    await until(() => invalidationsOf(id).length > 0, 'it is published');
    expect(invalidationsOf(id)).toEqual([{ keyId: id, revoked: false }]);
    await keys.stored().updateOne({ _id: id }, { $set: { unpublishedSince: new Date(0) } });
    await until(async () => (await stored(id)).unpublishedSince === undefined, 'its outbox is empty');
    const subject = `keys.test.${id}`;
    const request = JSON.stringify({ subjects_filter: subject });
    const info = await keys.harness.connection.request(`$JS.API.STREAM.INFO.${keyStream('test')}`, request);
    expect(info.json<{ state: { subjects: object } }>().state.subjects).toEqual({ [subject]: 1 });
  });

  it('are all published for concurrent changes, the last one last', async () => {
    const { id } = await keys.mint();
    const change = (name: string) =>
      keys.harness.call(updateKey, { ...owned(id), changes: { name } }, { principal: keys.owner });
    await Promise.all([change('a'), change('b'), change('c')]);
    await revoke(id);
    expect(invalidationsOf(id).at(-1)).toEqual({ keyId: id, revoked: true });
    expect(await stored(id)).toMatchObject({ invalidations: 4 });
    expect((await stored(id)).unpublishedSince).toBeUndefined();
  });
});

describe('rolling a key', () => {
  it('creates a successor with the same rights, and both work until the overlap is over', async () => {
    const terms = { scopes: ['members:read' as const], ip_allowlist: ['10.0.0.0/8'] };
    const old = await keys.mint(terms);
    const successor = await roll(old.id, 72);
    expect(apiKeyWithText.strict().parse(successor)).toMatchObject({ name: old.name, ...terms, expires_at: null });
    expect(successor.id).not.toBe(old.id);
    const ended = await read(old.id);
    expect(ended).toMatchObject({ status: 'active', replaced_by: successor.id });
    const leftMs = Date.parse(ended.expires_at!) - Date.now();
    expect(Math.abs(leftMs - 72 * HOUR_MS)).toBeLessThan(60_000);
    expect(await keys.verify(old.key)).toMatchObject({ expiresAt: ended.expires_at });
    expect(await keys.verify(successor.key)).toMatchObject({ principal: { keyId: successor.id } });
    expect(invalidationsOf(old.id)).toEqual([{ keyId: old.id, revoked: false }]);
  });

  it('has an overlap of a day by default, and ends the old key at once on request', async () => {
    const [day, none] = [await keys.mint(), await keys.mint()];
    await roll(day.id);
    expect(Math.abs(Date.parse((await read(day.id)).expires_at!) - Date.now() - 24 * HOUR_MS)).toBeLessThan(60_000);
    await roll(none.id, 0);
    const isOver = async () => (await keys.verify(none.key)).principal.mayOnlyRepeatRoll;
    await until(isOver, 'the database’s clock says that it has ended');
    // From then on, it may only repeat the request, for a minute.
    const { expiresAt } = await stored(none.id);
    await keys
      .stored()
      .updateOne({ _id: none.id }, { $set: { expiresAt: new Date(expiresAt!.getTime() - MINUTE_MS) } });
    expect(await rejection(keys.verify(none.key))).toMatchObject({ reason: 'expired_key' });
    expect(invalidationsOf(none.id)).toEqual([{ keyId: none.id, revoked: false }]);
  });

  it('prolongs nothing: neither the old key nor its successor ends later than the old one would have', async () => {
    const expires_at = new Date(Date.now() + HOUR_MS).toISOString();
    const old = await keys.mint({ expires_at });
    expect(await roll(old.id, 24)).toMatchObject({ expires_at });
    expect(await read(old.id)).toMatchObject({ expires_at });
  });

  it('returns the same text again under the same Idempotency-Key', async () => {
    const { id } = await keys.mint();
    const options = { idempotencyKey: newId('req') };
    const successor = await roll(id, 1, options);
    expect(await roll(id, 1, options)).toEqual(successor);
  });

  it('is finished by the next request under its key, wherever it was interrupted', async () => {
    const { AccessRepository } = await import('../../src/identity/keys/access.repository.js');
    const repository = keys.service.app.get(AccessRepository, { strict: false });
    for (const step of ['insert', 'countActive', 'markRolled', 'findOwned'] as const) {
      const { id } = await keys.mint();
      const options = { idempotencyKey: newId('req') };
      const whole = repository[step] as (...args: unknown[]) => Promise<unknown>;
      const cutOff = async (...args: unknown[]) => {
        const done = await whole.apply(repository, args);
        // The scenario reads the old key before and after its end: only after it the work is half done.
        if (step === 'findOwned' && !(done as { rolledTo?: string } | null)?.rolledTo) return done;
        throw new AppError('unavailable');
      };
      Object.assign(repository, { [step]: cutOff });
      try {
        expect(await rejection(roll(id, 5, options))).toMatchObject({ reason: 'unavailable' });
      } finally {
        delete (repository as unknown as Record<string, unknown>)[step];
      }
      const successor = await roll(id, 5, options);
      expect(await keys.verify(successor.key)).toMatchObject({ principal: { keyId: successor.id } });
      expect(await read(id)).toMatchObject({ replaced_by: successor.id, status: 'active' });
      expect(invalidationsOf(id).length).toBeGreaterThanOrEqual(1);
    }
  });

  it('succeeds for one of several concurrent requests; the others leave nothing', async () => {
    const { id } = await keys.mint({ name: 'Raced' });
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => roll(id, 1)));
    const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.reason] : []));
    expect(reasons).toEqual(Array.from({ length: 5 }, () => 'invalid_state'));
    const { accountId } = keys.owner;
    const named = { name: 'Raced', accountId } as object;
    expect(await keys.stored().countDocuments(named)).toBe(2);
  });

  it('stores nothing in a dry run', async () => {
    const { id } = await keys.mint();
    const successor = await roll(id, 1, { dryRun: true });
    expect(successor).toMatchObject({ key: null });
    expect(await read(id)).toMatchObject({ expires_at: null, replaced_by: null });
    expect(await rejection(read(successor.id))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('rejects a key that was rolled, has expired or is revoked: invalid_state', async () => {
    const [rolled, expired, revoked] = [await keys.mint(), await keys.mint(), await keys.mint()];
    const { id: replaced_by } = await roll(rolled.id);
    expect(await rejection(roll(rolled.id))).toMatchObject({ reason: 'invalid_state', details: { replaced_by } });
    await keys.stored().updateOne({ _id: expired.id }, { $set: { expiresAt: new Date(0) } });
    await revoke(revoked.id);
    for (const { id } of [expired, revoked])
      expect(await rejection(roll(id))).toMatchObject({ reason: 'invalid_state', code: 'CONFLICT' });
  });

  it('rejects rights that exceed the requesting key’s: missing_scope, out_of_range', async () => {
    const { id } = await keys.mint();
    const [narrow, bound] = [
      await keys.mint({ scopes: ['members:read'] }),
      await keys.mint({ ip_allowlist: ['10.0.0.0/8'] }),
    ];
    const as = (keyId: string) => ({ principal: { ...keys.owner, keyId } });
    expect(await rejection(roll(id, 1, as(narrow.id)))).toMatchObject({ reason: 'missing_scope' });
    expect(await rejection(roll(id, 1, as(bound.id)))).toMatchObject({
      reason: 'out_of_range',
      details: { field: 'key_id' },
    });
  });

  it('rejects an overlap at the limit of active keys, but not an exchange: limit_reached', async () => {
    const owner = await withKey(keys, keys.otherSchool);
    const like = (await keys.stored().findOne({ _id: owner.keyId }))!;
    await keys.stored().insertMany(Array.from({ length: 99 }, () => ({ ...like, _id: newId('key') })));
    const last = (
      await keys
        .stored()
        .find({ accountId: owner.accountId } as object)
        .toArray()
    ).at(-1)!;
    const rolling = (overlap_hours: number) =>
      keys.harness.call(
        rollKey,
        { account_id: owner.accountId, key_id: last._id, overlap_hours },
        { principal: owner },
      );
    expect(await rejection(rolling(1))).toMatchObject({ reason: 'limit_reached', code: 'CONFLICT' });
    expect(await rolling(0)).toMatchObject({ status: 'active' });
  });

  it.each([-1, 73, 1.5])('rejects an overlap of %d hours', async (hours) => {
    const { id } = await keys.mint();
    expect(await rejection(roll(id, hours))).toMatchObject({ details: { field: 'overlap_hours' } });
  });

  it('rejects another account, and finds none of its keys: foreign_account, resource_not_found', async () => {
    const foreign = keys.harness.call(rollKey, FOREIGN(), { principal: keys.owner });
    expect(await rejection(foreign)).toMatchObject({ reason: 'foreign_account' });
    expect(await rejection(roll(keys.ownerOfFamily.keyId))).toMatchObject({ reason: 'resource_not_found' });
  });
});
