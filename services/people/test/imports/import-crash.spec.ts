import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listConnections, type Principal } from '@swim/contracts';
import { aPrincipal, type CrashableService } from '@swim/testing';
import { startCrashablePeople } from '../crashable-people.js';
import { openAccounts, type PeopleHarness } from '../harness.js';
import { importsOf, rowOf } from './importing.js';

const PAST = new Date(0);
let people: PeopleHarness;
let service: CrashableService;
let school: Principal;
beforeAll(async () => {
  ({ people, service } = await startCrashablePeople(lapse));
});
afterAll(() => people?.stop());

const { create, add, run, untilDone, members } = importsOf(
  () => people,
  () => school,
);
const imports = () => people.harness.database('people_test').collection('imports');
const UNDONE = { status: 'running' };

/** Ends every lease, and makes everything due for recovery. */
async function lapse(): Promise<void> {
  const idempotency = people.harness.database('people_test').collection('idempotency');
  await Promise.all([
    idempotency.updateMany({ state: 'running' }, { $set: { leaseUntil: PAST } }),
    imports().updateMany(UNDONE, { $set: { dueAt: PAST } }),
  ]);
}
const isIdle = async () =>
  (await imports().findOne({ $or: [UNDONE, { dueAt: { $type: 'date', $lt: new Date() } }] })) === null;

it('an import that crashes after any single write goes on, and makes each family and member once', async () => {
  const rows = [
    rowOf(0, 0, { family: { external_id: 'F-0' } }),
    rowOf(1, 0, { family: { external_id: 'F-0' } }),
    rowOf(2),
  ];
  const writes = await service.everywhere(async (n) => {
    school = aPrincipal({ kind: 'school' });
    await openAccounts(service, [school]);
    const { id } = await create();
    await add(id, rows);
    const crashed = await service.crashDuring(n, () => run(id), isIdle);
    await run(id);
    const { created, unchanged, updated, failed } = await untilDone(id);
    expect({ created, unchanged, updated, failed }).toEqual({ created: 3, unchanged: 0, updated: 0, failed: 0 });
    expect((await members()).map(({ name }) => name)).toEqual(['Kid 0', 'Kid 1', 'Kid 2']);
    const { items } = await people.harness.call(listConnections, {}, { principal: school });
    expect(items.map(({ member_ids }) => member_ids.length).toSorted()).toEqual([1, 2]);
    return crashed;
  });
  expect(writes).toBeGreaterThanOrEqual(10);
});
