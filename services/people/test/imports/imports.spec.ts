import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  dataImport,
  getImport,
  listConnections,
  listImports,
  MOST_IMPORT_ROWS,
  MOST_LISTED_ERRORS,
  type Principal,
  SCOPES,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, rejectionOf } from '@swim/testing';
import { z } from 'zod';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';
import { importsOf, type Row, rowOf } from './importing.js';

let people: PeopleHarness;
let school: Principal;
beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people?.stop());
beforeEach(async () => {
  school = aPrincipal({ kind: 'school' });
  await openAccounts(people.service, [school]);
});

const { create, add, run, read, untilDone, importAll, members } = importsOf(
  () => people,
  () => school,
);
const collection = (name: string) => people.harness.database('people_test').collection<{ _id: string }>(name);
const connections = async () =>
  (await people.harness.call(listConnections, { limit: 100 }, { principal: school })).items;
const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
/** Rows of two families, one of them with ids of the school. */
const ROWS: Row[] = [
  rowOf(0, 0, { medical_notes: 'Asthma', swimming_level: 'advanced' }),
  rowOf(1, 0),
  rowOf(2, 2, { external_id: 'M-2', family: { external_id: 'F-2', locale: 'de' } }),
];

describe('an import', () => {
  it('makes families with their members, which the school reads', async () => {
    const { id } = await create();
    expect(await add(id, ROWS.slice(0, 2))).toMatchObject({ status: 'open', rows: 2 });
    expect(await add(id, ROWS.slice(2))).toMatchObject({ rows: 3 });
    expect(await run(id)).toMatchObject({ status: 'running' });
    const done = z.strictObject(dataImport.shape).parse(await untilDone(id));
    expect(done).toMatchObject({ rows: 3, created: 3, updated: 0, unchanged: 0, failed: 0, errors: [] });
    const [first, second, third] = await members();
    expect(first).toMatchObject({ name: 'Kid 0', medical_notes: 'Asthma', swimming_level: 'advanced' });
    expect(second).toMatchObject({ account_id: first!.account_id, swimming_level: 'beginner' });
    expect(third!.account_id).not.toBe(first!.account_id);
    expect(await connections()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ account_id: third!.account_id, external_id: 'F-2', origin: 'school' }),
        expect.objectContaining({ member_ids: expect.arrayContaining([first!.id, second!.id]), external_id: null }),
      ]),
    );
    expect(await run(id)).toEqual(done);
    expect(await collection('import_rows').countDocuments({ importId: id })).toBe(0);
  });

  it('of the same rows changes nothing', async () => {
    await importAll(ROWS);
    const before = await members();
    expect(await importAll(ROWS)).toMatchObject({ created: 0, updated: 0, unchanged: 3, failed: 0 });
    expect(await members()).toEqual(before);
  });

  it('changes what its rows say otherwise, and keeps what they leave out', async () => {
    await importAll(ROWS);
    const rows = [
      rowOf(0, 0, { swimming_level: 'proficient' }),
      rowOf(1, 0),
      rowOf(9, 2, { external_id: 'M-2', family: { external_id: 'F-2', email: 'new@example.test' } }),
      rowOf(3, 2, { family: { external_id: 'F-2', email: 'new@example.test' } }),
    ];
    expect(await importAll(rows)).toMatchObject({ created: 1, updated: 2, unchanged: 1, failed: 0 });
    expect(await importAll(rows)).toMatchObject({ created: 0, updated: 0, unchanged: 4, failed: 0 });
    const [first, , added, renamed] = await members();
    expect(first).toMatchObject({ medical_notes: 'Asthma', swimming_level: 'proficient' });
    expect([added!.name, renamed!.name]).toEqual(['Kid 3', 'Kid 9']);
    expect(added!.account_id).toBe(renamed!.account_id);
    expect(await collection('accounts').findOne({ _id: added!.account_id })).toMatchObject({
      email: 'new@example.test',
      name: 'Family 2',
    });
  });

  it('finds families by e-mail whatever its case, and knows those of its earlier parts, in a dry run too', async () => {
    await importAll([rowOf(0, 0, { family: { email: 'Family-0@Example.test' } })]);
    const many = Array.from({ length: 100 }, (_, n) => rowOf(n + 10));
    const { id } = await create();
    await add(id, [rowOf(1, 0), ...many, rowOf(2, 0), rowOf(3, 10)]);
    const counts = { created: 103, updated: 0, failed: 0 };
    expect(await run(id, { dryRun: true })).toMatchObject(counts);
    await run(id);
    expect(await untilDone(id)).toMatchObject(counts);
    const families = { madeBy: school.accountId };
    expect(await collection('accounts').countDocuments(families)).toBe(101);
    await collection('accounts').updateMany(families, { $unset: { emailKey: 1 } });
    expect(await importAll([rowOf(1, 0), rowOf(2, 0)])).toMatchObject({ created: 0, unchanged: 2 });
  });

  it('gives families and members that it finds without them the ids of the school', async () => {
    await importAll([rowOf(0)]);
    const named = [rowOf(0, 0, { external_id: 'M-0', family: { external_id: 'F-0' } })];
    expect(await importAll(named)).toMatchObject({ created: 0, updated: 1 });
    expect(await importAll(named)).toMatchObject({ updated: 0, unchanged: 1 });
    expect(await connections()).toMatchObject([{ external_id: 'F-0' }]);
  });

  it('keeps good rows, and reports the field and the reason of bad ones', async () => {
    const rows: Row[] = [
      rowOf(0),
      rowOf(1, 1, { date_of_birth: '2999-01-01' }),
      { name: 'Kid 2' },
      rowOf(3, 3, { family: { email: 'nobody' }, colour: 'red' }),
      rowOf(4, 4, { emergency_contact: { name: 'Ann', phone: '+1999', relationship: 'aunt' } }),
      rowOf(5, 5, { name: '=HYPERLINK("https://example.test")' }),
    ];
    const { errors, ...counts } = await importAll(rows);
    expect(counts).toMatchObject({ rows: 6, created: 2, failed: 4 });
    expect(errors).toEqual(
      expect.arrayContaining([
        { row: 1, field: 'date_of_birth', reason: 'not_in_past' },
        { row: 2, field: 'date_of_birth', reason: 'required' },
        { row: 2, field: 'family', reason: 'required' },
        { row: 3, field: 'family.email', reason: 'invalid_format' },
        { row: 3, field: 'colour', reason: 'unknown_field' },
        { row: 4, field: 'emergency_contact.phone', reason: 'invalid_phone' },
      ]),
    );
    expect((await members()).map(({ name }) => name)).toEqual(['=HYPERLINK("https://example.test")', 'Kid 0']);
  });

  it('takes a row that repeats another one, and rejects one that contradicts it: contradictory', async () => {
    const rows = [
      rowOf(0),
      rowOf(0),
      rowOf(0, 0, { swimming_level: 'proficient' }),
      rowOf(1, 0, { family: { name: 'Others' } }),
      rowOf(2, 2, { external_id: 'M-1' }),
      rowOf(3, 2, { external_id: 'M-1' }),
      rowOf(4, 4, { external_id: 'M-1' }),
    ];
    expect(await importAll(rows)).toMatchObject({
      created: 2,
      unchanged: 1,
      errors: [
        { row: 2, field: 'name', reason: 'contradictory' },
        { row: 3, field: 'family.name', reason: 'contradictory' },
        { row: 5, field: 'external_id', reason: 'contradictory' },
        { row: 6, field: 'external_id', reason: 'ambiguous' },
      ],
    });
  });

  it('rejects a row that several families or members match: ambiguous', async () => {
    await importAll([
      rowOf(0, 0, { external_id: 'M-1', family: { external_id: 'F-1' } }),
      rowOf(0, 0, { external_id: 'M-2', family: { external_id: 'F-1' } }),
      rowOf(1, 0, { family: { external_id: 'F-2' } }),
    ]);
    expect(await importAll([rowOf(1, 0), rowOf(0, 0, { family: { external_id: 'F-1' } })])).toMatchObject({
      errors: [
        { row: 0, field: 'family.email', reason: 'ambiguous' },
        { row: 1, field: 'name', reason: 'ambiguous' },
      ],
    });
  });

  it('that is not run ends as it would, and stores nothing', async () => {
    await importAll(ROWS.slice(0, 1));
    const { id } = await create();
    await add(id, [...ROWS, { name: '' }]);
    const counts = { created: 2, updated: 0, unchanged: 1, failed: 1 };
    expect(await run(id, { dryRun: true })).toMatchObject({ status: 'done', ...counts });
    expect(await read(id)).toMatchObject({ status: 'open', created: 0 });
    expect(await members()).toHaveLength(1);
    await run(id);
    expect(await untilDone(id)).toMatchObject(counts);
  });

  it('sends no mail, in live neither', async () => {
    school = aPrincipal({ kind: 'school', env: 'live' });
    await openAccounts(people.service, [school]);
    await importAll(ROWS);
    const live = people.harness.database('people_live').collection('accounts');
    const accounts = await live.find({ madeBy: school.accountId }).toArray();
    expect(accounts).toHaveLength(2);
    for (const account of accounts) expect(account).not.toHaveProperty('confirmationDueAt');
    expect(await people.harness.database('people_users').collection('user_links').countDocuments({})).toBe(0);
  });

  it('of a school waits for another one of it', async () => {
    const all = await Promise.all([importAll(ROWS), importAll(ROWS), importAll(ROWS)]);
    expect(all.map(({ created, unchanged }) => created + unchanged)).toEqual([3, 3, 3]);
    expect(all.reduce((sum, { created }) => sum + created, 0)).toBe(3);
    expect(await members()).toHaveLength(3);
  });
});

