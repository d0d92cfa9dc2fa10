import { describe, expect, it, jest } from '@jest/globals';
import {
  addDemoBooking,
  confirmSignUp,
  DEMO_LESSONS,
  listInstructors,
  listMembers,
  type Principal,
  signUp,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { partOf, until } from '@swim/testing';
import { call, users } from '../shared-users.js';
import { PASSWORD } from '../user-harness.js';

interface Account {
  readonly reset?: { readonly step: string | null; readonly attempt: number };
  readonly resetDueAt?: Date | null;
}

const accountIn = async (env: 'live' | 'test', accountId: string) =>
  (await users.people.harness
    .database(`people_${env}`)
    .collection<{ _id: string }>('accounts')
    .findOne({ _id: accountId })) as Account | null;

/** Waits until the account lacks nothing of its demo data, and nothing of it is left to do. */
const isFilled = (accountId: string) =>
  until(async () => {
    const account = await accountIn('test', accountId);
    return account?.reset?.step === null && account.resetDueAt === null;
  }, 'the demo data is complete');

const instructorsOf = async (principal: Principal) =>
  (await call(listInstructors, { limit: 100 }, { principal })).items.filter(
    ({ account_id: owner }) => owner === principal.accountId,
  );

describe('the sandbox of a new account', () => {
  it('of a school gets demo instructors beside those that a client makes at once', async () => {
    const owner = await users.anOwner();
    const principal = await users.principalOf(owner.cookie, 'test');
    const own = await users.people.anInstructor({ name: 'Kim Coach' }, { principal });
    await isFilled(principal.accountId);
    const instructors = await instructorsOf(principal);
    expect(instructors.map(({ id }) => id)).toContain(own.id);
    expect(instructors.length).toBeGreaterThan(1);
    expect((await accountIn('live', principal.accountId))!.reset).toBeUndefined();
  });

  it('of a family gets demo members beside those that a client makes at once', async () => {
    const owner = await users.anOwner({ kind: 'family' });
    const principal = await users.principalOf(owner.cookie, 'test');
    const own = await users.people.aMember({ account_id: principal.accountId, name: 'Mia' }, { principal });
    await isFilled(principal.accountId);
    const members = (await call(listMembers, { account_id: principal.accountId }, { principal })).items;
    expect(members.map(({ id }) => id)).toContain(own.id);
    expect(members.length).toBeGreaterThan(1);
  });

  it('gets each object of its demo data within a time of its own, so that a slow machine comes to the end with all', async () => {
    const calls = jest.spyOn(partOf(users.people.service, RpcClient), 'call');
    const { accountId } = await users.principalOf((await users.anOwner()).cookie, 'test');
    await isFilled(accountId);
    const made = calls.mock.calls.filter(([operation]) => operation === addDemoBooking);
    const deadlines = made.flatMap(([, , { deadline, principal }]) =>
      principal.accountId === accountId ? [deadline] : [],
    );
    calls.mockRestore();
    expect(new Set(deadlines).size).toBe(DEMO_LESSONS.length);
  });

  it('gets them once, also where a crash before the end of its link lets it be confirmed a second time', async () => {
    const email = users.anAddress();
    await call(signUp, users.signUpInput(email));
    const token = await users.tokenTo(email, 'sign_up');
    const { cookie } = await users.signedIn(email, await call(confirmSignUp, { token, password: PASSWORD }));
    const principal = await users.principalOf(cookie, 'test');
    await isFilled(principal.accountId);
    const state = async () => ({
      reset: (await accountIn('test', principal.accountId))!.reset,
      instructors: (await instructorsOf(principal)).map(({ id }) => id),
    });
    const before = await state();
    const linkId = token.split('.')[1]!;
    await users.documents('user_links').updateOne({ _id: linkId }, { $set: { endedAt: null } });
    await call(confirmSignUp, { token, password: PASSWORD });
    await isFilled(principal.accountId);
    expect(await state()).toEqual(before);
  });
});
