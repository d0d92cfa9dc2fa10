import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createMember,
  getMember,
  getMemberProgress,
  type InputOf,
  listMembers,
  type Principal,
  updateMember,
} from '@swim/contracts';
import { Deadline, makeRequestContext, newId } from '@swim/platform';
import { aPrincipal, partOf, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { expectMember, type PeopleHarness, startPeople } from '../harness.js';

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
const contact = { name: 'Ana Ruiz', phone: '+1 (415) 555-2671', relationship: 'mother' };
const daysAgo = (days: number) => new Date(people.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);

describe('metadata of a member', () => {
  it('is merged by PATCH, filters lists of its account, and is empty to a school that reads the member', async () => {
    const value = newId('req');
    const first = await people.aMember({ metadata: { crm: value, group: 'a' } });
    const second = await people.aMember({ metadata: { crm: value } });
    expect(first.metadata).toEqual({ crm: value, group: 'a' });
    expect((await update(second.id, { metadata: { group: 'b', none: null } })).metadata).toEqual({
      crm: value,
      group: 'b',
    });
    const found = async (metadata: Record<string, string>, principal = people.family) =>
      (await list({ metadata }, principal)).items.map(({ id }) => id);
    expect(await found({ crm: value })).toEqual([second.id, first.id]);
    expect(await found({ crm: value, group: 'a' })).toEqual([first.id]);
    expect(await found({ crm: 'other' })).toEqual([]);
    await update(first.id, { metadata: { crm: null } });
    expect(await found({ crm: value })).toEqual([second.id]);
    await people.connect(second.id, people.school, people.family);
    const bySchool = await until(() => read(second.id, asSchool).catch(() => null), 'the school reads');
    expect(bySchool.metadata).toEqual({});
    expect(await found({ crm: value }, people.school)).toEqual([]);
    expect(await found({ crm: value }, aPrincipal())).toEqual([]);
  });

  it('of more than 50 keys in all is rejected: too_long', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 'x']));
    const { id } = await people.aMember({ metadata });
    expect(await rejected(update(id, { metadata: { k50: 'x' } }))).toMatchObject({
      reason: 'too_long',
      details: { field: 'metadata' },
    });
  });
});

describe('creating a member', () => {
  it('returns it complete, with the phone in E.164, and reads the same', async () => {
    const given = {
      name: 'Mía',
      date_of_birth: '2016-02-29',
      swimming_level: 'advanced_beginner' as const,
      medical_notes: 'Mild asthma',
      emergency_contact: contact,
    };
    const made = expectMember(await people.aMember(given));
    expect(made).toMatchObject({
      ...given,
      account_id: people.family.accountId,
      emergency_contact: { ...contact, phone: '+14155552671' },
    });
    expect(await read(made.id)).toEqual(made);
    expect((await list()).items[0]).toEqual(made);
  });

  it('requires a name and a date of birth only', async () => {
    expect(expectMember(await people.aMember())).toMatchObject({
      swimming_level: 'beginner',
      medical_notes: null,
      emergency_contact: null,
    });
    expect(await people.aMember({ medical_notes: '', emergency_contact: null })).toMatchObject({
      medical_notes: '',
      emergency_contact: null,
    });
  });

  it('is for the own account, and rejected for another one, whether or not that exists', async () => {
    for (const account_id of [people.otherFamily.accountId, newId('acct')]) {
      expect(await rejected(people.aMember({ account_id }))).toMatchObject({
        reason: 'foreign_account',
        code: 'AUTHORIZATION_ERROR',
      });
    }
  });

  it('rejects impossible dates of birth', async () => {
    const rejection = async (date_of_birth: string) => (await rejected(people.aMember({ date_of_birth }))).details;
    expect(await rejection(daysAgo(-1))).toMatchObject({ reason: 'not_in_past', field: 'date_of_birth' });
    expect(await rejection(daysAgo(0))).toMatchObject({ reason: 'not_in_past' });
    expect(await rejection('1800-01-01')).toMatchObject({ reason: 'out_of_range', field: 'date_of_birth' });
    expect(await rejection('2023-02-29')).toMatchObject({ reason: 'invalid_date' });
    await people.aMember({ date_of_birth: daysAgo(1) });
  });

  it('rejects a contact with a missing part or an impossible phone number', async () => {
    const rejection = async (part: object) =>
      (await rejected(people.aMember({ emergency_contact: part } as Partial<InputOf<typeof createMember>>))).details;
    expect(await rejection({ name: 'Ana', phone: '+14155552671' })).toMatchObject({
      reason: 'incomplete_contact',
      field: 'emergency_contact.relationship',
    });
    expect(await rejection({})).toMatchObject({ reason: 'incomplete_contact', field: 'emergency_contact.name' });
    expect(await rejection({ ...contact, phone: '+1' })).toMatchObject({
      reason: 'invalid_phone',
      field: 'emergency_contact.phone',
    });
    expect(await rejection({ ...contact, phone: '4155552671' })).toMatchObject({
      reason: 'invalid_phone',
      field: 'emergency_contact.phone',
    });
    expect(await rejection({ ...contact, email: 'a@b.co' })).toMatchObject({
      reason: 'unknown_field',
      field: 'emergency_contact.email',
    });
  });

  it('stores nothing in a dry run, not even a key for its secrets', async () => {
    const dry = { ...asOther, dryRun: true };
    const imagined = expectMember(
      await people.aMember(
        { account_id: people.otherFamily.accountId, medical_notes: 'x', emergency_contact: contact },
        dry,
      ),
    );
    expect(imagined).toMatchObject({ medical_notes: 'x', emergency_contact: { phone: '+14155552671' } });
    expect(await rejected(read(imagined.id, asOther))).toMatchObject({ reason: 'resource_not_found' });
    const keys = people.harness.database('people_test').collection<{ _id: string }>('data_keys');
    expect(await keys.findOne({ _id: people.otherFamily.accountId })).toBeNull();
    expect(await rejected(people.aMember({ date_of_birth: daysAgo(0) }, { ...asFamily, dryRun: true }))).toMatchObject({
      reason: 'not_in_past',
    });
  });

  it('creates one under one Idempotency-Key, also when a resumed run finishes the work', async () => {
    const input = {
      account_id: people.family.accountId,
      name: 'Once',
      date_of_birth: '2015-01-01',
      medical_notes: 'secret',
    };
    const retry = () => people.harness.request(createMember, input, { ...asFamily, idempotencyKey: 'one kid' });
    const [first, second] = [await retry(), await retry()];
    expect(Buffer.from(second.body)).toEqual(Buffer.from(first.body));
    const { MembersService } = await import('../../src/people/members/members.service.js');
    const members = partOf(people.service, MembersService);
    const seed = newId('mem');
    const context = makeRequestContext({
      requestId: newId('req'),
      principal: people.family,
      deadline: new Deadline(10_000),
      opId: 'w',
      newId: () => seed,
    });
    const parsed = { ...input, name: 'Taken over', swimming_level: 'beginner' as const };
    expect(await members.create(parsed, context)).toEqual(await members.create(parsed, { ...context, resumed: true }));
    expect((await list({ search: 'taken' })).pagination.total).toBe(1);
  });

  it('encrypts thirty concurrent first members under one key of the account', async () => {
    const principal = people.otherSchool;
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        people.aMember({ account_id: principal.accountId, medical_notes: `notes ${index}` }, { principal }),
      ),
    );
    const { items } = await list({ limit: 100 }, principal);
    expect(new Map(items.map((member) => [member.id, member.medical_notes]))).toEqual(
      new Map(made.map((member) => [member.id, member.medical_notes])),
    );
  });
});

