import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  claimSandboxFamily,
  createFamily,
  describeConsents,
  describeDues,
  endConnection,
  eraseAccount,
  type Family,
  familyDetails,
  family as familyShape,
  findOwing,
  getFamily,
  type InputOf,
  inviteFamily,
  listFamilies,
  type Principal,
  SCOPES,
  updateAccount,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, inDays, rejectionOf, until } from '@swim/testing';
import { z } from 'zod';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';

let people: PeopleHarness;
let school: Principal;
const BOOKING = newId('bkg');
/** What accounts owe, as the fake booking knows it. */
const owed = new Map<string, { at: string; cents: number }>();
/** The instants at which it was asked what an account owes. */
const asked = new Map<string, string>();
beforeAll(async () => {
  people = await startPeople();
  people.harness.serve(findOwing, () => ({ accountIds: [...owed.keys()] }));
  people.harness.serve(describeConsents, () => ({
    consents: [{ bookingId: BOOKING, currency: 'EUR', agreedCents: 6_000, usedCents: 1_500, leftCents: 4_500 }],
  }));
  people.harness.serve(describeDues, ({ accounts }) => ({
    dues: accounts.map(({ id: accountId, now }) => {
      asked.set(accountId, now);
      const { at, cents } = owed.get(accountId) ?? { at: now, cents: 0 };
      const overdueCents = at <= now ? cents : 0;
      const due = cents > 0 ? [{ currency: 'EUR', cents, overdueCents }] : [];
      return { accountId, due, oldestDueAt: overdueCents > 0 ? at : null };
    }),
  }));
});
afterAll(() => people?.stop());
beforeEach(async () => {
  owed.clear();
  school = aPrincipal({ kind: 'school' });
  await openAccounts(people.service, [school]);
});

/** A family with a member that is connected with the school. */
async function aFamily(changes: { name?: string } = {}) {
  const principal = aPrincipal();
  await openAccounts(people.service, [principal]);
  const { accountId: account_id } = principal;
  await people.harness.call(updateAccount, { account_id, changes: { name: 'Ruiz', ...changes } }, { principal });
  const { id: memberId } = await people.aMember({ account_id }, { principal });
  return { principal, accountId: account_id, memberId, connection: await people.connect(memberId, school, principal) };
}
const page = (query: InputOf<typeof listFamilies> = {}, principal = school) =>
  people.harness.call(listFamilies, query, { principal });
const idsOf = async (...of: Parameters<typeof page>) => (await page(...of)).items.map((each) => each.account_id);
const without = (scope: string): Principal => ({ ...school, scopes: SCOPES.filter((each) => !each.startsWith(scope)) });

describe('one family of a school', () => {
  const read = (account_id: string, principal = school) =>
    people.harness.call(getFamily, { account_id }, { principal });
  const notFound = { reason: 'resource_not_found' };

  it('is shown as in the list of families, with the bookings that it lets the school charge', async () => {
    const { accountId } = await aFamily();
    owed.set(accountId, { at: inDays(-2), cents: 4_500 });
    const one = await read(accountId);
    expect(z.strictObject(familyDetails.shape).parse(one)).toEqual(one);
    const [listed] = (await page()).items;
    const consents = [
      { booking_id: BOOKING, currency: 'EUR', agreed_cents: 6_000, used_cents: 1_500, left_cents: 4_500 },
    ];
    expect(one).toEqual({ ...listed, invited_at: null, claimed_at: null, consents });
    expect(await read(accountId, without('payments'))).toMatchObject({ due: null, consents: null, claimed: true });
  });

  it('shows when it was invited, and when it claimed the account that the school had made', async () => {
    const members = [{ name: 'Kim', date_of_birth: '2017-05-04' }];
    const family = { name: 'Kims', email: 'kims@example.test', members };
    const { account_id } = await people.harness.call(createFamily, family, { principal: school });
    await people.harness.call(inviteFamily, { account_id }, { principal: school, dryRun: true });
    expect(await read(account_id)).toMatchObject({ claimed: false, invited_at: null, claimed_at: null });
    const invited = await people.harness.call(inviteFamily, { account_id }, { principal: school });
    const validMs = Date.parse(invited.expires_at) - Date.parse((await read(account_id)).invited_at!);
    expect(validMs).toBe(7 * 86_400_000);
    await people.harness.call(claimSandboxFamily, { account_id }, { principal: school });
    const { invited_at, claimed_at } = await read(account_id);
    expect(Date.parse(claimed_at!)).toBeGreaterThanOrEqual(Date.parse(invited_at!) - 1_000);
  });

  it('can be read by its school alone, as long as it is connected or owes: others get resource_not_found or school_only', async () => {
    const { principal, accountId, connection } = await aFamily();
    expect(await rejectionOf(read(accountId, people.otherSchool))).toMatchObject(notFound);
    expect(await rejectionOf(read(newId('acct')))).toMatchObject(notFound);
    expect(await rejectionOf(read(accountId, principal))).toMatchObject({ reason: 'school_only' });
    await people.harness.call(endConnection, { connection_id: connection.id }, { principal });
    expect(await rejectionOf(read(accountId))).toMatchObject(notFound);
    owed.set(accountId, { at: inDays(-2), cents: 4_500 });
    expect(await read(accountId)).toMatchObject({ account_id: accountId, due: [{ cents: 4_500 }] });
  });
});

