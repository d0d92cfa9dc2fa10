import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  describeParticipants,
  exportAccount,
  getAccount,
  type InputOf,
  type Principal,
  updateAccount,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, rejectionOf } from '@swim/testing';
import { type PeopleHarness, startPeople } from '../harness.js';

let people: PeopleHarness;
beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people?.stop());

type Changes = InputOf<typeof updateAccount>['changes'];

const read = (principal: Principal) =>
  people.harness.call(getAccount, { account_id: principal.accountId }, { principal });
const update = (changes: Changes, principal: Principal, options = {}, account_id = principal.accountId) =>
  people.harness.call(updateAccount, { account_id, changes }, { principal, ...options });

describe('changing an account', () => {
  it('changes the given fields and keeps the rest', async () => {
    const before = await read(people.family);
    const after = { ...before, name: 'Ruiz', timezone: 'America/Lima' };
    expect(await update({ name: 'Ruiz', timezone: 'America/Lima' }, people.family)).toEqual(after);
    expect(await update({ locale: 'es' }, people.family)).toEqual({ ...after, locale: 'es' });
    expect(await read(people.family)).toEqual({ ...after, locale: 'es' });
  });

  it('changes the given policies, which apply to the next booking', async () => {
    const school = await read(people.school);
    const policies = { late_fee_percent: 0, free_cancellation_hours: 8760, progress_visible: false };
    expect(await update({ policies }, people.school)).toEqual({
      ...school,
      policies: { ...school.policies, ...policies },
    });
    const { id } = await people.anInstructor();
    const participants = await people.harness.call(
      describeParticipants,
      { instructorId: id, memberIds: [] },
      { principal: people.family },
    );
    expect(participants.policies).toMatchObject({
      lateFeePercent: 0,
      freeCancellationHours: 8760,
      progressVisible: false,
      noShowFeePercent: 100,
      requirePrepayment: false,
    });
  });

  it('does not undo concurrent changes of other policies', async () => {
    const principal = people.otherSchool;
    await Promise.all([
      update({ policies: { late_fee_percent: 7 } }, principal),
      update({ policies: { no_show_fee_percent: 8 } }, principal),
      update({ policies: { makeup_credits: false } }, principal),
      update({ name: 'Baths' }, principal),
    ]);
    expect(await read(principal)).toMatchObject({
      name: 'Baths',
      policies: { late_fee_percent: 7, no_show_fee_percent: 8, makeup_credits: false },
    });
  });

  it('stores nothing in a dry run', async () => {
    const before = await read(people.school);
    const changes = { name: 'Dry', policies: { require_prepayment: true } };
    expect(await update(changes, people.school, { dryRun: true })).toEqual({
      ...before,
      name: 'Dry',
      policies: { ...before.policies, require_prepayment: true },
    });
    expect(await read(people.school)).toEqual(before);
  });

  it('rejects another account, whether or not it exists: foreign_account', async () => {
    for (const id of [people.otherFamily.accountId, newId('acct')])
      expect(await rejectionOf(update({ name: 'Mine' }, people.family, {}, id))).toMatchObject({
        reason: 'foreign_account',
      });
  });

  it('rejects an account that is not in the environment: resource_not_found', async () => {
    const live = aPrincipal({ ...people.family, env: 'live' });
    expect(await rejectionOf(update({ name: 'Live' }, live))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('rejects policies of any account but a school: policies_of_school_only', async () => {
    const work = update({ policies: { late_fee_percent: 10 } }, people.family);
    expect(await rejectionOf(work)).toMatchObject({
      reason: 'policies_of_school_only',
      details: { field: 'policies' },
    });
  });

  it('takes policies from a key that has accounts:write alone', async () => {
    const clerk = { ...people.school, scopes: ['accounts:write' as const] };
    const changes = { policies: { late_fee_percent: 10 }, timezone: 'Europe/Berlin' };
    expect(await update(changes, clerk)).toMatchObject(changes);
  });

  it.each([
    [{}, 'body', 'empty_patch'],
    [{ policies: {} }, 'policies', 'empty_patch'],
    [{ policies: null }, 'policies', 'invalid_type'],
    [{ policies: { late_fee_percent: 101 } }, 'policies.late_fee_percent', 'too_large'],
    [{ policies: { late_fee_percent: 12.5 } }, 'policies.late_fee_percent', 'invalid_type'],
    [{ policies: { no_show_fee_percent: -1 } }, 'policies.no_show_fee_percent', 'too_small'],
    [{ policies: { free_cancellation_hours: 8761 } }, 'policies.free_cancellation_hours', 'too_large'],
    [{ policies: { makeup_credits: 'yes' } }, 'policies.makeup_credits', 'invalid_type'],
    [{ policies: { fee: 1 } }, 'policies.fee', 'unknown_field'],
    [{ name: ' ' }, 'name', 'too_short'],
    [{ name: 'a\0' }, 'name', 'forbidden_characters'],
    [{ email: 'nobody' }, 'email', 'invalid_format'],
    [{ timezone: 'Mars/Base' }, 'timezone', 'unknown_timezone'],
    [{ metadata: { constructor: 'x' } }, 'metadata.constructor', 'invalid_value'],
    [{ metadata: { prototype: null } }, 'metadata.prototype', 'invalid_value'],
    [{ metadata: { ['k'.repeat(41)]: 'x' } }, `metadata.${'k'.repeat(41)}`, 'too_long'],
    [{ metadata: { crm: 'x'.repeat(501) } }, 'metadata.crm', 'too_long'],
    [{ metadata: null }, 'metadata', 'invalid_type'],
    [{ kind: 'family' }, 'kind', 'read_only'],
    [{ currency: 'XAU' }, 'currency', 'read_only'],
    [{ colour: 'blue' }, 'colour', 'unknown_field'],
  ])('rejects %j', async (changes, field, reason) => {
    const rejection = await rejectionOf(update(changes as Changes, people.school));
    expect([rejection.details.field, rejection.reason]).toEqual([field, reason]);
  });
});

describe('metadata of an account', () => {
  it('is merged by each change, which removes keys with null, and is in the export', async () => {
    const principal = people.family;
    const options = { principal };
    expect((await read(principal)).metadata).toEqual({});
    await update({ metadata: { crm: '4711', $set: 'a', 'a.b': '1' } }, principal);
    const after = { crm: '4712', 'a.b': '1' };
    expect((await update({ metadata: { crm: '4712', $set: null, none: null } }, principal)).metadata).toEqual(after);
    expect((await update({ name: 'Ruiz' }, principal)).metadata).toEqual(after);
    expect((await update({ metadata: { dry: 'run' } }, principal, { dryRun: true })).metadata).toEqual({
      ...after,
      dry: 'run',
    });
    expect((await read(principal)).metadata).toEqual(after);
    const exported = await people.harness.call(exportAccount, { account_id: principal.accountId }, options);
    expect(exported.account.metadata).toEqual(after);
  });

  it('keeps all keys of concurrent changes', async () => {
    const principal = people.otherFamily;
    const keys = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(keys.map((key) => update({ metadata: { [key]: 'x' } }, principal)));
    expect(Object.keys((await read(principal)).metadata).sort()).toEqual(keys);
  });

  it('rejects a change after which it would have 51 keys: too_long', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 'x']));
    await update({ metadata }, people.otherSchool);
    expect(await rejectionOf(update({ name: 'Full', metadata: { k50: 'x' } }, people.otherSchool))).toMatchObject({
      reason: 'too_long',
      details: { field: 'metadata' },
    });
    expect(await read(people.otherSchool)).toMatchObject({ name: expect.not.stringMatching('Full'), metadata });
  });
});
