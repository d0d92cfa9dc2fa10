import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getMember, getMemberProgress, type InputOf, listMembers, type Principal, updateMember } from '@swim/contracts';
import { makeCall } from '@swim/messaging';
import { Deadline, newId } from '@swim/platform';
import { type Caller, refusalOfCall, until } from '@swim/testing';
import { expectMember, type PeopleParts, startPeople, withRival } from './people-parts.js';

let people: PeopleParts;
let asFamily: Caller;
let asOther: Caller;
let asSchool: Caller;
beforeAll(async () => {
  people = await startPeople();
  asFamily = { principal: people.family };
  asOther = { principal: people.otherFamily };
  asSchool = { principal: people.school };
});
afterAll(() => people?.stop());

const refused = (work: Promise<unknown>) => refusalOfCall(work);
const read = (id: string, caller = asFamily) => people.parts.call(getMember, { member_id: id }, caller);
const update = (id: string, changes: InputOf<typeof updateMember>['changes'], caller = asFamily) =>
  people.parts.call(updateMember, { member_id: id, changes }, caller);
const list = (query: Partial<InputOf<typeof listMembers>> = {}, principal = people.family) =>
  people.parts.call(listMembers, { account_id: principal.accountId, ...query }, { principal });
const without = (principal: Principal, scope: string): Caller => ({
  principal: { ...principal, scopes: principal.scopes.filter((one) => one !== scope) },
});
const reads = (id: string, caller: Caller) =>
  read(id, caller).then(
    () => true,
    () => false,
  );
const contact = { name: 'Ana Ruiz', phone: '+1 (415) 555-2671', relationship: 'mother' };
const daysAgo = (days: number) => new Date(people.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);

describe('changing a member', () => {
  it('changes what is named and leaves the rest', async () => {
    const made = await people.aMember({ medical_notes: 'Asthma', emergency_contact: contact });
    const changed = expectMember(
      await update(made.id, { medical_notes: 'Asthma, inhaler in the bag', swimming_level: 'intermediate' }),
    );
    expect(changed).toEqual({
      ...made,
      medical_notes: 'Asthma, inhaler in the bag',
      swimming_level: 'intermediate',
      updated_at: changed.updated_at,
    });
    expect(await read(made.id)).toEqual(changed);
    expect(
      await update(made.id, { emergency_contact: null, name: 'Renamed Entirely', date_of_birth: '2015-02-03' }),
    ).toMatchObject({
      emergency_contact: null,
      name: 'Renamed Entirely',
      date_of_birth: '2015-02-03',
      medical_notes: 'Asthma, inhaler in the bag',
    });
    expect((await list({ search: 'entirely' })).items).toHaveLength(1);
    expect(await update(made.id, { medical_notes: null })).toMatchObject({ medical_notes: null });
  });

  it('tells readers once for each PATCH, without anything personal, and nothing when nothing changed', async () => {
    const made = await people.aMember({
      name: 'Canary Child',
      date_of_birth: '2011-11-11',
      medical_notes: 'canary notes',
      emergency_contact: contact,
    });
    await update(made.id, { medical_notes: 'canary notes', name: 'Canary Child', emergency_contact: contact });
    await update(
      made.id,
      { medical_notes: 'canary two', swimming_level: 'advanced' },
      { ...asFamily, requestId: 'req-of-mine' },
    );
    const [created, updated] = [await people.eventOf(made.id, 1), await people.eventOf(made.id, 2)];
    expect(created).toMatchObject({ type: 'member.created', audience: [people.family.accountId] });
    expect(created.object).toEqual({
      id: made.id,
      account_id: people.family.accountId,
      swimming_level: 'beginner',
      created_at: made.created_at,
      updated_at: made.updated_at,
    });
    expect(updated).toMatchObject({
      type: 'member.updated',
      object: { swimming_level: 'advanced' },
      previous: { swimming_level: 'beginner' },
      cause: { requestId: 'req-of-mine' },
    });
    expect(JSON.stringify([created, updated])).not.toMatch(/canary|Ana Ruiz|415|2011-11-11/i);
  });

  it('refuses what creating refuses', async () => {
    const { id } = await people.aMember();
    expect(await refused(update(id, { date_of_birth: daysAgo(0) }))).toMatchObject({ reason: 'not_in_past' });
    expect(await refused(update(id, { date_of_birth: '1890-01-01' }))).toMatchObject({ reason: 'out_of_range' });
    expect(await refused(update(id, { emergency_contact: { ...contact, phone: '+123' } }))).toMatchObject({
      reason: 'invalid_phone',
    });
    expect(await refused(update(newId('mem'), { name: 'x' }))).toMatchObject({ reason: 'resource_not_found' });
    expect(await refused(update(id, { name: 'x' }, asOther))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('gives up with a conflict, and changes nothing, when others keep coming between', async () => {
    const { MembersRepository } = await import('../src/members/members.repository.js');
    const made = await people.aMember();
    const collection = people.parts.database('people_test').collection<{ _id: string }>('members');
    const repository = people.service.app.get(MembersRepository, { strict: false });
    const error = await refused(withRival(repository, collection, () => update(made.id, { medical_notes: 'x' })));
    expect(error).toMatchObject({ reason: 'change_in_progress', code: 'CONFLICT' });
    expect(await read(made.id)).toEqual(made);
  });

  it('keeps nothing of a dry run', async () => {
    const made = await people.aMember({ medical_notes: 'a' });
    expect(
      await update(made.id, { medical_notes: 'b', swimming_level: 'advanced' }, { ...asFamily, dryRun: true }),
    ).toMatchObject({ medical_notes: 'b', swimming_level: 'advanced' });
    expect(await read(made.id)).toEqual(made);
  });

  it('answers a take-over what the first run answered, though it was changed since', async () => {
    const { MembersService } = await import('../src/members/members.service.js');
    const members = people.service.app.get(MembersService, { strict: false });
    const { id } = await people.aMember();
    const call = makeCall({
      requestId: newId('req'),
      principal: people.family,
      deadline: new Deadline(10_000),
      opId: 'the work',
      retaken: true,
    });
    const first = await members.update({ member_id: id, changes: { medical_notes: 'mine' } }, call);
    await update(id, { medical_notes: 'theirs' });
    expect(await members.update({ member_id: id, changes: { medical_notes: 'mine' } }, call)).toEqual(first);
    expect((await read(id)).medical_notes).toBe('theirs');
  });
});

describe('a school that has a session with a member', () => {
  it('reads the member and its progress from then on, uses it, hears of its changes, and may not change it', async () => {
    const { id } = await people.aMember({ medical_notes: 'Asthma' });
    await people.tellOfSession(id, people.school, people.family);
    await people.tellOfSession(id, people.school, people.family);
    await until(() => reads(id, asSchool), 'the school reads the member');
    expect(await read(id, asSchool)).toMatchObject({ id, medical_notes: 'Asthma' });
    expect(await read(id, without(people.school, 'members:medical'))).toMatchObject({ medical_notes: null });
    expect(await people.parts.call(getMemberProgress, { member_id: id }, asSchool)).toMatchObject({ member_id: id });
    expect(await refused(update(id, { name: 'x' }, asSchool))).toMatchObject({
      reason: 'foreign_account',
      code: 'AUTHORIZATION_ERROR',
    });
    expect((await list({}, people.school)).items).toEqual([]);
    expect(await refused(read(id, { principal: people.otherSchool }))).toMatchObject({ reason: 'resource_not_found' });
    await update(id, { swimming_level: 'advanced' });
    expect((await people.eventOf(id, 2)).audience).toEqual([people.family.accountId, people.school.accountId]);
  });
});
