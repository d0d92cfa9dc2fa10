import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  createHold,
  createPool,
  getSession,
  type InputOf,
  listHolds,
  listPools,
  listSessions,
  listWaitlist,
  makeSession,
  removeHold,
  updatePool,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, inDays, rejectionOf } from '@swim/testing';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling } from '../harness.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const idsOf = ({ items }: { items: { id: string }[] }): string[] => items.map(({ id }) => id);

describe('sessions › list', () => {
  const list = async (query: InputOf<typeof listSessions>) =>
    idsOf(await scheduling.harness.call(listSessions, query, asFamily));
  const book = (instructor: string, days: number) =>
    scheduling.harness.call(
      makeSession,
      aSession(instructor, scheduling.people.member(), { date: inDays(days) }),
      asFamily,
    );

  it('with several statuses lists the sessions of each of them', async () => {
    const instructor_id = scheduling.people.instructor();
    const [kept, cancelled] = [await book(instructor_id, 10), await book(instructor_id, 11)];
    await scheduling.harness.call(cancelSession, { session_id: cancelled.id }, asFamily);
    expect(await list({ instructor_id, status: 'scheduled,completed' })).toEqual([kept.id]);
    expect(await list({ instructor_id, status: 'scheduled,cancelled' })).toEqual([kept.id, cancelled.id]);
  });

  it('with ids lists only these, and none that the account may not see', async () => {
    const instructor_id = scheduling.people.instructor();
    const [first, , third] = [
      await book(instructor_id, 12),
      await book(instructor_id, 13),
      await book(instructor_id, 14),
    ];
    const ids = `${third.id},${first.id},${newId('ses')}`;
    expect(await list({ ids })).toEqual([first.id, third.id]);
    const foreign = await scheduling.harness.call(listSessions, { ids }, { principal: aPrincipal() });
    expect(foreign).toMatchObject({ items: [], pagination: { total: 0 } });
  });

  it('with updated_from and updated_to lists the sessions that changed in the range, its end excluded', async () => {
    const instructor_id = scheduling.people.instructor();
    const [first, second] = [await book(instructor_id, 15), await book(instructor_id, 16)];
    const changed = await scheduling.harness.call(cancelSession, { session_id: first.id }, asFamily);
    expect(await list({ instructor_id, updated_from: changed.updated_at })).toEqual([first.id]);
    expect(await list({ instructor_id, updated_to: changed.updated_at })).toEqual([second.id]);
  });
});

describe('sessions › metadata', () => {
  const make = (metadata: Record<string, string>, member = scheduling.people.member()) =>
    scheduling.harness.call(
      makeSession,
      aSession(scheduling.people.instructor(), member, { date: inDays(30), metadata }),
      asFamily,
    );
  const change = (session_id: string, changes: InputOf<typeof updateSession>['changes']) =>
    scheduling.harness.call(updateSession, { session_id, changes }, asFamily);
  const list = async (query: InputOf<typeof listSessions>) =>
    idsOf(await scheduling.harness.call(listSessions, query, asFamily));

  it('is answered as set, whatever its keys, and merged by PATCH, where null removes a key', async () => {
    const odd = { 'a.b': '1', $set: '2', 'a b': '', kept: 'x' };
    const made = await make(odd);
    expect(made.metadata).toEqual(odd);
    const changed = await change(made.id, { metadata: { $set: null, kept: 'y', new: 'z' } });
    expect(changed.metadata).toEqual({ 'a.b': '1', 'a b': '', kept: 'y', new: 'z' });
    const moved = await change(made.id, { date: inDays(31), metadata: { moved: 'yes' } });
    expect(moved.metadata).toMatchObject({ kept: 'y', moved: 'yes' });
    expect(await scheduling.harness.call(getSession, { session_id: made.id }, asFamily)).toEqual(moved);
  });

  it('filters a list by exact values, of which all must match', async () => {
    const value = newId('req');
    const [first, second] = [await make({ crm: value, group: 'a' }), await make({ crm: value, group: 'b' })];
    expect((await list({ metadata: { crm: value } })).sort()).toEqual([first.id, second.id].sort());
    expect(await list({ metadata: { crm: value, group: 'b' } })).toEqual([second.id]);
    expect(await list({ metadata: { group: value } })).toEqual([]);
  });

  it('of more than 50 keys in all is rejected: too_long', async () => {
    const keys = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`k${from + at}`, 'x']));
    const { id } = await make(keys(0, 50));
    expect(await rejectionOf(change(id, { metadata: { k50: 'x' } }))).toMatchObject({
      reason: 'too_long',
      details: { field: 'metadata' },
    });
  });
});

