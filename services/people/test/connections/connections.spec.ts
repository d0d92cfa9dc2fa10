import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  connection,
  createConnection,
  createFamily,
  endConnection,
  eraseMember,
  findConnection,
  getConnection,
  type InputOf,
  listConnections,
  type Principal,
  updateConnection,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { z } from 'zod';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';

let people: PeopleHarness;
let [family, school]: [Principal, Principal] = [aPrincipal(), aPrincipal({ kind: 'school' })];
beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people?.stop());
beforeEach(async () => {
  [family, school] = [aPrincipal(), aPrincipal({ kind: 'school' })];
  await openAccounts(people.service, [family, school]);
});

const by = (principal: Principal, options: RequestOptions = {}) => ({ ...options, principal });
const aMember = async () => (await people.aMember({ account_id: family.accountId }, { principal: family })).id;
const connect = (member_ids: string[], options: RequestOptions = {}) =>
  people.harness.call(createConnection, { school_id: school.accountId, member_ids }, by(family, options));
const end = (connection_id: string, principal: Principal) =>
  people.harness.call(endConnection, { connection_id }, by(principal));
type Changes = InputOf<typeof updateConnection>['changes'];
const change = (connection_id: string, changes: Changes, principal: Principal) =>
  people.harness.call(updateConnection, { connection_id, changes }, by(principal));
const read = (connection_id: string, principal: Principal) =>
  people.harness.call(getConnection, { connection_id }, by(principal));
const found = async () => {
  const pair = { schoolId: school.accountId, accountId: family.accountId };
  return (await people.harness.call(findConnection, pair, by(school))).connection;
};
const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;

describe('a connection made by the family', () => {
  it('can be read by the family and the school alone, and both get its event', async () => {
    const member = await aMember();
    const made = await connect([member]);
    expect(z.strictObject(connection.shape).parse(made)).toMatchObject({
      school_id: school.accountId,
      account_id: family.accountId,
      member_ids: [member],
      status: 'active',
      origin: 'family',
      external_id: null,
      ended_at: null,
      ended_by: null,
    });
    for (const side of [family, school]) expect(await read(made.id, side)).toEqual(made);
    expect(await reasonOf(read(made.id, people.otherSchool))).toBe('resource_not_found');
    const { type, audience, object } = await people.eventOf(made.id, 1);
    expect([type, audience.toSorted()]).toEqual([
      'connection.created',
      [school.accountId, family.accountId].toSorted(),
    ]);
    expect(object).toEqual({ object: 'connection', ...made });
  });

  it('exists once for the family and the school: connecting again adds further members to it', async () => {
    const [first, second] = [await aMember(), await aMember()];
    const made = await connect([first]);
    expect(await connect([second])).toMatchObject({ id: made.id, member_ids: [first, second] });
    const both = await Promise.all([connect([first]), connect([second])]);
    expect(new Set(both.map(({ id }) => id))).toEqual(new Set([made.id]));
    expect(await found()).toEqual({ id: made.id, memberIds: [first, second], generation: 1 });
  });

  it('is made once when several requests ask for it at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, aMember));
    const made = await Promise.all(ids.map((id) => connect([id])));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect((await found())?.memberIds.toSorted()).toEqual(ids.toSorted());
  });

  it('is not stored in a dry run', async () => {
    const member = await aMember();
    expect(await connect([member], { dryRun: true })).toMatchObject({ member_ids: [member], status: 'active' });
    expect(await found()).toBeNull();
  });

  it('is rejected with not_found where the account is no school or a member belongs to another account', async () => {
    const member = await aMember();
    const stranger = (await people.aMember()).id;
    for (const school_id of [people.otherFamily.accountId, family.accountId, newId('acct')])
      expect(
        await rejectionOf(people.harness.call(createConnection, { school_id, member_ids: [member] }, by(family))),
      ).toMatchObject({ reason: 'not_found', details: { field: 'school_id' } });
    expect(await rejectionOf(connect([member, stranger]))).toMatchObject({
      reason: 'not_found',
      details: { field: 'member_ids.1' },
    });
  });

  it('no longer names a member that is erased', async () => {
    const [first, second] = [await aMember(), await aMember()];
    const { id } = await connect([first, second]);
    await people.harness.call(eraseMember, { member_id: first }, by(family));
    await until(async () => (await read(id, school)).member_ids.join() === second, 'the member is left out');
  });
});

describe('the end of a connection', () => {
  it('by either side sends both an event, and ending it again returns the same answer', async () => {
    for (const [side, ended_by] of [
      [family, 'family'],
      [school, 'school'],
    ] as const) {
      family = aPrincipal();
      await openAccounts(people.service, [family]);
      const { id } = await connect([await aMember()]);
      const ended = await end(id, side === school ? school : family);
      expect(ended).toMatchObject({ status: 'ended', ended_by, ended_at: expect.any(String) });
      expect(await end(id, school)).toEqual(ended);
      const event = await people.eventOf(id, 2);
      expect([event.type, event.audience]).toEqual(['connection.ended', [school.accountId, family.accountId]]);
      expect(await found()).toBeNull();
    }
  });

  it('is rejected with resource_not_found for an account that is no part of it', async () => {
    const { id } = await connect([await aMember()]);
    expect(await reasonOf(end(id, people.otherSchool))).toBe('resource_not_found');
    expect(await reasonOf(end(newId('con'), school))).toBe('resource_not_found');
  });

  it('by the family lets it connect again, with the members alone that it names then', async () => {
    const [first, second] = [await aMember(), await aMember()];
    const { id } = await connect([first]);
    await end(id, family);
    expect(await connect([second])).toMatchObject({ id, status: 'active', member_ids: [second], ended_by: null });
    expect((await people.eventOf(id, 3)).type).toBe('connection.created');
  });

  it('by the school has the family rejected with connection_ended until the school reopens it', async () => {
    const member = await aMember();
    const { id } = await connect([member]);
    await end(id, school);
    expect(await reasonOf(connect([member]))).toBe('connection_ended');
    expect(await reasonOf(change(id, { status: 'active' }, family))).toBe('school_only');
    expect(await change(id, { status: 'active' }, school)).toMatchObject({ status: 'active', member_ids: [member] });
    expect((await people.eventOf(id, 3)).type).toBe('connection.created');
    await end(id, family);
    expect(await reasonOf(change(id, { status: 'active' }, school))).toBe('invalid_state');
  });
});

