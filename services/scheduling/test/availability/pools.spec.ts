import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  createPool,
  getPool,
  getSession,
  type InputOf,
  listPools,
  makeSession,
  type PoolChanges,
  removePool,
  updatePool,
} from '@swim/contracts';
import { newId, systemContext } from '@swim/platform';
import { aPrincipal, inDays, partOf, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { PoolsRepository } from '../../src/pools/pools.repository.js';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';

const BATHS = {
  name: 'Baths',
  address: 'Uferweg 1',
  latitude: 52.5,
  longitude: 13.4,
  timezone: 'Europe/Berlin',
  lanes: 6,
};

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const aPool = async (lanes: number | null = 6) => (await scheduling.harness.call(createPool, { ...BATHS, lanes })).id;
const change = (pool_id: string, changes: PoolChanges, options: RequestOptions = {}) =>
  scheduling.harness.call(updatePool, { pool_id, changes }, options);
const remove = (pool_id: string, options: RequestOptions = {}) =>
  scheduling.harness.call(removePool, { pool_id }, options);
const read = (pool_id: string) => scheduling.harness.call(getPool, { pool_id }, asFamily);
const swim = (pool_id: string, more: Partial<InputOf<typeof makeSession>> = {}) => {
  const location = { type: 'pool', pool_id } as const;
  const input = aSession(scheduling.people.instructor(), scheduling.people.member(), { location, ...more });
  return scheduling.harness.call(makeSession, input, asFamily);
};
/** Removes a pool after this many reads of it, so that races end differently. */
const removeAfter = async (readings: number, id: string) => {
  for (let each = 0; each < readings; each++) await read(id);
  return remove(id);
};
const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
const otherSchool = { principal: aPrincipal({ kind: 'school' }) };
const pools = () => scheduling.harness.database('scheduling_test').collection<{ _id: string }>('pools');

describe('changing a pool', () => {
  it('changes the fields of the patch and keeps the rest', async () => {
    const id = await aPool();
    expect(await change(id, { name: 'Old Baths', timezone: 'Europe/Paris' })).toMatchObject({
      ...BATHS,
      id,
      name: 'Old Baths',
      timezone: 'Europe/Paris',
    });
    expect(await change(id, { address: 'Seeweg 2', latitude: -90, longitude: 180, lanes: null })).toEqual(
      await read(id),
    );
    expect(await read(id)).toMatchObject({ address: 'Seeweg 2', latitude: -90, longitude: 180, lanes: null });
  });

  it('stores nothing in a dry run', async () => {
    const id = await aPool();
    expect(await change(id, { lanes: 4 }, { dryRun: true })).toMatchObject({ lanes: 4 });
    expect(await read(id)).toMatchObject({ lanes: 6 });
  });

  it('returns the same to a repeated request after a later change', async () => {
    const id = await aPool();
    const options = { idempotencyKey: 'rename once' };
    const first = await change(id, { name: 'First' }, options);
    await change(id, { name: 'Second' });
    expect(await change(id, { name: 'First' }, options)).toEqual(first);
    expect(await read(id)).toMatchObject({ name: 'Second' });
  });

  it('rejects families, school_only, and other schools, resource_not_found', async () => {
    const id = await aPool();
    expect(await rejectionOf(change(id, { lanes: 4 }, asFamily))).toMatchObject({
      reason: 'school_only',
      code: 'AUTHORIZATION_ERROR',
    });
    expect(await reasonOf(change(id, { lanes: 4 }, otherSchool))).toBe('resource_not_found');
    expect(await read(id)).toMatchObject({ lanes: 6 });
  });

  it('rejects a pool that does not exist: resource_not_found', async () => {
    expect(await reasonOf(change(newId('pool'), { lanes: 4 }))).toBe('resource_not_found');
  });

  it.each<[object, string]>([
    [{}, 'empty_patch'],
    [{ lanes: 0 }, 'too_small'],
    [{ lanes: 101 }, 'too_large'],
    [{ lanes: 1.5 }, 'invalid_type'],
    [{ name: '' }, 'too_short'],
    [{ name: null }, 'invalid_type'],
    [{ latitude: 90.1 }, 'too_large'],
    [{ timezone: 'Etc/GMT+25' }, 'unknown_timezone'],
    [{ account_id: 'x' }, 'read_only'],
    [{ version: 1 }, 'unknown_field'],
  ])('rejects %j: %s', async (changes, reason) => {
    expect(await reasonOf(change(await aPool(), changes as PoolChanges))).toBe(reason);
  });

  it('applies a new number of lanes from the next claim on, and keeps existing claims', async () => {
    const id = await aPool(2);
    const [one] = [await swim(id), await swim(id)];
    expect(await reasonOf(swim(id))).toBe('pool_full');
    await change(id, { lanes: 3 });
    await swim(id);
    await change(id, { lanes: 1 });
    expect(await reasonOf(swim(id))).toBe('pool_full');
    await scheduling.harness.call(cancelSession, { session_id: one.id }, asFamily);
    expect(await reasonOf(swim(id))).toBe('pool_full');
    await swim(id, { date: inDays(10, 12) });
  });

  it('counts groups that were booked while lanes were not counted', async () => {
    const id = await aPool(null);
    for (let group = 0; group < 3; group++) await swim(id);
    await change(id, { lanes: 3 });
    expect(await reasonOf(swim(id))).toBe('pool_full');
    await change(id, { lanes: null });
    await swim(id);
  });
});

describe('removing a pool', () => {
  it('removes a pool without future sessions', async () => {
    const id = await aPool();
    expect(await remove(id)).toEqual({});
    expect(await reasonOf(read(id))).toBe('resource_not_found');
    expect(await reasonOf(remove(id))).toBe('resource_not_found');
    const { items } = await scheduling.harness.call(listPools, { limit: 100 });
    expect(items.map((pool) => pool.id)).not.toContain(id);
    expect(await rejectionOf(swim(id))).toMatchObject({
      reason: 'not_found',
      details: { field: 'location.pool_id' },
    });
  });

  it('stores nothing in a dry run, and rejects what a removal would reject', async () => {
    const [empty, used] = [await aPool(), await aPool()];
    await swim(used);
    expect(await remove(empty, { dryRun: true })).toEqual({});
    await read(empty);
    expect(await reasonOf(remove(used, { dryRun: true }))).toBe('invalid_state');
  });

  it('rejects families, other schools and unknown pools', async () => {
    const id = await aPool();
    expect(await reasonOf(remove(id, asFamily))).toBe('school_only');
    expect(await reasonOf(remove(id, otherSchool))).toBe('resource_not_found');
    expect(await reasonOf(remove(newId('pool')))).toBe('resource_not_found');
    await read(id);
  });

  it.each([4, null])('is rejected while the pool has a future session: invalid_state (lanes: %s)', async (lanes) => {
    const id = await aPool(lanes);
    const session = await swim(id, { date: inDays(200) });
    expect(await rejectionOf(remove(id))).toMatchObject({ reason: 'invalid_state', code: 'CONFLICT' });
    expect(await pools().findOne({ _id: id })).toMatchObject({ closing: null });
    await scheduling.harness.call(cancelSession, { session_id: session.id }, asFamily);
    expect(await remove(id)).toEqual({});
  });

  it('keeps the pool’s id in past sessions', async () => {
    const id = await aPool();
    const session = await swim(id);
    scheduling.clock.advance(20 * 86_400_000);
    try {
      await remove(id);
    } finally {
      scheduling.clock.set(new Date());
    }
    const kept = await scheduling.harness.call(getSession, { session_id: session.id }, asFamily);
    expect(kept.location).toEqual({ type: 'pool', pool_id: id });
  });

  it('counts a session as past once the clock of its school has passed it', async () => {
    const id = await aPool();
    await swim(id, { date: inDays(30) });
    scheduling.people.clockOffsetMs = 29 * 86_400_000;
    expect(await reasonOf(remove(id))).toBe('invalid_state');
    scheduling.people.clockOffsetMs = 31 * 86_400_000;
    try {
      expect(await remove(id)).toEqual({});
    } finally {
      scheduling.people.clockOffsetMs = undefined;
    }
  });

  it('blocks other removals and claims while its lease lasts, and is ended by a claim afterwards: change_in_progress', async () => {
    const id = await aPool();
    const closing = { until: new Date(Date.now() + 60_000) };
    await pools().updateOne({ _id: id }, { $set: { closing }, $inc: { rev: 1 } });
    expect(await reasonOf(remove(id))).toBe('change_in_progress');
    expect(await reasonOf(swim(id))).toBe('busy_retry');
    await pools().updateOne({ _id: id }, { $set: { closing: { until: new Date(Date.now() - 1_000) } } });
    await swim(id);
    expect(await pools().findOne({ _id: id })).toMatchObject({ closing: null });
    expect(await reasonOf(remove(id))).toBe('invalid_state');
  });

  it('is rejected when a claim has ended it', async () => {
    const id = await aPool();
    const repository = partOf(scheduling.service, PoolsRepository);
    const context = systemContext('test', school.accountId);
    const closed = await repository.close(context, id);
    await pools().updateOne({ _id: id }, { $set: { closing: { until: new Date(Date.now() - 1_000) } } });
    await swim(id);
    expect(await repository.removeClosed(context, closed)).toBe(false);
    await repository.reopen(closed);
    expect(await pools().findOne({ _id: id })).toMatchObject({ closing: null });
  });

  it('and a concurrent claim: one of the two is rejected, and no session is left without its pool', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 40; round++) {
      const id = await aPool(round % 2 === 0 ? 4 : null);
      const [claimed, removed] = await Promise.allSettled([swim(id), removeAfter(round % 8, id)]);
      seen.add(`${claimed.status} ${removed.status}`);
      if (removed.status === 'fulfilled') {
        expect(claimed).toMatchObject({ status: 'rejected' });
        const stays = await scheduling.harness
          .database('scheduling_test')
          .collection('sessions')
          .findOne({ 'location.pool_id': id });
        expect(stays).toBeNull();
      } else if (claimed.status === 'fulfilled') await read(id);
    }
    expect(seen).not.toContain('fulfilled fulfilled');
  });

  it('sees a claim that has locked its time and not read the pool yet', async () => {
    const id = await aPool();
    const service = partOf(scheduling.service, PoolsRepository);
    const look = service.findAny.bind(service);
    const { promise, resolve } = Promise.withResolvers<void>();
    let hasLocked = false;
    service.findAny = async (...requested) => {
      hasLocked = true;
      await promise;
      return look(...requested);
    };
    try {
      const swimming = swim(id);
      await until(() => hasLocked, 'the claim has locked its time');
      expect(await reasonOf(remove(id))).toBe('invalid_state');
      resolve();
      expect(await swimming).toMatchObject({ status: 'scheduled' });
    } finally {
      service.findAny = look;
      resolve();
    }
  });

  it('is seen by a claim that reads the pool after it', async () => {
    const id = await aPool();
    const repository = partOf(scheduling.service, PoolsRepository);
    const find = repository.findOwned.bind(repository);
    repository.findOwned = async (...requested) => {
      const pool = await find(...requested);
      await remove(id);
      return pool;
    };
    try {
      expect(await reasonOf(swim(id))).toBe('busy_retry');
    } finally {
      repository.findOwned = find;
    }
    expect(await reasonOf(swim(id))).toBe('not_found');
  });
});
