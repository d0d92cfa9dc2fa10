import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccessEntry,
  accessEntry,
  assessMember,
  describePupils,
  getMember,
  getMemberProgress,
  type InputOf,
  listAccessLog,
  listMembers,
  type Principal,
  updateMember,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, inDays, rejectionOf, until } from '@swim/testing';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';

let people: PeopleHarness;
beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people?.stop());

const NETWORK = '192.0.2.0/24';
const contact = { name: 'Canary Contact', phone: '+14155552671', relationship: 'mother' };
const without = (principal: Principal, scope: string): Principal => ({
  ...principal,
  scopes: principal.scopes.filter((one) => one !== scope),
});
// The harness repeats a read that times out, and each run is logged: with this budget none does.
const budgetMs = 60_000;
const by = (principal: Principal) => ({ principal, network: NETWORK, requestId: newId('req'), budgetMs });
const read = (member_id: string, principal: Principal) => people.harness.call(getMember, { member_id }, by(principal));
const list = (query: Partial<InputOf<typeof listAccessLog>> = {}, principal = people.family) =>
  people.harness.call(listAccessLog, { account_id: principal.accountId, ...query }, { principal });
const entriesOf = async (member_id: string) => (await list({ member_id, limit: 100 })).items;
const stored = () =>
  people.harness.database('people_test').collection<{ _id: string; memberIds: string[] }>('access_log');

/** The entries about a member, oldest first, once there are this many. */
async function logged(memberId: string, count: number): Promise<AccessEntry[]> {
  await until(async () => (await entriesOf(memberId)).length >= count, `${count} entries of ${memberId}`);
  return (await entriesOf(memberId)).reverse();
}

async function aPupil(family = people.family): Promise<string> {
  const notes = { account_id: family.accountId, medical_notes: 'canary notes', emergency_contact: contact };
  const { id } = await people.aMember(notes, { principal: family });
  await people.connect(id, people.school, family);
  // Without the scope, and for progress: the tests below do not expect it.
  const asSchool = { principal: people.school, budgetMs };
  await until(
    () => people.harness.call(getMemberProgress, { member_id: id }, asSchool).catch(() => null),
    'the school reads',
  );
  return id;
}

