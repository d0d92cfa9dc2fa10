import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  assessMember,
  cancelUnconnected,
  connectBooked,
  createConnection,
  describeParticipants,
  endConnection,
  eraseMember,
  getMember,
  getMemberProgress,
  listConnections,
  type Principal,
  updateConnection,
  updateMember,
} from '@swim/contracts';
import { aPrincipal, partOf, until } from '@swim/testing';
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

const by = (principal: Principal) => ({ principal });
// Longer than a busy machine needs for 64 at the same time.
const patient = (principal: Principal) => ({ principal, budgetMs: 60_000 });
const aMember = async () => (await people.aMember({ account_id: family.accountId }, patient(family))).id;
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'reads',
    (error: { reason: string }) => error.reason,
  );
const readBy = (member_id: string, principal: Principal) =>
  outcome(people.harness.call(getMember, { member_id }, by(principal)));
const book = (memberIds: string[], generation: number) =>
  people.harness.call(
    connectBooked,
    { schoolId: school.accountId, accountId: family.accountId, memberIds, generation },
    patient(family),
  );
const connection = async () => (await people.harness.call(listConnections, {}, by(family))).items[0]!;
const end = async (principal: Principal) =>
  people.harness.call(endConnection, { connection_id: (await connection()).id }, by(principal));
const describeFor = async (memberIds: string[], principal: Principal) => {
  const instructorId = (await people.anInstructor({}, by(school))).id;
  return people.harness.call(describeParticipants, { instructorId, memberIds }, by(principal));
};

describe('a school', () => {
  it('reads, assesses and books a member, and gets the events of that member, exactly while an active connection names it', async () => {
    const member_id = await aMember();
    const skills = [{ code: 'l1_bobbing', status: 'introduced' as const }];
    const outcomes = async () => [
      await readBy(member_id, school),
      await outcome(people.harness.call(getMemberProgress, { member_id }, by(school))),
      await outcome(people.harness.call(assessMember, { member_id, skills }, by(school))),
      (await describeFor([member_id], school)).members[0] === null,
    ];
    const nothing = ['resource_not_found', 'resource_not_found', 'resource_not_found', true];
    expect(await outcomes()).toEqual(nothing);
    await people.connect(member_id, school, family);
    expect(await outcomes()).toEqual(['reads', 'reads', 'reads', false]);
    expect((await people.eventOf(member_id, 2)).audience).toEqual([family.accountId, school.accountId]);
    expect(await readBy(member_id, people.otherSchool)).toBe('resource_not_found');
    await end(family);
    expect(await outcomes()).toEqual(nothing);
    await people.harness.call(updateMember, { member_id, changes: { name: 'Kim' } }, by(family));
    expect((await people.eventOf(member_id, 3)).audience).toEqual([family.accountId]);
  });

  it('gets the event of the erasure of a member that it once could read', async () => {
    const member_id = await aMember();
    await people.connect(member_id, school, family);
    await end(school);
    await people.harness.call(eraseMember, { member_id }, by(family));
    expect((await people.eventOf(member_id, 2)).audience).toEqual([family.accountId, school.accountId]);
  });

  it('can no longer read a member that the family leaves out of the connection, until it is named again', async () => {
    const [stays, leaves] = [await aMember(), await aMember()];
    await people.connect(stays, school, family);
    const { id: connection_id } = await people.connect(leaves, school, family);
    const name = (member_ids: string[]) =>
      people.harness.call(updateConnection, { connection_id, changes: { member_ids } }, by(family));
    await name([stays]);
    expect([await readBy(stays, school), await readBy(leaves, school)]).toEqual(['reads', 'resource_not_found']);
    expect(people.unconnected.at(-1)).toMatchObject({ end: null, left: [{ memberId: leaves, generation: 2 }] });
    await name([stays, leaves]);
    expect(await readBy(leaves, school)).toBe('reads');
    const changes = { member_ids: [stays], notify_participants: false };
    await people.harness.call(updateConnection, { connection_id, changes }, by(family));
    expect(people.unconnected.at(-1)).toMatchObject({ left: [{ memberId: leaves, generation: 3, isQuiet: true }] });
  });
});