describe('a change of a connection', () => {
  it('by the family replaces the members that it names', async () => {
    const [first, second] = [await aMember(), await aMember()];
    const { id } = await connect([first]);
    expect(await change(id, { member_ids: [second] }, family)).toMatchObject({ member_ids: [second] });
    expect(await found()).toMatchObject({ generation: 2 });
    expect(await reasonOf(change(id, { member_ids: [first] }, school))).toBe('foreign_account');
    expect(await reasonOf(change(id, { member_ids: [(await people.aMember()).id] }, family))).toBe('not_found');
    await end(id, family);
    const { updated_at } = await read(id, family);
    expect(await reasonOf(change(id, { member_ids: [first] }, family))).toBe('invalid_state');
    await connect([first]);
    expect(Math.abs(Date.parse((await found())!.lastEndedAt!) - Date.parse(updated_at))).toBeLessThan(1_000);
  });

  it('is accepted from either side when it sends the values that the connection has', async () => {
    const made = await connect([await aMember()]);
    const { member_ids, external_id } = made;
    for (const side of [family, school])
      expect(await change(made.id, { member_ids, status: 'active', external_id }, side)).toEqual(made);
  });

  it('by the school gives the family an external id, which no other family of the school may have', async () => {
    const { id } = await connect([await aMember()]);
    const external_id = newId('req');
    expect(await change(id, { external_id }, school)).toMatchObject({ external_id });
    expect(await reasonOf(change(id, { external_id: 'another' }, family))).toBe('school_only');
    family = aPrincipal();
    await openAccounts(people.service, [family]);
    const other = await connect([await aMember()]);
    expect(await reasonOf(change(other.id, { external_id }, school))).toBe('already_exists');
    expect(await change(id, { external_id: null }, school)).toMatchObject({ external_id: null });
    expect(await change(other.id, { external_id }, school)).toMatchObject({ external_id });
  });
});

it('the list of connections shows those of the requesting account, filtered by status, account, school, member or id', async () => {
  const member = await aMember();
  const { id } = await connect([member]);
  const list = async (query: InputOf<typeof listConnections>, principal: Principal) =>
    (await people.harness.call(listConnections, query, by(principal))).items.map((each) => each.id);
  for (const side of [family, school]) expect(await list({}, side)).toEqual([id]);
  for (const query of [
    { status: 'active' },
    { account_id: family.accountId },
    { school_id: school.accountId },
    { member_id: member },
    { ids: id },
  ])
    expect(await list(query, school)).toEqual([id]);
  for (const query of [{ status: 'ended' }, { account_id: school.accountId }, { member_id: newId('mem') }])
    expect(await list(query, school)).toEqual([]);
  expect(await list({}, people.otherSchool)).toEqual([]);
});

describe('a school that acts for a family that nobody has claimed', () => {
  it('connects the family with another school, and reads, changes and ends that connection', async () => {
    const kids = ['Kim', 'Kai'].map((name) => ({ name, date_of_birth: '2017-05-04' }));
    const fields = { name: 'The Kims', email: 'kims@example.test', members: kids };
    const { account_id, member_ids } = await people.harness.call(createFamily, fields, by(school));
    const other = people.otherSchool;
    const input = { school_id: other.accountId, member_ids };
    const made = await people.harness.call(createConnection, input, by(school));
    expect(made).toMatchObject({ school_id: other.accountId, account_id, member_ids, origin: 'family' });
    const [connection_id, changes] = [made.id, { member_ids: member_ids.slice(1) }];
    expect(await people.harness.call(getConnection, { connection_id }, by(school))).toMatchObject({ account_id });
    const { items } = await people.harness.call(listConnections, { account_id }, by(school));
    expect(items.map((each) => each.school_id)).toEqual([other.accountId, school.accountId]);
    const changed = await people.harness.call(updateConnection, { connection_id, changes }, by(school));
    expect(changed).toMatchObject(changes);
    const named = { connection_id, changes: { external_id: 'F-9' } };
    const ofSchool = people.harness.call(updateConnection, named, by(school));
    expect((await rejectionOf(ofSchool)).reason).toBe('school_only');
    const ended = await people.harness.call(endConnection, { connection_id }, by(school));
    expect(ended).toMatchObject({ status: 'ended', ended_by: 'family' });
    const acting = people.harness.call(getConnection, { connection_id }, by(aPrincipal({ kind: 'school' })));
    expect((await rejectionOf(acting)).reason).toBe('resource_not_found');
  });
});