describe('the access log', () => {
  it('has each read of a roster, which answers age, level, notes by scope and contact, and nothing of strangers', async () => {
    const id = await aPupil();
    const { id: stranger } = await people.aMember({ account_id: people.family.accountId });
    const before = await logged(id, 1);
    const { school } = people;
    const { date_of_birth } = await people.harness.call(getMember, { member_id: id }, { principal: people.family });
    const birthday = `${Number(date_of_birth.slice(0, 4)) + 9}${date_of_birth.slice(4)}`;
    const dayBefore = new Date(Date.parse(birthday) - 86_400_000).toISOString().slice(0, 10);
    const roster = (date: string, principal: Principal) =>
      people.harness.call(describePupils, { memberIds: [id, stranger], date }, by(principal));
    const full = { name: expect.any(String), has_medical_notes: true, emergency_contact: contact };
    expect((await roster(birthday, school)).pupils).toEqual([
      { ...full, member_id: id, age_years: 9, swimming_level: expect.any(String), medical_notes: 'canary notes' },
    ]);
    expect((await roster(dayBefore, without(school, 'members:medical'))).pupils).toMatchObject([
      { ...full, age_years: 8, medical_notes: null },
    ]);
    const own = (await logged(id, before.length + 3)).filter(({ action }) => action === 'roster');
    expect(own).toMatchObject([
      { member_ids: [id], medical_notes: true, account_id: school.accountId },
      { member_ids: [id], medical_notes: false, account_id: school.accountId },
    ]);
  });

  it('of a school’s list of pupils has an entry for each family with only its own members', async () => {
    const other = aPrincipal();
    await openAccounts(people.service, [other]);
    const [mine, theirs] = [await aPupil(), await aPupil(other)];
    const request = by(people.school);
    const query = { ids: `${mine},${theirs}` };
    const { items } = await people.harness.call(listMembers, query, request);
    expect(items.map(({ id }) => id).sort()).toEqual([mine, theirs].sort());
    const logOf = async (principal: Principal) =>
      (await list({ limit: 100 }, principal)).items.filter(({ request_id }) => request_id === request.requestId);
    for (const [family, member] of [
      [people.family, mine],
      [other, theirs],
    ] as const) {
      await until(async () => (await logOf(family)).length > 0, 'the entry is stored');
      expect(await logOf(family)).toMatchObject([{ action: 'list', member_ids: [member] }]);
    }
  });

  it('shows the family which key received data of which member, when and from where, without the data', async () => {
    const id = await aPupil();
    const before = await logged(id, 1);
    const { school, family } = people;
    const requests: [string, boolean, Principal, () => Promise<unknown>][] = [
      ['read', true, school, () => read(id, school)],
      ['read', false, school, () => read(id, without(school, 'members:medical'))],
      ['progress', false, school, () => people.harness.call(getMemberProgress, { member_id: id }, by(school))],
      ['assess', false, school, () => people.harness.call(assessMember, { member_id: id, skills }, by(school))],
      ['update', true, family, () => people.harness.call(updateMember, { member_id: id, changes }, by(family))],
    ];
    const skills = [{ code: 'l1_bobbing', status: 'introduced' as const }];
    const changes = { name: 'Canary Kid' };
    for (const [, , , request] of requests) await request();
    const entries = (await logged(id, before.length + requests.length)).slice(before.length);
    expect(entries).toEqual(
      requests.map(([action, medical_notes, { accountId, keyId }]) => ({
        object: 'access_log_entry',
        id: expect.stringMatching(/^alog_/),
        action,
        member_ids: [id],
        medical_notes,
        account_id: accountId,
        key_id: keyId,
        network: NETWORK,
        request_id: expect.stringMatching(/^req_/),
        created_at: expect.any(String),
      })),
    );
    for (const entry of entries) expect(accessEntry.strict().safeParse(entry).success).toBe(true);
    expect(JSON.stringify(await stored().find().toArray())).not.toMatch(/canary|4155552671/i);
  });

  it('has an entry for each key that repeats a request whose stored answer has a member’s data', async () => {
    const id = await aPupil();
    const before = await logged(id, 1);
    const assess = (principal: Principal, idempotencyKey: string) =>
      people.harness.call(
        assessMember,
        { member_id: id, skills: [{ code: 'l1_bobbing', status: 'mastered' }] },
        { ...by(principal), idempotencyKey },
      );
    const update = (principal: Principal, idempotencyKey: string) =>
      people.harness.call(
        updateMember,
        { member_id: id, changes: { name: 'Canary Kid' } },
        { ...by(principal), idempotencyKey },
      );
    const expected: unknown[] = [];
    for (const [action, request, first] of [
      ['assess', assess, people.school],
      ['update', update, people.family],
    ] as const) {
      const idempotencyKey = newId('req');
      const keys = [first, { ...first, keyId: newId('key') }];
      const [answer, repeated] = [await request(keys[0]!, idempotencyKey), await request(keys[1]!, idempotencyKey)];
      expect(repeated).toEqual(answer);
      const medical_notes = action === 'update';
      expected.push(...keys.map(({ keyId: key_id }) => ({ action, key_id, medical_notes, member_ids: [id] })));
    }
    const entries = (await logged(id, before.length + expected.length)).slice(before.length);
    expect(entries).toMatchObject(expected);
  });

  it('has one entry for a page of a list, with the members on it', async () => {
    const principal = people.otherFamily;
    const make = () => people.aMember({ account_id: principal.accountId }, { principal });
    const [first, second] = [await make(), await make()];
    await people.harness.call(listMembers, { account_id: principal.accountId, limit: 1 }, by(principal));
    const entries = await until(async () => {
      const { items } = await list({}, principal);
      return items.length > 0 && items;
    }, 'the list is logged');
    expect(entries).toMatchObject([{ action: 'list', member_ids: [second.id], medical_notes: false }]);
    expect((await list({ member_id: first.id }, principal)).items).toEqual([]);
    await people.harness.call(listMembers, { account_id: principal.accountId, search: 'nobody' }, by(principal));
    expect(await stored().countDocuments({ memberIds: [] })).toBe(0);
  });

  it('is stored before a response with medical notes, which is rejected when it cannot be stored', async () => {
    const { AccessLogRepository } = await import('../../src/people/access-log/access-log.repository.js');
    const repository = people.service.app.get(AccessLogRepository, { strict: false });
    const { insertAll } = repository;
    const { id } = await people.aMember({ medical_notes: 'Asthma' });
    await read(id, people.family);
    expect(await stored().countDocuments({ memberIds: id })).toBe(1);
    let rejected = 0;
    repository.insertAll = () => {
      rejected++;
      return Promise.reject(new Error('The disk is full.'));
    };
    try {
      expect(await rejectionOf(read(id, people.family))).toMatchObject({ code: 'SERVER_ERROR' });
      const blind = without(people.family, 'members:medical');
      expect(await read(id, blind)).toMatchObject({ medical_notes: null });
      await until(() => rejected > 2, 'it is tried again');
    } finally {
      repository.insertAll = insertAll;
    }
    // No queued entry is lost, or stored twice.
    expect((await logged(id, 3)).map(({ medical_notes }) => medical_notes)).toEqual([true, true, false]);
  });

  it('loses nothing when the service is shut down', async () => {
    const { AccessLogService } = await import('../../src/people/access-log/access-log.service.js');
    const log = people.service.app.get(AccessLogService, { strict: false });
    const { id } = await people.aMember();
    await Promise.all(Array.from({ length: 30 }, () => read(id, people.family)));
    await log.beforeApplicationShutdown();
    expect(await stored().countDocuments({ memberIds: id })).toBe(30);
  });

  it('is filtered by member, key and time, and paged; no account reads another one’s', async () => {
    const { id } = await people.aMember({ medical_notes: 'x' });
    const keys = [people.family, { ...people.family, keyId: newId('key') }];
    for (const principal of [...keys, keys[0]!]) await read(id, principal);
    const [first, second, third] = await logged(id, 3);
    const ids = async (query: Partial<InputOf<typeof listAccessLog>>) =>
      (await list({ member_id: id, ...query })).items.map((entry) => entry.id);
    expect(await ids({ key_id: keys[1]!.keyId })).toEqual([second!.id]);
    const day = inDays(-30).slice(0, 10);
    const next = inDays(-29).slice(0, 10);
    await stored().updateOne({ _id: first!.id }, { $set: { createdAt: new Date(day) } });
    expect(await ids({ date_to: next })).toEqual([first!.id]);
    expect(await ids({ date_from: next })).toEqual([third!.id, second!.id]);
    expect(await ids({ date_from: day, date_to: day })).toEqual([]);
    const page = await list({ member_id: id, limit: 2 });
    expect(page.pagination).toMatchObject({ has_more: true, total: 3 });
    expect(await ids({ limit: 2, cursor: page.pagination.next_cursor! })).toEqual([first!.id]);
    expect(await rejectionOf(list({ date_from: next, date_to: day }))).toMatchObject({
      reason: 'range_reversed',
      details: { field: 'date_to' },
    });
    const foreign = { account_id: people.family.accountId };
    expect(await rejectionOf(people.harness.call(listAccessLog, foreign, { principal: people.school }))).toMatchObject({
      reason: 'foreign_account',
    });
    expect((await list({ member_id: id }, people.school)).items).toEqual([]);
  });
});
