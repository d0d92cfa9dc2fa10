import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getKey, type Principal, revokeKey, rollKey, updateKey } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { type RequestOptions, rejectionOf as rejection } from '@swim/testing';
import type { AccessRepository } from '../src/access/access.repository.js';
import { type KeyHarness, startKeys } from './key-harness.js';

type Step = 'insert' | 'countActive' | 'markChanged' | 'markRolled';
type Work = (...args: unknown[]) => Promise<unknown>;

let keys: KeyHarness;
let repository: AccessRepository;
beforeAll(async () => {
  keys = await startKeys();
  const { AccessRepository } = await import('../src/access/access.repository.js');
  repository = keys.service.app.get(AccessRepository, { strict: false });
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

/** Does `between` when the work comes to this step for the first time, and then the step, or what is given instead of it. */
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
  keys.harness
    .database('people_test')
    .collection('idempotency')
    .updateMany({ state: 'running' }, { $set: { leaseUntil: new Date(0) } });

describe('a key that is made while the key that asks for it', () => {
  it('is revoked leaves nothing: revoked_key', async () => {
    const requester = await keys.mint({ scopes: BOTH });
    const work = () => keys.mint({ name: 'Outliving' }, by(requester.id));
    expect(await rejection(steppingIn('insert', () => revoke(requester.id), work))).toMatchObject({
      reason: 'revoked_key',
    });
    expect(await named('Outliving')).toBe(0);
  });

  it('is narrowed can do no more than that one now can: missing_scope, or by default its scopes', async () => {
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

  it('is narrowed after the work was cut off, has the scopes of then when the work is finished', async () => {
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

describe('a key that is changed while', () => {
  it('its owner narrows it, by itself, keeps what the owner gave it: missing_scope', async () => {
    const { id } = await keys.mint({ scopes: BOTH });
    const work = () => change(id, { scopes: BOTH }, by(id));
    expect(await rejection(steppingIn('markChanged', () => narrow(id), work))).toMatchObject({
      reason: 'missing_scope',
    });
    expect(await read(id)).toMatchObject({ scopes: ['members:read'] });
  });

  it('its owner changes something else gets both', async () => {
    const { id } = await keys.mint({ scopes: BOTH });
    const work = () => change(id, { scopes: ['members:write'] }, by(id));
    await steppingIn('markChanged', () => change(id, { name: 'Till' }), work);
    expect(await read(id)).toMatchObject({ name: 'Till', scopes: ['members:write'] });
  });

  it('the key that asks is revoked has the rights that it had, and the gateways are told', async () => {
    const [requester, other] = [await keys.mint({ scopes: BOTH }), await keys.mint({ scopes: ['members:read'] })];
    const changes = { name: 'Wider', scopes: BOTH, ip_allowlist: ['10.0.0.0/8'] };
    const work = () => change(other.id, changes, by(requester.id));
    expect(await rejection(steppingIn('markChanged', () => revoke(requester.id), work))).toMatchObject({
      reason: 'revoked_key',
    });
    expect(await read(other.id)).toMatchObject({ name: other.name, scopes: ['members:read'], ip_allowlist: [] });
    expect(await keys.stored().findOne({ _id: other.id })).not.toHaveProperty('untoldSince');
  });

  it('others change it each time is left to them: change_in_progress', async () => {
    const { id } = await keys.mint();
    const { markChanged } = repository;
    const rival = () => keys.stored().updateOne({ _id: id }, { $inc: { newsCount: 1 } });
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

describe('a key that is rolled while', () => {
  it.each(['insert', 'markRolled'] as const)('it is narrowed (%s) has a successor as narrow', async (step) => {
    const { id } = await keys.mint({ scopes: BOTH });
    const successor = await steppingIn(
      step,
      () => narrow(id),
      () => roll(id),
    );
    expect(successor).toMatchObject({ scopes: ['members:read'] });
    expect(await keys.verify(successor.key)).toMatchObject({ principal: { scopes: ['members:read'] } });
    expect(await read(id)).toMatchObject({ replaced_by: successor.id });
  });

  it('it is revoked has no successor: invalid_state', async () => {
    const { id } = await keys.mint({ name: 'Ended' });
    const work = steppingIn(
      'insert',
      () => revoke(id),
      () => roll(id),
    );
    expect(await rejection(work)).toMatchObject({ reason: 'invalid_state' });
    expect(await named('Ended')).toBe(1);
  });

  it('the key that asks is revoked goes on as it was: revoked_key', async () => {
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

  it('the work is cut off, and narrowed before it is finished, has a successor as narrow', async () => {
    const { id } = await keys.mint({ scopes: BOTH });
    const work = () => roll(id, { idempotencyKey: `cut off ${id}` });
    await rejection(steppingIn('countActive', async () => undefined, work, unavailable));
    await narrow(id);
    const successor = await work();
    expect(await keys.verify(successor.key)).toMatchObject({ principal: { scopes: ['members:read'] } });
  });

  it('the work is cut off gives the text of its successor to no key that has been narrowed since: missing_scope', async () => {
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

describe('a run that was superseded', () => {
  it('takes no key back whose text the later run has told', async () => {
    const options = { idempotencyKey: newId('req') };
    const work = () => keys.mint({ name: 'Overtaken' }, keys.owner, options);
    let mintExceeding: string | null = null;
    const supersede = async () => {
      await lapse();
      mintExceeding = (await work()).key;
    };
    await rejection(steppingIn('countActive', supersede, work, async () => 101));
    expect(await keys.verify(mintExceeding)).toMatchObject({ principal: { accountId: keys.owner.accountId } });
  });
});