describe('the families of a school', () => {
  it('are listed by their active connections, newest first, with what they owe', async () => {
    const [first, second] = [await aFamily({ name: 'Ana Ruiz' }), await aFamily()];
    owed.set(first.accountId, { at: inDays(-2), cents: 4_500 });
    const { items, pagination } = await page();
    expect(items.map((each) => z.strictObject(familyShape.shape).parse(each))).toEqual(items);
    const expected: (Family & { object: string })[] = [
      {
        object: 'family',
        account_id: second.accountId,
        ...{ name: 'Ruiz', email: 'office@example.test', claimed: true, member_ids: [second.memberId] },
        ...{ due: [], oldest_due_at: null },
      },
      {
        object: 'family',
        account_id: first.accountId,
        ...{ name: 'Ana Ruiz', email: 'office@example.test', claimed: true, member_ids: [first.memberId] },
        ...{ due: [{ currency: 'EUR', cents: 4_500, overdue_cents: 4_500 }], oldest_due_at: inDays(-2) },
      },
    ];
    expect(items).toEqual(expected);
    expect(pagination).toMatchObject({ total: 2, has_more: false });
    expect(await idsOf({ due: true })).toEqual([first.accountId]);
    expect(await idsOf({}, people.otherSchool)).toEqual([]);
  });

  it('are listed in pages, whose cursor is of use to that school and with that query alone', async () => {
    const [first, second] = [await aFamily(), await aFamily()];
    const one = await page({ limit: 1 });
    expect(one.items).toMatchObject([{ account_id: second.accountId }]);
    const cursor = one.pagination.next_cursor!;
    expect(await idsOf({ cursor })).toEqual([first.accountId]);
    expect((await rejectionOf(page({ cursor, due: true }))).reason).toBe('invalid_cursor');
    expect((await rejectionOf(page({ cursor }, people.otherSchool))).reason).toBe('invalid_cursor');
  });

  it('are found by the beginnings of words in their name and e-mail address, never by a pattern', async () => {
    const [ana, max] = [await aFamily({ name: 'Ana Díaz-Ruiz' }), await aFamily({ name: 'Max Müller' })];
    owed.set(max.accountId, { at: inDays(1), cents: 1 });
    for (const [search, found] of [
      ['diaz', [ana]],
      ['RUI an', [ana]],
      ['mueller', [max]],
      ['office@example', [max, ana]],
      ['@example.test', [max, ana]],
      ['iaz', []],
      ['.*', []],
    ] as const)
      expect([search, await idsOf({ search })]).toEqual([search, found.map(({ accountId }) => accountId)]);
    expect(await idsOf({ search: 'ana', due: true })).toEqual([]);
    expect(await idsOf({ search: 'max', due: true })).toEqual([max.accountId]);
  });

  it('stay in the list after their connection has ended, as long as they owe', async () => {
    const { accountId, connection, principal, memberId } = await aFamily();
    await people.harness.call(endConnection, { connection_id: connection.id }, { principal });
    expect(await idsOf()).toEqual([]);
    owed.set(accountId, { at: inDays(-1), cents: 300 });
    for (const query of [{}, { due: true }, { search: 'ruiz' }])
      expect((await page(query)).items).toMatchObject([{ account_id: accountId, member_ids: [memberId] }]);
    expect(await idsOf({}, without('payments'))).toEqual([]);
    owed.clear();
    expect(await idsOf()).toEqual([]);
  });

  it('stay in the list without name and address once they are erased, if they owe', async () => {
    const { accountId, principal } = await aFamily();
    owed.set(accountId, { at: inDays(-1), cents: 300 });
    await people.harness.call(eraseAccount, { account_id: accountId }, { principal });
    const rows = () => page().then(({ items }) => items);
    await until(async () => (await rows())[0]?.name === null, 'the account is erased');
    expect(await rows()).toMatchObject([{ account_id: accountId, email: null, due: [{ cents: 300 }] }]);
    expect(await idsOf({ search: 'ruiz' })).toEqual([]);
  });

  it("owe what is due by the later of two sandbox clocks, their own and the school's", async () => {
    const { accountId } = await aFamily();
    const accounts = people.harness.database('people_test').collection<{ _id: string }>('accounts');
    const aheadOf = async (id: string) =>
      Math.round((Date.parse(asked.get(id)!) - people.clock.now().getTime()) / 86_400_000);
    for (const [id, days] of [
      [accountId, 3],
      [school.accountId, 9],
    ] as const) {
      await accounts.updateOne(
        { _id: id },
        { $set: { clock: { offsetMs: days * 86_400_000, fromMs: 0, targetMs: null, roundsLeft: 0 } } },
      );
      await page();
      expect(await aheadOf(accountId)).toBe(days);
    }
  });

  it('can be listed by schools alone: a family gets school_only', async () => {
    expect((await rejectionOf(page({}, people.family))).reason).toBe('school_only');
  });

  it('show what they owe to keys with the scope payments:read alone: others get null, and missing_scope for the filter', async () => {
    const { accountId } = await aFamily();
    owed.set(accountId, { at: inDays(-2), cents: 4_500 });
    const key = without('payments');
    expect((await page({}, key)).items).toMatchObject([{ account_id: accountId, due: null, oldest_due_at: null }]);
    expect(await rejectionOf(page({ due: true }, key))).toMatchObject({
      reason: 'missing_scope',
      details: { scope: 'payments:read' },
    });
  });
});

