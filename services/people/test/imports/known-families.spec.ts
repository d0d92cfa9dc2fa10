import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  eraseAccount,
  listConnections,
  type Member,
  type Principal,
  resetSandbox,
  updateConnection,
} from '@swim/contracts';
import { derivedId, inEnvironment } from '@swim/platform';
import { aPrincipal, rejectionOf, until } from '@swim/testing';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';
import { Erasures, OTHERS } from '../lifecycle/erasures.js';
import { ResetParts } from '../lifecycle/reset-parts.js';
import { importsOf, rowOf } from './importing.js';

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

const { create, add, run, untilDone, importAll, members } = importsOf(
  () => people,
  () => school,
);
const collection = (name: string) => people.harness.database('people_test').collection<{ _id: string }>(name);
const accounts = () => collection('accounts');
const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
const storedRows = async () => {
  const { ImportRowsRepository } = await import('../../src/people/imports/import-rows.repository.js');
  return people.service.app.get(ImportRowsRepository, { strict: false });
};
/** The school has the connection of a member's family name only these members. */
async function leaveOut({ account_id }: Member, member_ids: string[]): Promise<void> {
  const { items } = await people.harness.call(listConnections, {}, { principal: school });
  const connection = items.find((each) => each.account_id === account_id)!;
  const input = { connection_id: connection.id, changes: { member_ids } };
  await people.harness.call(updateConnection, input, { principal: school });
}
/** Rows of two families. */
const ROWS = [rowOf(0, 0), rowOf(1, 0), rowOf(2)];

