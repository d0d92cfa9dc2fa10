import { expect, it } from '@jest/globals';
import { changeRole, listUsers, type Role, removeUser } from '@swim/contracts';
import { call, users } from '../shared-users.js';
import type { SignedIn } from '../user-harness.js';

/** What runs, to its end, before the nth write to the roles of users. */
type Rivals = ReadonlyMap<number, () => Promise<unknown>>;
type Write = (...args: unknown[]) => Promise<unknown>;

/** Runs work, and rivals between its writes; returns how many writes the work had. */
async function amid(work: () => Promise<unknown>, rivals: Rivals): Promise<number> {
  const { OwnersRepository } = await import('../../src/identity/users/owners.repository.js');
  const { UsersRepository } = await import('../../src/identity/users/users.repository.js');
  let writes = 0;
  let isRival = false;
  const watched = [OwnersRepository, UsersRepository].flatMap((type) => {
    const repository = users.people.service.app.get<object>(type, { strict: false }) as Record<string, Write>;
    return ['update', 'tryInsert', 'remove'].map((method) => ({ repository, method, write: repository[method]! }));
  });
  for (const { repository, method, write } of watched)
    repository[method] = async function watchedWrite(...args) {
      const rival = isRival ? undefined : rivals.get(++writes);
      isRival ||= rival !== undefined;
      await rival?.();
      if (rival) isRival = false;
      return write.apply(this, args);
    };
  try {
    await work().catch(() => undefined);
    return writes;
  } finally {
    for (const { repository, method, write } of watched) repository[method] = write;
  }
}

const rolesOf = async ({ me }: SignedIn) =>
  (await users.documents('users').find({ readers: me.account.id }).toArray()).map(
    (user) => 'memberships' in user && (user.memberships as { role: Role }[])[0]!.role,
  );
const become = ({ me }: SignedIn, role: 'owner' | 'viewer', by: SignedIn) =>
  call(changeRole, { user_id: me.user.id, role }, by);
const settled = (work: Promise<unknown>) => work.catch(() => undefined);

/** Two owners of an account. */
async function twoOwners(): Promise<[SignedIn, SignedIn]> {
  const owner = await users.anOwner();
  return [owner, await users.aUser(owner, 'owner')];
}

type End = (who: SignedIn, by: SignedIn) => Promise<unknown>;

/** How many writes a request has that ends the ownership of one of two owners. */
async function writesOf(end: End): Promise<number> {
  const [owner, other] = await twoOwners();
  return amid(() => end(other, owner), new Map());
}

/** Ends the ownership of one of two owners while another request ends it too, and the other owner leaves, at any writes. */
async function expectOwnerAfter(end: End): Promise<void> {
  const writes = await writesOf(end);
  for (let first = 1; first <= writes; first++) {
    for (let second = first; second <= writes; second++) {
      const [owner, other] = await twoOwners();
      const demote = () => settled(become(other, 'viewer', owner));
      const leave = () => settled(become(owner, 'viewer', owner));
      const rivals = new Map([[first, demote]]);
      rivals.set(second, first === second ? () => demote().then(leave) : leave);
      await amid(() => end(other, owner), rivals);
      expect([first, second, await rolesOf(owner)]).toEqual([first, second, expect.arrayContaining(['owner'])]);
    }
  }
}

it('an account keeps an owner while two requests demote one of two owners, and the other one leaves', () =>
  expectOwnerAfter((who, by) => become(who, 'viewer', by)));

it('an account keeps an owner while one of two owners is removed and demoted at once, and the other one leaves', () =>
  expectOwnerAfter((who, by) => call(removeUser, { user_id: who.me.user.id }, by)));

it('an account keeps an owner while one who is demoted gets the role back, and the other one leaves', async () => {
  const end: End = (who, by) => become(who, 'viewer', by);
  const writes = await writesOf(end);
  for (let nth = 1; nth <= writes; nth++) {
    const [owner, other] = await twoOwners();
    const rival = async () => {
      await settled(become(other, 'viewer', owner));
      await settled(become(other, 'owner', owner));
      await settled(become(owner, 'viewer', owner));
    };
    await amid(() => end(other, owner), new Map([[nth, rival]]));
    expect([nth, await rolesOf(owner)]).toEqual([nth, expect.arrayContaining(['owner'])]);
  }
});

it('an owner leaves an account whose other owner a crash has left out', async () => {
  const [owner, other] = await twoOwners();
  const only = { $set: { owners: [owner.me.user.id] } };
  await users.documents('user_owners').updateOne({ _id: owner.me.account.id }, only);
  expect(await become(owner, 'viewer', owner)).toMatchObject({ role: 'viewer' });
  expect((await call(listUsers, {}, other)).items).toHaveLength(2);
});
