import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, type InputOf, joinWaitlist, listWaitlist, makeSession } from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, inDays, rejectionOf } from '@swim/testing';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';
import { aPlace, lineOf } from './waitlist-client.js';

let scheduling: SchedulingHarness;
const others = aPrincipal();
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const BATHS = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'UTC' };

type JoinInput = InputOf<typeof joinWaitlist>;

const joinInput = (instructor_id: string, overrides: Partial<JoinInput> = {}) =>
  aPlace(scheduling.people, instructor_id, overrides);
const { join, read, leave, reaches } = lineOf(() => scheduling.harness);

describe('the waitlist', () => {
  it('is joined, read, listed and left by accounts that see the member', async () => {
    const instructor = scheduling.people.instructor();
    const input = joinInput(instructor);
    const entry = await join(input);
    expect(entry).toMatchObject({ ...input, account_id: family.accountId, status: 'waiting', offer: null });
    expect(await read(entry.id, { principal: school })).toEqual(entry);
    const list = (query: object, principal = family) => scheduling.harness.call(listWaitlist, query, { principal });
    const second = await join(joinInput(instructor));
    expect((await list({ instructor_id: instructor })).items.map(({ id }) => id)).toEqual([second.id, entry.id]);
    expect((await list({ instructor_id: instructor, member_id: input.member_id })).items).toEqual([entry]);
    expect((await list({ instructor_id: instructor, status: 'offered' })).pagination.total).toBe(0);
    expect((await list({ instructor_id: instructor }, others)).pagination.total).toBe(0);
    expect(await rejectionOf(read(entry.id, { principal: others }))).toMatchObject({ reason: 'resource_not_found' });
    expect(await rejectionOf(leave(entry.id, { principal: others }))).toMatchObject({ reason: 'resource_not_found' });
    await leave(entry.id);
    expect(await rejectionOf(read(entry.id))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('has a member once for the same time, and again once that entry was left', async () => {
    const input = joinInput(scheduling.people.instructor());
    const entry = await join(input, withKey('wait-1'));
    expect(await join(input, withKey('wait-1'))).toEqual(entry);
    expect(await rejectionOf(join(input))).toMatchObject({ code: 'CONFLICT', reason: 'already_exists' });
    const dry = { ...asFamily, dryRun: true };
    expect(await rejectionOf(join(input, dry))).toMatchObject({ reason: 'already_exists' });
    await leave(entry.id);
    expect(await join(input, dry)).toMatchObject({ status: 'waiting' });
    expect((await join(input)).id).not.toBe(entry.id);
  });

  it('rejects participants who cannot meet, past times and ranges that are too long', async () => {
    const { people } = scheduling;
    const instructor = people.instructor();
    const rejected = async (overrides: Partial<JoinInput>, principal = family) => {
      const { reason, details } = await rejectionOf(join(joinInput(instructor, overrides), { principal }));
      return [reason, details.field];
    };
    expect(await rejected({ instructor_id: newId('ins') })).toEqual(['not_found', 'instructor_id']);
    expect(await rejected({ instructor_id: people.instructor({ status: 'inactive' }) })).toEqual([
      'inactive_instructor',
      'instructor_id',
    ]);
    expect(await rejected({ member_id: newId('mem') })).toEqual(['not_found', 'member_id']);
    expect(await rejected({ date_to: inDays(10, 0) })).toEqual(['range_reversed', 'date_to']);
    expect(await rejected({ date_to: inDays(10, 0, 29) })).toEqual(['out_of_range', 'date_to']);
    expect(await rejected({ date_to: inDays(400) })).toEqual(['range_too_long', 'date_to']);
    expect(await rejected({ date_from: '2020-01-01T00:00:00Z', date_to: '2020-01-02T00:00:00Z' })).toEqual([
      'in_past',
      'date_to',
    ]);
  });

  it('is joined with a warning that names times while some are free', async () => {
    const { people, harness } = scheduling;
    const pool_id = (await harness.call(createPool, { ...BATHS, lanes: 1 }, { principal: school })).id;
    const [instructor, colleague] = [0, 1].map(() => people.instructor({ defaultPoolId: pool_id, poolIds: [pool_id] }));
    const warned = async (minutes: number, dryRun = false) => {
      const range = { date_from: inDays(10), date_to: inDays(10, 10, minutes) };
      const options = { ...asFamily, dryRun };
      const { error, warnings } = await harness.request(joinWaitlist, joinInput(instructor!, range), options);
      return { error, warnings: warnings && JSON.parse(warnings) };
    };
    const free = { start: inDays(10), end: inDays(10, 10, 30), date: inDays(10), duration_minutes: 30 };
    const expected = { error: false, warnings: [{ code: 'time_is_free', suggestions: [free] }] };
    expect(await warned(30, true)).toEqual(expected);
    expect(await warned(30)).toEqual(expected);
    // The one lane of the pool is taken by a colleague.
    await harness.call(makeSession, aSession(colleague!, people.member(), { date: inDays(10) }), asFamily);
    expect(await warned(31)).toEqual({ error: false, warnings: undefined });
  });

  it('expires entries whose requested time has passed', async () => {
    const entry = await join(joinInput(scheduling.people.instructor()));
    const waitlist = scheduling.harness.database('scheduling_test').collection<{ _id: string }>('waitlist');
    await waitlist.updateOne({ _id: entry.id }, { $set: { to: new Date(0), dueAt: new Date(0) } });
    await reaches(entry, 'expired');
  });
});
