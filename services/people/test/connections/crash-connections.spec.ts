import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type Connection,
  connectBooked,
  createConnection,
  createMember,
  endConnection,
  getConnection,
  getMember,
  type Principal,
  updateConnection,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, type CrashableService, until } from '@swim/testing';
import { startCrashablePeople } from '../crashable-people.js';
import { openAccounts, type PeopleHarness } from '../harness.js';

jest.setTimeout(420_000);
const PAST = new Date(0);

let people: PeopleHarness;
let service: CrashableService;
let [family, school]: [Principal, Principal] = [aPrincipal(), aPrincipal({ kind: 'school' })];
let [mia, leo]: [string, string] = ['', ''];
beforeAll(async () => {
  ({ people, service } = await startCrashablePeople(lapse));
});
afterAll(() => people?.stop());

const collection = (name: string) => people.harness.database('people_test').collection(name);
/** Ends every lease, and makes everything due for recovery. */
async function lapse(): Promise<void> {
  await Promise.all([
    collection('idempotency').updateMany({ state: 'running' }, { $set: { leaseUntil: PAST } }),
    collection('connections').updateMany({ dueAt: { $type: 'date' } }, { $set: { dueAt: PAST } }),
    collection('connections').updateMany({ relayAt: { $type: 'date' } }, { $set: { relayAt: PAST } }),
  ]);
}
const isIdle = async () => (await collection('connections').findOne({ dueAt: { $type: 'date' } })) === null;

/** A family with two members, and a school. */
async function aPair(): Promise<void> {
  [family, school] = [aPrincipal(), aPrincipal({ kind: 'school' })];
  await openAccounts(service, [family, school]);
  const kid = { account_id: family.accountId, name: 'Kid', date_of_birth: '2017-05-04' };
  const make = async () => (await people.harness.insist(createMember, kid, { principal: family })).id;
  [mia, leo] = [await make(), await make()];
}
const connect = (idempotencyKey = newId('req')): Promise<Connection> => {
  const input = { school_id: school.accountId, member_ids: [mia, leo] };
  return people.harness.insist(createConnection, input, { principal: family, idempotencyKey });
};
/** Whether the school reads these members, once nothing is left to do. */
async function reads(): Promise<boolean[]> {
  await until(isIdle, 'the connection is settled');
  const read = (member_id: string) => people.harness.insist(getMember, { member_id }, { principal: school });
  return Promise.all(
    [mia, leo].map((id) =>
      read(id).then(
        () => true,
        () => false,
      ),
    ),
  );
}
/** The types of the events of a connection, once there are so many; none is published twice. */
async function eventsOf(id: string, count: number): Promise<string[]> {
  const own = () => people.events.filter(({ objectId }) => objectId === id);
  await until(() => own().length >= count, 'its events are published');
  const byId = new Map(own().map((event) => [event.id, event.type]));
  return [...byId.values()];
}
const endsOf = () => people.unconnected.filter(({ accountId }) => accountId === family.accountId);

describe('the service people, killed after any one of its writes,', () => {
  it('makes a connection once, and lets the school read its members', async () => {
    const writes = await service.everywhere(async (n) => {
      await aPair();
      const key = newId('req');
      const crashed = await service.crashDuring(n, () => connect(key), isIdle);
      const made = await connect(key);
      expect(made).toMatchObject({ status: 'active', member_ids: [mia, leo] });
      expect(await reads()).toEqual([true, true]);
      expect(await eventsOf(made.id, 1)).toEqual(['connection.created']);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(4);
  });

  it('ends a connection once: the school can read its members no longer, and their lessons to come are cancelled', async () => {
    const writes = await service.everywhere(async (n) => {
      await aPair();
      const { id: connection_id } = await connect();
      const options = { principal: school, idempotencyKey: newId('req') };
      const end = () => people.harness.insist(endConnection, { connection_id }, options);
      const crashed = await service.crashDuring(n, end, isIdle);
      expect(await end()).toMatchObject({ status: 'ended', ended_by: 'school' });
      expect(await reads()).toEqual([false, false]);
      expect(endsOf().at(-1)).toMatchObject({ generation: 2, end: { generation: 2, by: 'school' } });
      expect(await eventsOf(connection_id, 2)).toEqual(['connection.created', 'connection.ended']);
      const booked = { schoolId: school.accountId, accountId: family.accountId, memberIds: [mia], generation: 1 };
      await people.harness.insist(connectBooked, booked, { principal: family });
      expect(await reads()).toEqual([false, false]);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(4);
  });

  it('leaves a member out of a connection once: the lessons to come of that member are cancelled, and the others stay', async () => {
    const writes = await service.everywhere(async (n) => {
      await aPair();
      const { id: connection_id } = await connect();
      const options = { principal: family, idempotencyKey: newId('req') };
      const changes = { member_ids: [leo] };
      const leave = () => people.harness.insist(updateConnection, { connection_id, changes }, options);
      const crashed = await service.crashDuring(n, leave, isIdle);
      expect(await leave()).toMatchObject({ status: 'active', member_ids: [leo] });
      expect(await reads()).toEqual([false, true]);
      expect(endsOf().at(-1)).toMatchObject({ end: null, left: [{ memberId: mia, generation: 2 }] });
      expect(await eventsOf(connection_id, 1)).toEqual(['connection.created']);
      const found = await people.harness.insist(getConnection, { connection_id }, { principal: school });
      expect(found.member_ids).toEqual([leo]);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(4);
  });
});
