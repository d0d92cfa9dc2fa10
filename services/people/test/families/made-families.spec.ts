import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createFamily,
  createMember,
  endConnection,
  eraseAccount,
  eraseMember,
  findActing,
  getConnection,
  getMember,
  type InputOf,
  listConnections,
  listFamilies,
  listMembers,
  type NewFamily,
  newFamily,
  type Principal,
  updateAccount,
  updateConnection,
  updateMember,
} from '@swim/contracts';
import { type AppError, inEnvironment, newId } from '@swim/platform';
import { aPrincipal, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { z } from 'zod';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';
import { OTHERS } from '../lifecycle/erasures.js';

let people: PeopleHarness;
let school: Principal;
beforeAll(async () => {
  people = await startPeople();
  for (const operation of OTHERS) people.harness.serve(operation, () => ({ done: true }));
});
afterAll(() => people?.stop());
beforeEach(async () => {
  school = aPrincipal({ kind: 'school' });
  await openAccounts(people.service, [school]);
});

type Input = InputOf<typeof createFamily>;
const EMAIL = 'parents@example.test';
const KID = { name: 'Kim', date_of_birth: '2017-05-04' };
const make = (overrides: Partial<Input> = {}, options: RequestOptions = {}) => {
  const family = { name: 'The Kims', email: EMAIL, members: [KID, { ...KID, name: 'Kai' }], ...overrides };
  return people.harness.call(createFamily, family, { principal: school, ...options });
};
const acting = async ({ account_id: accountId }: Pick<NewFamily, 'account_id'>, principal = school) =>
  (await people.harness.call(findActing, { accountId }, { principal })).principal;
const connectionsOf = async (principal: Principal) =>
  (await people.harness.call(listConnections, {}, { principal })).items;
const accountOf = async ({ account_id }: Pick<NewFamily, 'account_id'>) =>
  people.harness
    .database('people_test')
    .collection<{ _id: string; state?: string }>('accounts')
    .findOne({ _id: account_id });
const untilErased = (family: Pick<NewFamily, 'account_id'>) =>
  until(async () => (await accountOf(family))?.state !== undefined, 'the account is being erased');
const rejected = (overrides: Partial<Input>, options?: RequestOptions) => rejectionOf(make(overrides, options));

describe('a family that a school makes', () => {
  it('is an account that nobody has claimed, with its members and a connection', async () => {
    const members = [{ ...KID, external_id: 'M-1' }, KID];
    const made = await make({ external_id: 'F-1', locale: 'de', members });
    expect(z.strictObject(newFamily.shape).parse(made)).toMatchObject({
      name: 'The Kims',
      email: EMAIL,
      locale: 'de',
      claimed: false,
      external_id: 'F-1',
      members: [
        { account_id: made.account_id, name: 'Kim', external_id: 'M-1' },
        { account_id: made.account_id, name: 'Kim', external_id: null },
      ],
    });
    expect(made.member_ids).toEqual(made.members.map(({ id }) => id));
    expect(await connectionsOf(school)).toMatchObject([
      {
        id: made.connection_id,
        account_id: made.account_id,
        member_ids: made.member_ids,
        status: 'active',
        origin: 'school',
        external_id: 'F-1',
      },
    ]);
    expect(await accountOf(made)).toMatchObject({ madeBy: school.accountId, currency: 'EUR' });
    const { scopes, ...reader } = school;
    const principal = { ...reader, scopes: scopes.filter((scope) => !scope.startsWith('payments')) };
    const listed = await people.harness.call(listFamilies, {}, { principal });
    expect(listed.items).toMatchObject([{ account_id: made.account_id, claimed: false, member_ids: made.member_ids }]);
    for (const member_id of made.member_ids)
      expect(await people.harness.call(getMember, { member_id }, { principal: school })).toMatchObject({ name: 'Kim' });
  });

  it('is a new one each time, whether or not its address has another account', async () => {
    const other = aPrincipal({ kind: 'school' });
    await openAccounts(people.service, [other]);
    const made = [await make(), await make(), await make({}, { principal: other })];
    expect(new Set(made.map(({ account_id }) => account_id)).size).toBe(3);
    expect(await acting(made[2]!)).toBeNull();
    for (const { email } of made) expect(email).toBe(EMAIL);
  });

  it('is the same for a repeated request', async () => {
    const idempotencyKey = newId('req');
    expect(await make({}, { idempotencyKey })).toEqual(await make({}, { idempotencyKey }));
  });

  it('is not made again by a repeated request once its account is erased: resource_not_found', async () => {
    const idempotencyKey = newId('req');
    const made = await make({}, { idempotencyKey });
    await people.harness.call(endConnection, { connection_id: made.connection_id }, { principal: school });
    const forgotten = async () => (await rejected({}, { idempotencyKey })).reason === 'resource_not_found';
    await until(() => forgotten().catch(() => false), 'the repeated request is rejected');
  });

  it('is not stored in a dry run, which answers as the request would', async () => {
    const made = await make({ external_id: 'F-1' }, { dryRun: true });
    expect(made).toMatchObject({ claimed: false, external_id: 'F-1', members: [{ name: 'Kim' }, { name: 'Kai' }] });
    expect(await connectionsOf(school)).toEqual([]);
    expect(await accountOf(made)).toBeNull();
  });

  it('is for schools: school_only', async () => {
    expect((await rejected({}, { principal: people.family })).reason).toBe('school_only');
  });

  it.each([
    ['not_in_past', { date_of_birth: '2999-01-01' }, 'date_of_birth'],
    ['out_of_range', { date_of_birth: '1800-01-01' }, 'date_of_birth'],
    [
      'invalid_phone',
      { emergency_contact: { name: 'Ann', phone: '+1999', relationship: 'Aunt' } },
      'emergency_contact.phone',
    ],
  ])('names the member and the field of what it rejects: %s', async (reason, wrong, field) => {
    const at = `members.1.${field}`;
    const error = await rejected({ members: [KID, { ...KID, ...wrong }] });
    expect(error).toMatchObject({ reason, details: { field: at, errors: [{ field: at, reason }] } });
    expect(error.message).toContain(at);
    expect(await connectionsOf(school)).toEqual([]);
  });

  it('takes medical notes from a key that may write them: missing_scope', async () => {
    const members = [{ ...KID, medical_notes: 'Asthma' }];
    const principal = { ...school, scopes: ['members:write' as const] };
    expect((await rejected({ members }, { principal })).reason).toBe('missing_scope');
    expect((await make({ members })).members).toMatchObject([{ medical_notes: 'Asthma' }]);
  });

  it('has ids that no other family and member of the school has: already_exists', async () => {
    await make({ external_id: 'F-1', members: [{ ...KID, external_id: 'M-1' }] });
    expect(await rejected({ external_id: 'F-1' })).toMatchObject({
      reason: 'already_exists',
      details: { field: 'external_id' },
    });
    expect(await rejected({ members: [KID, { ...KID, external_id: 'M-1' }] })).toMatchObject({
      reason: 'already_exists',
      details: { field: 'members.1.external_id' },
    });
    school = people.otherSchool;
    expect(await make({ external_id: 'F-1', members: [{ ...KID, external_id: 'M-1' }] })).toBeDefined();
  });

  it('is one of several that are made with an id at once; the others leave nothing', async () => {
    const family = { name: 'The Kims', email: EMAIL, members: [KID, { ...KID, external_id: 'M-1' }] };
    const made = Array.from({ length: 4 }, () =>
      people.harness
        .insist(createFamily, family, { principal: school, idempotencyKey: newId('req') })
        .then(() => 'made')
        .catch(({ reason, details }: AppError) => `${reason}: ${details.field}`),
    );
    const taken = 'already_exists: members.1.external_id';
    expect((await Promise.all(made)).toSorted()).toEqual([taken, taken, taken, 'made']);
    expect(await connectionsOf(school)).toHaveLength(1);
    const accounts = people.harness.database('people_test').collection('accounts');
    await until(
      async () => (await accounts.countDocuments({ madeBy: school.accountId, state: { $exists: false } })) === 1,
      'the other accounts are being erased',
    );
  });
});

it('an account whose making was interrupted, and not repeated, is erased', async () => {
  const { UnclaimedAccounts } = await import('../../src/identity/accounts/unclaimed-accounts.service.js');
  const accounts = people.service.app.get(UnclaimedAccounts, { strict: false });
  const [made, left] = [await make(), { account_id: newId('acct') }];
  const family = { id: left.account_id, name: 'The Kims', email: EMAIL };
  await inEnvironment('test', async () => accounts.open(await accounts.describe(family, school.accountId)));
  expect(await accountOf(made)).not.toHaveProperty('makingDueAt');
  const documents = people.harness.database('people_test').collection<{ _id: string }>('accounts');
  await documents.updateOne({ _id: left.account_id }, { $set: { makingDueAt: new Date(0) } });
  await untilErased(left);
  expect(await acting(made)).not.toBeNull();
});

describe('a school that acts for an account that nobody has claimed', () => {
  it('has its own rights there, as the account', async () => {
    const made = await make();
    const { keyId, scopes } = school;
    const { account_id: accountId } = made;
    const own = { accountId, kind: 'family', keyId, scopes, actingSchoolId: school.accountId };
    expect(await acting(made)).toMatchObject(own);
  });

  it('is that which has made it, and a school: any other principal may not', async () => {
    const made = await make();
    for (const principal of [people.otherSchool, people.family]) expect(await acting(made, principal)).toBeNull();
    for (const { accountId: account_id } of [people.family, people.otherSchool, school])
      expect(await acting({ account_id })).toBeNull();
  });

  it('changes and erases its members', async () => {
    const { member_ids } = await make();
    const [member_id] = member_ids as [string];
    const changes = { name: 'Kimberly', metadata: { size: 'M' } };
    const changed = await people.harness.call(updateMember, { member_id, changes }, { principal: school });
    expect(changed).toMatchObject(changes);
    await people.harness.call(eraseMember, { member_id }, { principal: school });
    expect(await rejectionOf(people.harness.call(getMember, { member_id }, { principal: school }))).toMatchObject({
      reason: 'resource_not_found',
    });
  });

  it('changes its address, to which no mail is sent', async () => {
    const made = await make();
    const principal = (await acting(made))!;
    const input = { account_id: made.account_id, changes: { email: 'other@example.test' } };
    const changed = await people.harness.call(updateAccount, input, { principal });
    expect(changed).toMatchObject({ email: 'other@example.test', pending_email: null });
    expect(await accountOf(made)).toMatchObject({ email: 'other@example.test' });
    expect(await accountOf(made)).not.toHaveProperty('confirmationDueAt');
  });

  it('adds members, whom the connection names', async () => {
    const made = await make();
    const principal = (await acting(made))!;
    const input = { account_id: made.account_id, ...KID };
    await people.harness.call(createMember, input, { principal, dryRun: true });
    const added = await people.harness.call(createMember, input, { principal });
    const { items } = await people.harness.call(listMembers, {}, { principal: school });
    expect(items.map(({ id }) => id).toSorted()).toEqual([...made.member_ids, added.id].toSorted());
    const ofConnection = { connection_id: made.connection_id };
    const { member_ids } = await people.harness.call(getConnection, ofConnection, { principal: school });
    expect(member_ids).toEqual([...made.member_ids, added.id]);
  });

  it('says whom their connection names', async () => {
    const { connection_id, member_ids } = await make();
    const changes = { member_ids: member_ids.slice(1) };
    const changed = await people.harness.call(updateConnection, { connection_id, changes }, { principal: school });
    expect(changed).toMatchObject(changes);
  });
});

describe('the end of the connection', () => {
  it('erases an account that nobody has claimed, and ends what the school may do for it', async () => {
    const made = await make({ external_id: 'F-1', members: [{ ...KID, external_id: 'M-1' }] });
    const { connection_id, member_ids } = made;
    await people.harness.call(endConnection, { connection_id }, { principal: school });
    await untilErased(made);
    expect(await acting(made)).toBeNull();
    const read = people.harness.call(getMember, { member_id: member_ids[0]! }, { principal: school });
    expect((await rejectionOf(read)).reason).toBe('resource_not_found');
  });

  it('by time erases it, too', async () => {
    const made = await make();
    const connections = people.harness.database('people_test').collection<{ _id: string }>('connections');
    await connections.updateOne({ _id: made.connection_id }, { $set: { endsAt: new Date(0) } });
    await untilErased(made);
  });

  it('by the erasure of the school erases it, too', async () => {
    const made = await make();
    await people.harness.call(eraseAccount, { account_id: school.accountId }, { principal: school });
    await untilErased(made);
  });

  const reopening = (connection_id: string) => {
    const changes = { status: 'active' as const };
    return rejectionOf(people.harness.call(updateConnection, { connection_id, changes }, { principal: school }));
  };

  it('cannot be taken back once the account is being erased: invalid_state', async () => {
    const made = await make();
    await people.harness.call(endConnection, { connection_id: made.connection_id }, { principal: school });
    await untilErased(made);
    expect((await reopening(made.connection_id)).reason).toBe('invalid_state');
  });

  it('cannot be taken back before either: invalid_state', async () => {
    const { connection_id } = await make();
    people.stopScheduling();
    // Less than a request may last: it waits for scheduling, but not until its own end.
    await people.harness.call(endConnection, { connection_id }, { principal: school });
    expect((await reopening(connection_id)).reason).toBe('invalid_state');
  });
});
