import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getKey, type Principal, revokeKey, rollKey, updateKey } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { partOf, type RequestOptions, rejectionOf as rejection, updateAll } from '@swim/testing';
import type { AccessRepository } from '../../src/identity/keys/access.repository.js';
import { type KeyHarness, startKeys } from '../key-harness.js';

type Step = 'insert' | 'countActive' | 'markChanged' | 'markRolled';
type Work = (...args: unknown[]) => Promise<unknown>;

let keys: KeyHarness;
let repository: AccessRepository;
beforeAll(async () => {
  keys = await startKeys();
  const { AccessRepository } = await import('../../src/identity/keys/access.repository.js');
  repository = partOf(keys.service, AccessRepository);
});
afterAll(() => keys?.stop());

const BOTH = ['members:write' as const, 'bookings:read' as const];
const owned = (key_id: string) => ({ account_id: keys.owner.accountId, key_id });
const by = (keyId: string): Principal => ({ ...keys.owner, keyId });
const read = (id: string) => keys.harness.call(getKey, owned(id), { principal: keys.owner });
const revoke = (id: string) => keys.harness.call(revokeKey, owned(id), { principal: keys.owner });
const change = (id: string, changes: object, principal = keys.owner) =>
  keys.harness.call(updateKey, { ...owned(id), changes }, { principal });
const narrow = (id: string) => change(id, { scopes: ['members:read'] });
const roll = (id: string, options: RequestOptions = {}) =>
  keys.harness.call(rollKey, { ...owned(id), overlap_hours: 1 }, { principal: keys.owner, ...options });
const named = (name: string) => keys.stored().countDocuments({ name } as object);
const unavailable = () => Promise.reject(new AppError('unavailable'));

/** Runs `between` when the work reaches this step for the first time, and then the step or its given replacement. */
async function steppingIn<T>(
  step: Step,
  between: () => Promise<unknown>,
  work: () => Promise<T>,
  instead?: Work,
): Promise<T> {
  const patched = repository as unknown as Partial<Record<Step, Work>>;
  const whole = repository[step] as Work;
  patched[step] = async (...args) => {
    delete patched[step];
    await between();
    return (instead ?? whole).apply(repository, args);
  };
  try {
    return await work();
  } finally {
    delete patched[step];
  }
}

const lapse = () =>
  updateAll(
    keys.harness.database('people_test').collection('idempotency'),
    { state: 'running' },
    { leaseUntil: new Date(0) },
  );

describe('creating a key while the requesting key', () => {
  it('is revoked leaves nothing: revoked_key', async () => {
    const requester = await keys.mint({ scopes: BOTH });
    const work = () => keys.mint({ name: 'Outliving' }, by(requester.id));
    expect(await rejection(steppingIn('insert', () => revoke(requester.id), work))).toMatchObject({
      reason: 'revoked_key',
    });
    expect(await named('Outliving')).toBe(0);
  });

  it('is narrowed is rejected, or by default creates a key with the narrowed scopes: missing_scope', async () => {
    const [first, second] = [await keys.mint({ scopes: BOTH }), await keys.mint({ scopes: BOTH })];
    const mintExceeding = () => keys.mint({ name: 'Exceeding', scopes: ['bookings:read'] }, by(first.id));
    expect(await rejection(steppingIn('insert', () => narrow(first.id), mintExceeding))).toMatchObject({
      reason: 'missing_scope',
      details: { scope: 'bookings:read' },
    });
    expect(await named('Exceeding')).toBe(0);
    const made = await steppingIn(
      'insert',
      () => narrow(second.id),
      () => keys.mint({}, by(second.id)),
    );
    expect(made).toMatchObject({ scopes: ['members:read'] });
    expect(await keys.verify(made.key)).toMatchObject({ principal: { scopes: ['members:read'] } });
  });

  it('is narrowed between a crash and the resumed run creates a key with the narrowed scopes', async () => {
    const requester = await keys.mint({ scopes: BOTH });
    const work = () => keys.mint({}, by(requester.id), { idempotencyKey: `cut off ${requester.id}` });
    const error = await rejection(steppingIn('countActive', async () => undefined, work, unavailable));
    expect(error).toMatchObject({ reason: 'unavailable' });
    await narrow(requester.id);
    const made = await work();
    expect(made).toMatchObject({ scopes: ['members:read'] });
    expect(await keys.verify(made.key)).toMatchObject({ principal: { scopes: ['members:read'] } });
  });
});

