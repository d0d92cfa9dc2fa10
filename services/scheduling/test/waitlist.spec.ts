import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InputOf, joinWaitlist, listWaitlist } from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, inDays, refusalOfCall } from '@swim/testing';
import { aPlace, lineOf } from './line.js';
import { asFamily, family, type SchedulingParts, school, startScheduling, withKey } from './scheduling-parts.js';

let scheduling: SchedulingParts;
const others = aPrincipal();
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

type Wanted = InputOf<typeof joinWaitlist>;

const wantedOf = (instructor_id: string, overrides: Partial<Wanted> = {}) =>
  aPlace(scheduling.people, instructor_id, overrides);
const { join, read, leave, reaches } = lineOf(() => scheduling.parts);

describe('the line', () => {
  it('is joined, read, listed and left by who may see the member', async () => {
    const instructor = scheduling.people.instructor();
    const wanted = wantedOf(instructor);
    const entry = await join(wanted);
    expect(entry).toMatchObject({ ...wanted, account_id: family.accountId, status: 'waiting', offer: null });
    expect(await read(entry.id, { principal: school })).toEqual(entry);
    const list = (query: object, principal = family) => scheduling.parts.call(listWaitlist, query, { principal });
    const second = await join(wantedOf(instructor));
    expect((await list({ instructor_id: instructor })).items.map(({ id }) => id)).toEqual([second.id, entry.id]);
    expect((await list({ instructor_id: instructor, member_id: wanted.member_id })).items).toEqual([entry]);
    expect((await list({ instructor_id: instructor, status: 'offered' })).pagination.total).toBe(0);
    expect((await list({ instructor_id: instructor }, others)).pagination.total).toBe(0);
    expect(await refusalOfCall(read(entry.id, { principal: others }))).toMatchObject({ reason: 'resource_not_found' });
    expect(await refusalOfCall(leave(entry.id, { principal: others }))).toMatchObject({ reason: 'resource_not_found' });
    await leave(entry.id);
    expect(await refusalOfCall(read(entry.id))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('has a member once for the same time, and again once that has left', async () => {
    const wanted = wantedOf(scheduling.people.instructor());
    const entry = await join(wanted, withKey('wait-1'));
    expect(await join(wanted, withKey('wait-1'))).toEqual(entry);
    expect(await refusalOfCall(join(wanted))).toMatchObject({ code: 'CONFLICT', reason: 'already_exists' });
    const dry = { ...asFamily, dryRun: true };
    expect(await refusalOfCall(join(wanted, dry))).toMatchObject({ reason: 'already_exists' });
    await leave(entry.id);
    expect(await join(wanted, dry)).toMatchObject({ status: 'waiting' });
    expect((await join(wanted)).id).not.toBe(entry.id);
  });

  it('is refused to whom the instructor cannot teach, for the past and for years', async () => {
    const { people } = scheduling;
    const instructor = people.instructor();
    const refused = async (overrides: Partial<Wanted>, principal = family) => {
      const { reason, details } = await refusalOfCall(join(wantedOf(instructor, overrides), { principal }));
      return [reason, details.field];
    };
    expect(await refused({ instructor_id: newId('ins') })).toEqual(['not_found', 'instructor_id']);
    expect(await refused({ instructor_id: people.instructor({ status: 'inactive' }) })).toEqual([
      'inactive_instructor',
      'instructor_id',
    ]);
    expect(await refused({ member_id: newId('mem') })).toEqual(['not_found', 'member_id']);
    expect(await refused({ date_to: inDays(10, 0) })).toEqual(['range_reversed', 'date_to']);
    expect(await refused({ date_to: inDays(400) })).toEqual(['range_too_long', 'date_to']);
    expect(await refused({ date_from: '2020-01-01T00:00:00Z', date_to: '2020-01-02T00:00:00Z' })).toEqual([
      'in_past',
      'date_to',
    ]);
  });

  it('ends for who has waited in vain', async () => {
    const entry = await join(wantedOf(scheduling.people.instructor()));
    const waitlist = scheduling.parts.database('scheduling_test').collection<{ _id: string }>('waitlist');
    await waitlist.updateOne({ _id: entry.id }, { $set: { dueAt: new Date(0) } });
    await reaches(entry, 'expired');
  });
});
