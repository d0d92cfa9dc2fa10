import { describe, expect, it } from '@jest/globals';
import {
  changeRole,
  createInstructor,
  createInvitation,
  createKey,
  type Environment,
  getDashboardMe,
  type InputOf,
  listInvitations,
  listUsers,
  type Role,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { rejectionOf } from '@swim/testing';
import { instructorInput } from '../harness.js';
import { call, users } from '../shared-users.js';
import type { SignedIn } from '../user-harness.js';

const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
const invite = (by: SignedIn, role: Role, instructor_id?: string) =>
  call(createInvitation, { email: users.anAddress(), role, ...(instructor_id && { instructor_id }) }, by);

/** An instructor of the owner's school. */
const anInstructorOf = async ({ principal }: SignedIn, env: Environment = 'live') =>
  (await call(createInstructor, instructorInput(), { principal: { ...principal, env } })).id;

describe('a guardian', () => {
  it('books, pays and reads; without keys, users, members to change, and the erasure', async () => {
    const owner = await users.anOwner({ kind: 'family' });
    const guardian = await users.aUser(owner, 'guardian');
    const { scopes } = guardian.principal;
    expect([...scopes].sort()).toEqual([
      'accounts:read',
      'bookings:write',
      'events:read',
      'instructors:read',
      'members:medical',
      'members:read',
      'payments:write',
      'sessions:write',
    ]);
    const mint = call(createKey, { account_id: owner.me.account.id, name: 'Till', scopes: ['keys:write'] }, guardian);
    expect(await reasonOf(mint)).toBe('missing_scope');
    expect(await reasonOf(call(listUsers, {}, guardian))).toBe('missing_role');
    expect(await reasonOf(invite(guardian, 'viewer'))).toBe('missing_role');
    const self = { user_id: guardian.me.user.id, role: 'owner' } as const;
    expect(await reasonOf(call(changeRole, self, guardian))).toBe('missing_role');
  });

  it('gets the offset of the sandbox clock without a scope', async () => {
    const owner = await users.anOwner();
    const teacher = await users.aUser(owner, 'instructor', await anInstructorOf(owner, 'test'));
    const me = async () => (await call(getDashboardMe, { session: teacher.cookie }, teacher)).data.account;
    expect(await me()).toMatchObject({ clock_offset_seconds: 0 });
    const clock = { offsetMs: 86_400_500, fromMs: 0, targetMs: null };
    const accounts = users.people.harness.database('people_test').collection<{ _id: string }>('accounts');
    await accounts.updateOne({ _id: owner.me.account.id }, { $set: { clock } });
    expect(await me()).toMatchObject({ clock_offset_seconds: 86_400 });
  });

  it('is of a family, and an instructor of a school: invalid_value', async () => {
    const [family, school] = [await users.anOwner({ kind: 'family' }), await users.anOwner()];
    expect(await reasonOf(invite(school, 'guardian'))).toBe('invalid_value');
    expect(await reasonOf(call(changeRole, { user_id: school.me.user.id, role: 'guardian' }, school))).toBe(
      'invalid_value',
    );
    expect(await reasonOf(invite(family, 'instructor', newId('ins')))).toBe('not_found');
    const own = await anInstructorOf(school);
    expect(await reasonOf(invite(family, 'instructor', own))).toBe('not_found');
  });
});

describe('an instructor', () => {
  it('is the one that the invitation names, of either environment, and has no scope', async () => {
    const owner = await users.anOwner();
    for (const env of ['live', 'test'] as const) {
      const id = await anInstructorOf(owner, env);
      const teacher = await users.aUser(owner, 'instructor', id);
      expect(teacher.me).toMatchObject({
        user: { role: 'instructor', instructor_id: id },
        environments: [env === 'live' ? 'live' : 'sandbox'],
        scopes: [],
      });
      expect(teacher.principal).toMatchObject({ instructorId: id, scopes: [] });
      expect(await reasonOf(call(listUsers, {}, teacher))).toBe('missing_role');
    }
  });

  it('is named by the invitation of that role alone, and is of the school', async () => {
    const [owner, other] = [await users.anOwner(), await users.anOwner()];
    const [own, foreign] = [await anInstructorOf(owner), await anInstructorOf(other)];
    expect(await reasonOf(invite(owner, 'instructor'))).toBe('required');
    expect(await reasonOf(invite(owner, 'viewer', own))).toBe('unknown_field');
    for (const id of [foreign, newId('ins')]) expect(await reasonOf(invite(owner, 'instructor', id))).toBe('not_found');
    const { id } = await invite(owner, 'instructor', own);
    const { items } = await call(listInvitations, {}, owner);
    expect(items).toMatchObject([{ id, role: 'instructor', instructor_id: own }]);
  });

  it('is made by no change of a role, and is bound no longer with another one', async () => {
    const owner = await users.anOwner();
    const teacher = await users.aUser(owner, 'instructor', await anInstructorOf(owner));
    const user_id = teacher.me.user.id;
    const become = (role: Role) => call(changeRole, { user_id, role } as InputOf<typeof changeRole>, owner);
    expect(await reasonOf(become('instructor'))).toBe('invalid_value');
    expect(await become('viewer')).toMatchObject({ role: 'viewer', instructor_id: null });
    const { instructorId, scopes } = await users.principalOf(teacher.cookie);
    expect([instructorId, scopes.length > 0]).toEqual([undefined, true]);
  });
});