describe('changing a key', () => {
  it('by itself while its owner narrows it keeps the owner’s change: missing_scope', async () => {
    const { id } = await keys.mint({ scopes: BOTH });
    const work = () => change(id, { name: 'Mine', scopes: BOTH }, by(id));
    expect(await rejection(steppingIn('markChanged', () => narrow(id), work))).toMatchObject({
      reason: 'missing_scope',
    });
    expect(await read(id)).toMatchObject({ scopes: ['members:read'] });
  });

  it('while its owner changes another field applies both', async () => {
    const { id } = await keys.mint({ scopes: BOTH });
    const work = () => change(id, { scopes: ['members:write'] }, by(id));
    await steppingIn('markChanged', () => change(id, { name: 'Till' }), work);
    expect(await read(id)).toMatchObject({ name: 'Till', scopes: ['members:write'] });
  });

  it('while the requesting key is revoked restores its rights, and publishes an invalidation', async () => {
    const [requester, other] = [await keys.mint({ scopes: BOTH }), await keys.mint({ scopes: ['members:read'] })];
    const changes = { name: 'Wider', scopes: BOTH, ip_allowlist: ['10.0.0.0/8'] };
    const work = () => change(other.id, changes, by(requester.id));
    expect(await rejection(steppingIn('markChanged', () => revoke(requester.id), work))).toMatchObject({
      reason: 'revoked_key',
    });
    expect(await read(other.id)).toMatchObject({ name: other.name, scopes: ['members:read'], ip_allowlist: [] });
    expect(await keys.stored().findOne({ _id: other.id })).not.toHaveProperty('unpublishedSince');
  });

  it('under repeated concurrent changes is rejected: change_in_progress', async () => {
    const { id } = await keys.mint();
    const { markChanged } = repository;
    const rival = () => keys.stored().updateOne({ _id: id }, { $inc: { invalidations: 1 } });
    repository.markChanged = async (...args) => {
      await rival();
      return markChanged.apply(repository, args);
    };
    try {
      expect(await rejection(change(id, { name: 'Never' }))).toMatchObject({ reason: 'change_in_progress' });
    } finally {
      delete (repository as Partial<AccessRepository>).markChanged;
    }
    expect(await read(id)).toMatchObject({ name: 'Shop' });
  });
});

describe('rolling a key', () => {
  it.each(['insert', 'markRolled'] as const)(
    'while it is narrowed (%s) creates a successor with the narrowed rights',
    async (step) => {
      const { id } = await keys.mint({ scopes: BOTH });
      const successor = await steppingIn(
        step,
        () => narrow(id),
        () => roll(id),
      );
      expect(successor).toMatchObject({ scopes: ['members:read'] });
      expect(await keys.verify(successor.key)).toMatchObject({ principal: { scopes: ['members:read'] } });
      expect(await read(id)).toMatchObject({ replaced_by: successor.id });
    },
  );

  it('while it is revoked creates no successor: invalid_state', async () => {
    const { id } = await keys.mint({ name: 'Ended' });
    const work = steppingIn(
      'insert',
      () => revoke(id),
      () => roll(id),
    );
    expect(await rejection(work)).toMatchObject({ reason: 'invalid_state' });
    expect(await named('Ended')).toBe(1);
  });

  it('while the requesting key is revoked leaves it unchanged: revoked_key', async () => {
    const requester = await keys.mint();
    const { id } = await keys.mint({ name: 'Going on' });
    const work = steppingIn(
      'insert',
      () => revoke(requester.id),
      () => roll(id, { principal: by(requester.id) }),
    );
    expect(await rejection(work)).toMatchObject({ reason: 'revoked_key' });
    expect(await named('Going on')).toBe(1);
    expect(await read(id)).toMatchObject({ replaced_by: null, expires_at: null });
  });

  it('between whose crash and resumed run it is narrowed creates a successor with the narrowed rights', async () => {
    const { id } = await keys.mint({ scopes: BOTH });
    const work = () => roll(id, { idempotencyKey: `cut off ${id}` });
    await rejection(steppingIn('countActive', async () => undefined, work, unavailable));
    await narrow(id);
    const successor = await work();
    expect(await keys.verify(successor.key)).toMatchObject({ principal: { scopes: ['members:read'] } });
  });

  it('does not return its successor’s text in a resumed run to a key that was narrowed since: missing_scope', async () => {
    const [requester, old] = [await keys.mint({ scopes: BOTH }), await keys.mint({ scopes: BOTH })];
    const work = () => roll(old.id, { principal: by(requester.id), idempotencyKey: `cut off ${old.id}` });
    const markRolled = repository.markRolled.bind(repository) as Work;
    const cutOff: Work = async (...args) => {
      await markRolled(...args);
      return unavailable();
    };
    await rejection(steppingIn('markRolled', async () => undefined, work, cutOff));
    await narrow(requester.id);
    expect(await rejection(work())).toMatchObject({ reason: 'missing_scope' });
  });
});

describe('the repetition of a finished roll', () => {
  it('does not return the successor’s text to a key that was narrowed since: missing_scope', async () => {
    const [requester, old] = [await keys.mint({ scopes: BOTH }), await keys.mint({ scopes: BOTH })];
    const options = { principal: by(requester.id), idempotencyKey: `finished ${old.id}` };
    await roll(old.id, options);
    await narrow(requester.id);
    expect(await rejection(roll(old.id, options))).toMatchObject({ reason: 'missing_scope' });
  });
});

describe('a run that was superseded', () => {
  it('does not remove a key whose text the later run has returned', async () => {
    const options = { idempotencyKey: newId('req') };
    const work = () => keys.mint({ name: 'Superseded' }, keys.owner, options);
    let mintExceeding: string | null = null;
    const supersede = async () => {
      await lapse();
      mintExceeding = (await work()).key;
    };
    await rejection(steppingIn('countActive', supersede, work, async () => 101));
    expect(await keys.verify(mintExceeding)).toMatchObject({ principal: { accountId: keys.owner.accountId } });
  });
});