describe('a booking', () => {
  it('connects the family with the school, or adds the members to a connection that exists', async () => {
    const [first, second] = [await aMember(), await aMember()];
    expect((await describeFor([first], family)).connection).toEqual({
      generation: 0,
      names: false,
      isEndedBySchool: false,
    });
    await book([first], 0);
    expect(await readBy(first, school)).toBe('reads');
    expect(await connection()).toMatchObject({ origin: 'booking', member_ids: [first] });
    expect((await describeFor([first], family)).connection).toMatchObject({ generation: 1, names: true });
    await Promise.all([book([second], 1), book([first, second], 1)]);
    expect(await connection()).toMatchObject({ member_ids: [first, second] });
    expect(await readBy(second, school)).toBe('reads');
  });

  it('of each of 64 members, made at the same time, adds them all to the connection, and writes no right a second time', async () => {
    const first = await aMember();
    await book([first], 0);
    const rightOf = async () =>
      (await people.harness
        .database(`people_${family.env}`)
        .collection<{ _id: string; schools: object[] }>('members')
        .findOne({ _id: first }))!.schools[0];
    const before = await rightOf();
    const added = await Promise.all(Array.from({ length: 64 }, aMember));
    const { ConnectionsRepository } = await import('../../src/people/connections/connections.repository.js');
    const changes = jest.spyOn(partOf(people.service, ConnectionsRepository), 'change');
    await Promise.all(added.map((id) => book([id], 1)));
    // Those that wait for a change share the next one: 64 in turn would last longer than a request on a busy machine.
    expect(changes.mock.calls.length).toBeLessThan(32);
    changes.mockRestore();
    expect((await connection()).member_ids.toSorted()).toEqual([first, ...added].toSorted());
    expect(await Promise.all(added.map((id) => readBy(id, school)))).toEqual(added.map(() => 'reads'));
    expect(await rightOf()).toEqual(before);
  });

  it('gives the school no right to read when the connection ends while that right is being written', async () => {
    const [first, second] = [await aMember(), await aMember()];
    await book([first], 0);
    const { MembersRepository } = await import('../../src/people/members/members.repository.js');
    const repository = partOf(people.service, MembersRepository);
    const [late, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const setRight = repository.setRight.bind(repository);
    repository.setRight = async (...right) => {
      repository.setRight = setRight;
      late.resolve();
      await ended.promise;
      return setRight(...right);
    };
    const booked = book([second], 1);
    await late.promise;
    await end(school);
    ended.resolve();
    await booked.catch(() => {});
    expect(await readBy(second, school)).toBe('resource_not_found');
  });

  it('made after the family has ended the connection makes it anew, with the booked members alone', async () => {
    const [first, second] = [await aMember(), await aMember()];
    await book([first], 0);
    await end(family);
    const { generation } = (await describeFor([second], family)).connection!;
    await book([second], generation);
    expect(await connection()).toMatchObject({ status: 'active', member_ids: [second] });
    expect([await readBy(first, school), await readBy(second, school)]).toEqual(['resource_not_found', 'reads']);
  });

  it('that was planned before the connection ended gives the school no right to read, whichever side has ended it', async () => {
    const member = await aMember();
    await book([member], 0);
    await end(family);
    await book([member], 1);
    expect(await connection()).toMatchObject({ status: 'ended' });
    expect(await readBy(member, school)).toBe('resource_not_found');
  });

  it('that was planned before a member was left out of the connection gives no right to read that member', async () => {
    const [stays, leaves] = [await aMember(), await aMember()];
    await book([stays, leaves], 0);
    const { id: connection_id } = await connection();
    const changes = { member_ids: [stays] };
    await people.harness.call(updateConnection, { connection_id, changes }, by(family));
    await book([stays, leaves], 1);
    expect(await readBy(leaves, school)).toBe('resource_not_found');
    await book([leaves], 2);
    expect(await readBy(leaves, school)).toBe('reads');
  });

  it('is rejected with connection_ended once the school has ended the connection', async () => {
    const member = await aMember();
    await book([member], 0);
    await end(school);
    expect((await describeFor([member], family)).connection).toMatchObject({ isEndedBySchool: true });
  });
});

describe('the end of a connection', () => {
  it('has the lessons that were planned before cancelled, as by the side that ends it', async () => {
    const ended = { schoolId: school.accountId, accountId: family.accountId, generation: 2, left: [] };
    await people.connect(await aMember(), school, family);
    await end(school);
    expect(people.unconnected.at(-1)).toEqual({ ...ended, end: { generation: 2, by: 'school', notify: true } });
    await people.connect(await aMember(), people.otherSchool, family);
    const input = { connection_id: (await connection()).id, notify_participants: false };
    await people.harness.call(endConnection, input, by(family));
    expect(people.unconnected.at(-1)).toMatchObject({ end: { by: 'family', notify: false } });
  });
});

it('an account connects with one school for several members only once', async () => {
  const members = [await aMember(), await aMember()];
  const input = { school_id: school.accountId, member_ids: members };
  await people.harness.call(createConnection, input, by(family));
  for (const member of members) expect(await readBy(member, school)).toBe('reads');
});

it('the end of a connection takes the right while scheduling is away, which cancels once it is back', async () => {
  const member = await aMember();
  await people.connect(member, school, family);
  people.stopScheduling();
  // A busy machine may reach the deadline of the request; ending it twice answers the same.
  const isEnded = () =>
    end(family).then(
      () => true,
      ({ code }) => code !== 'SERVER_ERROR',
    );
  await until(isEnded, 'it is ended');
  expect(await readBy(member, school)).toBe('resource_not_found');
  const cancelled: string[] = [];
  people.harness.serve(cancelUnconnected, ({ accountId }) => {
    cancelled.push(accountId);
    return { done: true };
  });
  await until(() => cancelled.includes(family.accountId), 'the lessons are cancelled');
});