describe('holds › list', () => {
  const list = async (query: InputOf<typeof listHolds>, principal = school) =>
    idsOf(await scheduling.harness.call(listHolds, query, { principal }));
  const hold = (instructor_id: string, days: number) =>
    scheduling.harness.call(
      createHold,
      {
        instructor_id,
        member_ids: [scheduling.people.member()],
        sessions: [{ date: inDays(days), duration_minutes: 30 }],
        expires_in_minutes: 30,
      },
      { principal: school },
    );

  it('lists the holds that the account sees, newest first, by instructor and status', async () => {
    const instructor_id = scheduling.people.instructor();
    const [active, removed] = [await hold(instructor_id, 20), await hold(instructor_id, 21)];
    await scheduling.harness.call(removeHold, { hold_id: removed.id }, { principal: school });
    expect(await list({ instructor_id, status: 'active' })).toEqual([active.id]);
    expect(await list({ instructor_id, status: 'active,converted' }, family)).toEqual([active.id]);
    expect(await list({ instructor_id }, aPrincipal())).toEqual([]);
  });

  it('lists a hold whose end has passed as expired, before a sweep has processed it', async () => {
    const instructor_id = scheduling.people.instructor();
    const { id } = await hold(instructor_id, 22);
    const holds = scheduling.harness.database('scheduling_test').collection<{ _id: string }>('holds');
    await holds.updateOne({ _id: id }, { $set: { expiresAt: new Date(Date.now() - 1_000), dueAt: null } });
    expect(await list({ instructor_id, status: 'active' })).toEqual([]);
    expect(await list({ instructor_id, status: 'expired' })).toEqual([id]);
  });
});

describe('pools › list', () => {
  const baths = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'Europe/Berlin' };
  const aPool = (principal = school) => scheduling.harness.call(createPool, baths, { principal });

  it('with ids and updated_from lists only the pools that changed since', async () => {
    const [first, second] = [await aPool(), await aPool()];
    const changes = { name: 'Harbour Baths' };
    const changed = await scheduling.harness.call(updatePool, { pool_id: first.id, changes }, { principal: school });
    const query = { ids: `${first.id},${second.id}`, updated_from: changed.updated_at };
    expect(idsOf(await scheduling.harness.call(listPools, query, asFamily))).toEqual([first.id]);
  });

  it('with account_id lists only the pools of these schools, page by page', async () => {
    const [one, other] = [aPrincipal({ kind: 'school' }), aPrincipal({ kind: 'school' })];
    const made = [await aPool(one), await aPool(other), await aPool(), await aPool(one)].map(({ id }) => id);
    const listed = (query: InputOf<typeof listPools>) => scheduling.harness.call(listPools, query, asFamily);
    expect(idsOf(await listed({ account_id: one.accountId }))).toEqual([made[3], made[0]]);
    const account_id = `${one.accountId},${other.accountId}`;
    const first = await listed({ account_id, limit: 2 });
    expect([idsOf(first), first.pagination.total]).toEqual([[made[3], made[1]], 3]);
    expect(idsOf(await listed({ account_id, limit: 2, cursor: first.pagination.next_cursor! }))).toEqual([made[0]]);
    const elsewhere = listed({ account_id: one.accountId, cursor: first.pagination.next_cursor! });
    expect(await rejectionOf(elsewhere)).toMatchObject({ reason: 'invalid_cursor' });
    expect(await listed({ account_id: newId('acct') })).toMatchObject({ items: [], pagination: { total: 0 } });
  });
});

describe('waitlist › list', () => {
  it('with several statuses of which the account has no entry is empty', async () => {
    const listed = await scheduling.harness.call(
      listWaitlist,
      { status: 'accepted,expired' },
      { principal: aPrincipal() },
    );
    expect(listed).toMatchObject({ items: [], pagination: { total: 0, has_more: false } });
  });
});
