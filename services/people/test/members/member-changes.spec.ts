import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getMember, getMemberProgress, type InputOf, listMembers, type Principal, updateMember } from '@swim/contracts';
import { Deadline, makeRequestContext, newId } from '@swim/platform';
import { partOf, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { expectMember, type PeopleHarness, startPeople, withRival } from '../harness.js';

let people: PeopleHarness;
let asFamily: RequestOptions;
let asOther: RequestOptions;
let asSchool: RequestOptions;
beforeAll(async () => {
  people = await startPeople();
  asFamily = { principal: people.family };
  asOther = { principal: people.otherFamily };
  asSchool = { principal: people.school };
});
afterAll(() => people?.stop());

const rejected = (work: Promise<unknown>) => rejectionOf(work);
const read = (id: string, options = asFamily) => people.harness.call(getMember, { member_id: id }, options);
const update = (id: string, changes: InputOf<typeof updateMember>['changes'], options = asFamily) =>
  people.harness.call(updateMember, { member_id: id, changes }, options);
const list = (query: Partial<InputOf<typeof listMembers>> = {}, principal = people.family) =>
  people.harness.call(listMembers, { account_id: principal.accountId, ...query }, { principal });
const without = (principal: Principal, scope: string): RequestOptions => ({
  principal: { ...principal, scopes: principal.scopes.filter((one) => one !== scope) },
});
const reads = (id: string, options: RequestOptions) =>
  read(id, options).then(
    () => true,
    () => false,
  );
const contact = { name: 'Ana Ruiz', phone: '+1 (415) 555-2671', relationship: 'mother' };
const daysAgo = (days: number) => new Date(people.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);

describe('medical notes, to a key without members:medical', () => {
  const body = { name: 'Lea', date_of_birth: '2017-05-04' };
  it.each([false, true])(
    'are neither written nor compared with a guess (dry run: %s): missing_scope',
    async (dryRun) => {
      const { id } = await people.aMember({ medical_notes: 'Asthma' });
      const blind = { ...without(people.family, 'members:medical'), dryRun };
      const work = [
        ...['Asthma', 'None', null].map((medical_notes) => update(id, { medical_notes, name: 'Kim' }, blind)),
        // A rejected request does not reveal either whether the member exists.
        update(newId('mem'), { medical_notes: 'x' }, blind),
        people.aMember({ ...body, medical_notes: 'Asthma' }, blind),
        people.aMember({ ...body, medical_notes: null }, blind),
      ];
      for (const error of await Promise.all(work.map(rejected)))
        expect(error).toMatchObject({ reason: 'missing_scope', details: { scope: 'members:medical' } });
      expect(await read(id)).toMatchObject({ medical_notes: 'Asthma' });
      expect(await people.aMember(body, blind)).toMatchObject({ name: 'Lea', medical_notes: null });
    },
  );
});

describe('changing a member', () => {
  it('changes the given fields and keeps the rest', async () => {
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

  it('publishes one event per PATCH to readers, without personal data, and nothing when no value differs', async () => {
    const made = await people.aMember({
      name: 'Canary Child',
      date_of_birth: '2011-11-11',
      medical_notes: 'canary notes',
      emergency_contact: contact,
    });
    await update(made.id, { medical_notes: 'canary notes', name: 'Canary Child', emergency_contact: contact });
    expect(await update(made.id, { metadata: { team: null } })).toEqual(made);
    await update(
      made.id,
      { medical_notes: 'canary two', swimming_level: 'advanced' },
      { ...asFamily, requestId: 'req-of-mine' },
    );
    const [created, updated] = [await people.eventOf(made.id, 1), await people.eventOf(made.id, 2)];
    expect(created).toMatchObject({ type: 'member.created', audience: [people.family.accountId] });
    expect(created.object).toEqual({
      object: 'member',
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
    expect(JSON.stringify([created, updated])).not.toMatch(/canary|Ana Ruiz|4155552671|555-2671|2011-11-11/i);
  });

  it('rejects the input that creating rejects', async () => {
    const { id } = await people.aMember();
    expect(await rejected(update(id, { date_of_birth: daysAgo(0) }))).toMatchObject({ reason: 'not_in_past' });
    expect(await rejected(update(id, { date_of_birth: '1890-01-01' }))).toMatchObject({ reason: 'out_of_range' });
    expect(await rejected(update(id, { emergency_contact: { ...contact, phone: '+123' } }))).toMatchObject({
      reason: 'invalid_phone',
    });
    expect(await rejected(update(newId('mem'), { name: 'x' }))).toMatchObject({ reason: 'resource_not_found' });
    expect(await rejected(update(id, { name: 'x' }, asOther))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('is rejected with a conflict, and changes nothing, after repeated concurrent changes', async () => {
    const { MembersRepository } = await import('../../src/people/members/members.repository.js');
    const made = await people.aMember();
    const collection = people.harness.database('people_test').collection<{ _id: string }>('members');
    const repository = partOf(people.service, MembersRepository);
    const error = await rejected(withRival(repository, collection, () => update(made.id, { medical_notes: 'x' })));
    expect(error).toMatchObject({ reason: 'change_in_progress', code: 'CONFLICT' });
    expect(await read(made.id)).toEqual(made);
  });

  it('stores nothing in a dry run', async () => {
    const made = await people.aMember({ medical_notes: 'a' });
    expect(
      await update(made.id, { medical_notes: 'b', swimming_level: 'advanced' }, { ...asFamily, dryRun: true }),
    ).toMatchObject({ medical_notes: 'b', swimming_level: 'advanced' });
    expect(await read(made.id)).toEqual(made);
  });

  it('returns the first run’s answer to a resumed run, after later changes too', async () => {
    const { MembersService } = await import('../../src/people/members/members.service.js');
    const members = partOf(people.service, MembersService);
    const { id } = await people.aMember();
    const context = makeRequestContext({
      requestId: newId('req'),
      principal: people.family,
      deadline: new Deadline(10_000),
      opId: 'the work',
      resumed: true,
    });
    const first = await members.update({ member_id: id, changes: { medical_notes: 'mine' } }, context);
    await update(id, { medical_notes: 'theirs' });
    expect(await members.update({ member_id: id, changes: { medical_notes: 'mine' } }, context)).toEqual(first);
    expect((await read(id)).medical_notes).toBe('theirs');
  });
});

describe('a school that has a session with a member', () => {
  it('reads the member and its progress from then on, may book it, gets its events, and may not change it', async () => {
    const { id } = await people.aMember({ medical_notes: 'Asthma' });
    await people.connect(id, people.school, people.family);
    await people.connect(id, people.school, people.family);
    await until(() => reads(id, asSchool), 'the school reads the member');
    expect(await read(id, asSchool)).toMatchObject({ id, medical_notes: 'Asthma' });
    expect(await read(id, without(people.school, 'members:medical'))).toMatchObject({ medical_notes: null });
    expect(await people.harness.call(getMemberProgress, { member_id: id }, asSchool)).toMatchObject({ member_id: id });
    expect(await rejected(update(id, { name: 'x' }, asSchool))).toMatchObject({
      reason: 'foreign_account',
      code: 'AUTHORIZATION_ERROR',
    });
    expect((await list({}, people.school)).items).toEqual([await read(id, { principal: people.school })]);
    expect(await rejected(read(id, { principal: people.otherSchool }))).toMatchObject({ reason: 'resource_not_found' });
    await update(id, { swimming_level: 'advanced' });
    expect((await people.eventOf(id, 2)).audience).toEqual([people.family.accountId, people.school.accountId]);
  });
});