describe('reading members', () => {
  it('is for their own account: for another they do not exist', async () => {
    const { id } = await people.aMember();
    for (const work of [() => read(id, asOther), () => read(id, asSchool), () => read(newId('mem'))]) {
      expect(await rejected(work())).toMatchObject({ reason: 'resource_not_found', code: 'NOT_FOUND' });
    }
    expect(await rejected(read(id, { principal: { ...people.family, env: 'live' } }))).toMatchObject({
      reason: 'resource_not_found',
    });
    expect(await rejected(people.harness.call(getMemberProgress, { member_id: id }, asOther))).toMatchObject({
      reason: 'resource_not_found',
    });
    const foreignList = people.harness.call(listMembers, { account_id: people.family.accountId }, asOther);
    expect(await rejected(foreignList)).toMatchObject({ reason: 'foreign_account', code: 'AUTHORIZATION_ERROR' });
    expect((await list({}, people.otherFamily)).items).toEqual([]);
  });

  it('returns medical notes only with the scope members:medical', async () => {
    const { id } = await people.aMember({ medical_notes: 'Epilepsy', emergency_contact: contact });
    const blind = without(people.family, 'members:medical');
    expect(await read(id)).toMatchObject({ medical_notes: 'Epilepsy' });
    expect(await read(id, blind)).toMatchObject({ medical_notes: null, emergency_contact: { name: 'Ana Ruiz' } });
    expect((await list({}, blind.principal!)).items.every((member) => member.medical_notes === null)).toBe(true);
    expect(await update(id, { name: 'Kim' }, blind)).toMatchObject({ name: 'Kim', medical_notes: null });
  });

  it('lists newest first, by the beginning of any word of the name and by level', async () => {
    const names = async (query: Partial<InputOf<typeof listMembers>>) =>
      (await list(query)).items.map(({ name }) => name);
    await people.aMember({ name: 'Zoë Filter' });
    await people.aMember({ name: 'Max Zoefilter', swimming_level: 'advanced' });
    expect(await names({ search: 'zoe' })).toEqual(['Max Zoefilter', 'Zoë Filter']);
    expect(await names({ search: 'FILT' })).toEqual(['Zoë Filter']);
    expect(await names({ search: 'zoe', swimming_level: 'advanced' })).toEqual(['Max Zoefilter']);
    await people.aMember({ name: 'Q.*[x](a+)+$ Pattern' });
    expect(await names({ search: 'q.*[X](a+)+$' })).toEqual(['Q.*[x](a+)+$ Pattern']);
    for (const search of ['.*', 'z.', '^z', '[z]', 'zo|filt', '\\w']) expect(await names({ search })).toEqual([]);
    const first = await list({ search: 'zoe', limit: 1 });
    expect(first.pagination).toMatchObject({ has_more: true, total: 2 });
    expect(await names({ search: 'zoe', cursor: first.pagination.next_cursor! })).toEqual(['Zoë Filter']);
    expect(await rejected(list({ cursor: first.pagination.next_cursor! }))).toMatchObject({ reason: 'invalid_cursor' });
  });
});