it('the list of 2,000 families answers quickly', async () => {
  const sample = await aFamily();
  const database = people.harness.database('people_test');
  const [accounts, connections] = [database.collection('accounts'), database.collection('connections')];
  const account = (await accounts.findOne({ _id: sample.accountId as never }))!;
  const connected = (await connections.findOne({ _id: sample.connection.id as never }))!;
  const ids = Array.from({ length: 2_000 }, () => newId('acct'));
  await accounts.insertMany(
    ids.map((_id, n) => ({ ...account, _id: _id as never, readers: [_id], name: `Family ${n}` })),
  );
  await connections.insertMany(
    ids.map((accountId) => ({
      ...connected,
      ...{ _id: newId('con') as never, pair: `${school.accountId}|${accountId}`, accountId },
      ...{ readers: [school.accountId, accountId], outbox: [], step: null, dueAt: null },
    })),
  );
  for (const id of ids) owed.set(id, { at: inDays(-1), cents: 100 });
  const ms: Record<string, number> = {};
  for (const [name, query] of Object.entries({ all: {}, due: { due: true }, search: { search: 'family 19' } })) {
    const took: number[] = [];
    for (let round = 0; round < 20; round++) {
      const begunAt = performance.now();
      expect((await page(query)).items).toHaveLength(20);
      took.push(performance.now() - begunAt);
    }
    ms[name] = Math.round(took.toSorted((a, b) => a - b)[18]!);
  }
  console.info(`2,000 families, 95th percentile in ms: ${JSON.stringify(ms)}`);
});