describe('a request about imports', () => {
  it('lists those of the school, by their status', async () => {
    const [open, done] = [await create(), await importAll(ROWS)];
    const list = async (query: object, principal = school) =>
      (await people.harness.call(listImports, query, { principal })).items.map(({ id }) => id);
    expect(await list({})).toEqual([done.id, open.id]);
    expect(await list({ status: 'open' })).toEqual([open.id]);
    expect(await list({ ids: done.id })).toEqual([done.id]);
    expect(await list({}, people.otherSchool)).toEqual([]);
  });

  it('reads all errors of one, and in a list the first of each', async () => {
    const wrong = Array.from({ length: MOST_LISTED_ERRORS + 20 }, (_, n) => rowOf(n, n, { colour: 'red' }));
    const { errors, failed } = await importAll(wrong);
    expect([errors.length, failed]).toEqual([wrong.length, wrong.length]);
    const { items } = await people.harness.call(listImports, {}, { principal: school });
    expect(items).toMatchObject([{ failed, errors: errors.slice(0, MOST_LISTED_ERRORS) }]);
  });

  it('is for the school alone: school_only, resource_not_found', async () => {
    const by = { principal: people.otherSchool };
    expect(await reasonOf(create({ principal: people.family }))).toBe('school_only');
    const { id } = await create();
    expect(await reasonOf(people.harness.call(getImport, { import_id: id }, by))).toBe('resource_not_found');
    expect(await reasonOf(add(id, ROWS, by))).toBe('resource_not_found');
    expect(await reasonOf(run(id, by))).toBe('resource_not_found');
  });

  it('adds medical notes only with the scope for them: missing_scope', async () => {
    const { id } = await create();
    const principal = { ...school, scopes: SCOPES.filter((scope) => scope !== 'members:medical') };
    expect(await reasonOf(add(id, ROWS, { principal }))).toBe('missing_scope');
    expect(await add(id, ROWS.slice(1), { principal })).toMatchObject({ rows: 2 });
  });

  it('adds rows to an import that is open: invalid_state', async () => {
    const { id } = await importAll([]);
    expect(await reasonOf(add(id, ROWS))).toBe('invalid_state');
  });

  it('adds rows once under its key', async () => {
    const { id } = await create();
    const idempotencyKey = newId('req');
    for (let time = 0; time < 2; time++) expect(await add(id, ROWS, { idempotencyKey })).toMatchObject({ rows: 3 });
  });

  it('adds no more rows than an import takes: limit_reached', async () => {
    const { id } = await create();
    const rows = Array.from({ length: 500 }, (_, n) => ({ n }));
    for (let sent = 0; sent < MOST_IMPORT_ROWS; sent += rows.length) await add(id, rows);
    expect(await rejectionOf(add(id, [{}]))).toMatchObject({ reason: 'limit_reached', details: { field: 'rows' } });
  });

  it('beyond the tenth takes the place of the oldest one that was not run; of ten that run: limit_reached', async () => {
    const { id: first } = await create();
    const { id: second } = await create();
    for (let open = 2; open < 10; open++) await create();
    expect(await create({ dryRun: true })).toMatchObject({ status: 'open' });
    expect(await read(first)).toMatchObject({ status: 'open' });
    await create();
    expect(await reasonOf(read(first))).toBe('resource_not_found');
    expect(await read(second)).toMatchObject({ status: 'open' });
    const running = { $set: { status: 'running', dueAt: new Date(Date.now() + 600_000) } };
    await collection('imports').updateMany({ readers: school.accountId } as object, running);
    expect(await reasonOf(create())).toBe('limit_reached');
  });
});

it('an import of 2,000 rows ends within a minute', async () => {
  const begunAt = performance.now();
  const rows = Array.from({ length: 2_000 }, (_, n) => rowOf(n, n - (n % 2)));
  expect(await importAll(rows)).toMatchObject({ created: 2_000, failed: 0 });
  const midAt = performance.now();
  expect(await importAll(rows)).toMatchObject({ unchanged: 2_000 });
  const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1);
  console.info(`2,000 rows: made in ${seconds(begunAt, midAt)} s, once more in ${seconds(midAt, performance.now())} s`);
});