describe('an import', () => {
  it('leaves claimed families as they are: claimed', async () => {
    await importAll(ROWS);
    const { account_id: _id } = (await members())[0]!;
    await accounts().updateOne({ _id }, { $set: { claimedAt: new Date() } });
    const before = await members();
    const rows = [rowOf(0, 0, { swimming_level: 'beginner', family: { name: 'Others' } }), rowOf(7, 0)];
    expect(await importAll(rows)).toMatchObject({
      unchanged: 1,
      failed: 1,
      errors: [{ row: 1, field: 'family', reason: 'claimed' }],
    });
    expect(await members()).toEqual(before);
  });

  it('of a claimed family tells nothing about a member that its connection does not name', async () => {
    const named = rowOf(0, 0, { external_id: 'M-0' });
    await importAll([named, rowOf(1, 0)]);
    const [hidden, shared] = (await members()) as [Member, Member];
    const { account_id: _id } = hidden;
    await leaveOut(hidden, [shared.id]);
    await accounts().updateOne({ _id }, { $set: { claimedAt: new Date() } });
    const rows = [named, rowOf(0, 0), rowOf(0, 0, { date_of_birth: '2017-05-05' }), rowOf(1, 0)];
    expect(await importAll(rows)).toMatchObject({
      unchanged: 1,
      errors: [0, 1, 2].map((row) => ({ row, field: 'family', reason: 'claimed' })),
    });
  });

  it('changes a member that the connection leaves out, and connects it again', async () => {
    await importAll(ROWS);
    const [left, kept] = (await members()) as [Member, Member];
    await leaveOut(left, [kept.id]);
    const rows = [rowOf(0, 0, { swimming_level: 'proficient' }), rowOf(1, 0)];
    const { id } = await create();
    await add(id, rows);
    expect(await run(id, { dryRun: true })).toMatchObject({ updated: 1, unchanged: 1, failed: 0 });
    await run(id);
    expect(await untilDone(id)).toMatchObject({ updated: 1, unchanged: 1, failed: 0 });
    expect((await members())[0]).toMatchObject({ id: left.id, swimming_level: 'proficient' });
    expect(await importAll(rows)).toMatchObject({ updated: 0, unchanged: 2 });
  });

  it('fails the rows of a family that is about to be erased: account_closing', async () => {
    await importAll(ROWS);
    const { account_id: _id } = (await members())[0]!;
    const closing = { state: 'closing', erasesAt: new Date(Date.now() + 86_400_000) };
    await accounts().updateOne({ _id }, { $set: closing });
    expect(await importAll(ROWS)).toMatchObject({
      unchanged: 1,
      errors: [0, 1].map((row) => ({ row, field: 'family', reason: 'account_closing' })),
    });
  });

  it('waits while its school is closing, and goes on once that is restored', async () => {
    const { id } = await create();
    await add(id, ROWS);
    const closing = { state: 'closing', erasesAt: new Date(Date.now() + 86_400_000) };
    await accounts().updateOne({ _id: school.accountId }, { $set: closing });
    await run(id);
    const imports = people.harness
      .database('people_test')
      .collection<{ _id: string; step: string; dueAt: Date }>('imports');
    const turns = new Set<number>();
    const hasWaited = async () => {
      const { step, dueAt } = (await imports.findOne({ _id: id }))!;
      if (step === 'rows') turns.add(dueAt.getTime());
      return turns.size > 2;
    };
    await until(hasWaited, 'it has tried more than once');
    expect(await accounts().countDocuments({ madeBy: school.accountId })).toBe(0);
    await accounts().updateOne({ _id: school.accountId }, { $unset: { state: 1, erasesAt: 1 } });
    const done = await untilDone(id);
    expect([done.created, await accounts().countDocuments({ madeBy: school.accountId })]).toEqual([3, 2]);
  });

  it('that runs while its school is reset leaves nothing of what it makes and changes meanwhile', async () => {
    await importAll([rowOf(8)]);
    const { id } = await create();
    await add(id, [...ROWS, rowOf(9, 8)]);
    const [parts, held] = [new ResetParts(people.harness, people.pools), Promise.withResolvers<void>()];
    parts.beforeAnswer = () => held.promise;
    const reset = people.harness.call(resetSandbox, {}, { principal: school });
    const [begun] = await until(() => (parts.requested.length > 0 ? parts.requested : null), 'the reset has begun');
    await until(() => new Date() > new Date(begun!.before), 'what is made now is later than the reset');
    await run(id);
    await untilDone(id);
    held.resolve();
    await reset;
    const { accountId } = school;
    const isOver = async () =>
      (await accounts().countDocuments({ _id: accountId, 'reset.step': null } as object)) === 1;
    await until(isOver, 'the reset is over');
    const left = { madeBy: accountId, state: { $exists: false } };
    await until(async () => (await accounts().countDocuments(left as object)) === 0, 'its families are being erased');
    const { items } = await people.harness.call(listConnections, {}, { principal: school });
    expect(items.filter(({ origin }) => origin === 'school')).toEqual([]);
  });

  it('that runs while its school is erased ends with it, and leaves no family', async () => {
    const { id } = await create();
    for (let part = 0; part < 6; part++) await add(id, [rowOf(2 * part), rowOf(2 * part + 1)]);
    await run(id);
    const { accountId } = school;
    const made = (more: object) => accounts().countDocuments({ madeBy: accountId, ...more } as object);
    await until(async () => (await made({})) > 0, 'it has made a family');
    await people.harness.call(eraseAccount, { account_id: accountId }, { principal: school });
    await new Erasures(people).isErased(school);
    await until(async () => (await made({ state: { $exists: false } })) === 0, 'its families are being erased');
    for (const name of ['imports', 'import_rows'])
      expect(await people.harness.database('people_test').collection(name).countDocuments({ accountId })).toBe(0);
  });

  it('that nobody has run for a week is removed, and not run any more: resource_not_found', async () => {
    const [{ id }, rows] = [await create(), await storedRows()];
    await add(id, ROWS);
    const clear = rows.clear.bind(rows);
    const reasons: unknown[] = [];
    const clearing = jest.spyOn(rows, 'clear').mockImplementationOnce(async (item) => {
      reasons.push(await reasonOf(run(id)));
      await clear(item);
    });
    await collection('imports').updateOne({ _id: id }, { $set: { dueAt: new Date(0) } });
    await until(
      () => collection('imports').findOne({ _id: id, removedAt: { $exists: true } } as object),
      'it is removed',
    );
    clearing.mockRestore();
    expect(reasons).toEqual(['resource_not_found']);
    expect(await collection('import_rows').countDocuments({ importId: id } as object)).toBe(0);
  });

  it('fails the rows of a family that it has made, and that was erased before it went on', async () => {
    const { id } = await create();
    await add(id, ROWS);
    const { UnclaimedAccounts } = await import('../../src/identity/accounts/unclaimed-accounts.service.js');
    const unclaimed = people.service.app.get(UnclaimedAccounts, { strict: false });
    const family = { id: derivedId('acct', id, '0'), name: 'Family 0', email: 'family-0@example.test' };
    await inEnvironment('test', async () => unclaimed.open(await unclaimed.describe(family, school.accountId)));
    await accounts().updateOne({ _id: family.id }, { $set: { state: 'erased' } });
    await run(id);
    expect(await untilDone(id)).toMatchObject({
      created: 1,
      errors: [0, 1].map((row) => ({ row, field: 'family', reason: 'resource_not_found' })),
    });
    expect(await members()).toHaveLength(1);
  });
});
