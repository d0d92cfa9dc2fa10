import { afterAll, beforeAll, it } from '@jest/globals';
import {
  advanceSandboxClock,
  assessMember,
  createInstructor,
  createKey,
  createMember,
  createReview,
  eraseAccount,
  eraseMember,
  getAccount,
  getInstructor,
  getMember,
  getMemberProgress,
  getSandboxClock,
  type Instructor,
  listKeys,
  listMembers,
  listReviews,
  type Principal,
  resetSandbox,
  restoreAccount,
  revokeKey,
  rollKey,
  updateAccount,
  updateInstructor,
  updateKey,
  updateMember,
} from '@swim/contracts';
import { aPrincipal, publicWrites, RetriedWrites, retried, until } from '@swim/testing';
import { connectionWrites } from './connections/retried-connections.js';
import { instructorInput, openAccounts, type PeopleHarness, startPeople } from './harness.js';
import { withKey } from './key-harness.js';
import { KnownSessions } from './known-sessions.js';
import { ClockParts } from './lifecycle/clock-parts.js';
import { OTHERS } from './lifecycle/erasures.js';
import { ResetParts } from './lifecycle/reset-parts.js';

const PATIENCE_MS = 240_000;

let people: PeopleHarness;
let writes: RetriedWrites;
let sessions: KnownSessions;
beforeAll(async () => {
  writes = await RetriedWrites.before('people');
  // No second round of a reset, which waits for requests from before it.
  process.env.ERASURE_DRAIN_MS = '3600000';
  people = await startPeople();
  sessions = new KnownSessions(people.harness);
  new ResetParts(people.harness, people.pools);
  new ClockParts(people.harness);
  for (const operation of OTHERS) people.harness.serve(operation, () => ({ done: true }));
  await people.harness.connection.flush();
});
afterAll(async () => {
  writes?.release();
  await people?.stop();
  await writes?.close();
});

const call: PeopleHarness['harness']['call'] = (...request) => people.harness.call(...request);
const insist: PeopleHarness['harness']['insist'] = (...request) => people.harness.insist(...request);

/** A new account with a key of its own. */
async function anAccount(overrides: Partial<Principal> = {}): Promise<Principal> {
  const principal = aPrincipal(overrides);
  await openAccounts(people.service, [principal]);
  return withKey(people, principal);
}
const aSchool = () => anAccount({ kind: 'school' });
const anInstructor = (principal: Principal) => call(createInstructor, instructorInput(), { principal });
const kidOf = ({ accountId: account_id }: Principal) => ({ account_id, name: 'Kid', date_of_birth: '2017-05-04' });
const stateOf = async ({ accountId, env }: Principal) => {
  const accounts = people.harness.database(`people_${env}`).collection<{ _id: string; state?: string }>('accounts');
  return (await accounts.findOne({ _id: accountId }))?.state ?? 'open';
};
const namesOf = async (principal: Principal) =>
  (await call(listMembers, { limit: 100 }, { principal })).items.map(({ name }) => name);
const keysOf = async (principal: Principal) => {
  const { items } = await call(listKeys, { account_id: principal.accountId }, { principal });
  // Each run of a request gives a key another text, until it is too late.
  return items.map(({ last_used_at: _, last4: __, ...key }) => key);
};
const profileOf = ({ id }: Pick<Instructor, 'id'>, principal: Principal) =>
  call(getInstructor, { instructor_id: id }, { principal });

const ACCOUNTS = [
  retried(updateAccount, async () => {
    const principal = await aSchool();
    const account_id = principal.accountId;
    const named = (name: string, free_cancellation_hours: number) => ({
      account_id,
      changes: { name, email: `${name}@example.test`, metadata: { name }, policies: { free_cancellation_hours } },
    });
    return {
      principal,
      input: named('first', 1),
      rival: () => call(updateAccount, named('second', 2), { principal }),
      look: () => call(getAccount, { account_id }, { principal }),
    };
  }),
  retried(eraseAccount, async () => {
    const principal = await anAccount({ env: 'live' });
    const input = { account_id: principal.accountId };
    return {
      principal,
      input,
      rival: () => call(restoreAccount, input, { principal }),
      look: () => stateOf(principal),
    };
  }),
  retried(restoreAccount, async () => {
    const principal = await anAccount({ env: 'live' });
    const input = { account_id: principal.accountId };
    await call(eraseAccount, input, { principal });
    return {
      principal,
      input,
      rival: () => call(eraseAccount, input, { principal }),
      look: () => stateOf(principal),
    };
  }),
  retried(resetSandbox, async () => {
    const principal = await anAccount();
    return {
      principal,
      input: {},
      rival: async () => {
        await insist(resetSandbox, {}, { principal, idempotencyKey: 'rival' });
        await call(createMember, kidOf(principal), { principal });
      },
      look: () => namesOf(principal),
    };
  }),
  retried(advanceSandboxClock, async () => {
    const principal = await anAccount();
    const to = (hours: number) => ({ advance_to: new Date(Date.now() + hours * 3_600_000).toISOString() });
    return {
      principal,
      input: to(24),
      rival: () => call(advanceSandboxClock, to(48), { principal }),
      look: async () => (await call(getSandboxClock, {}, { principal })).offset_seconds,
    };
  }),
];

const KEYS = [
  retried(createKey, async () => {
    const principal = await anAccount();
    const account_id = principal.accountId;
    return {
      principal,
      input: { account_id, name: 'first' },
      rival: ({ id: key_id }) => call(revokeKey, { account_id, key_id }, { principal }),
      look: () => keysOf(principal),
    };
  }),
  retried(updateKey, async () => {
    const principal = await anAccount();
    const account_id = principal.accountId;
    const { id: key_id } = await call(createKey, { account_id, name: 'new' }, { principal });
    return {
      principal,
      input: {
        account_id,
        key_id,
        changes: { name: 'first', scopes: ['members:read' as const, 'members:write' as const] },
      },
      rival: () => {
        const changes = { name: 'second', scopes: ['members:read' as const] };
        return call(updateKey, { account_id, key_id, changes }, { principal });
      },
      look: () => keysOf(principal),
    };
  }),
  retried(rollKey, async () => {
    const principal = await anAccount();
    const account_id = principal.accountId;
    const { id: key_id } = await call(createKey, { account_id, name: 'new' }, { principal });
    return {
      principal,
      input: { account_id, key_id },
      rival: ({ id }) => call(revokeKey, { account_id, key_id: id }, { principal }),
      look: () => keysOf(principal),
    };
  }),
  retried(revokeKey, async () => {
    const principal = await anAccount();
    const account_id = principal.accountId;
    const { id: key_id } = await call(createKey, { account_id, name: 'new' }, { principal });
    return {
      principal,
      input: { account_id, key_id },
      rival: () => call(revokeKey, { account_id, key_id }, { principal }),
      look: () => keysOf(principal),
    };
  }),
];

const MEMBERS = [
  retried(createMember, async () => {
    const principal = await anAccount();
    return {
      principal,
      input: kidOf(principal),
      rival: ({ id: member_id }) => call(updateMember, { member_id, changes: { name: 'second' } }, { principal }),
      look: () => namesOf(principal),
    };
  }),
  retried(updateMember, async () => {
    const principal = await anAccount();
    const { id: member_id } = await call(createMember, kidOf(principal), { principal });
    const named = (name: string) => ({ member_id, changes: { name, metadata: { name }, medical_notes: name } });
    return {
      principal,
      input: named('first'),
      rival: () => call(updateMember, named('second'), { principal }),
      look: () => call(getMember, { member_id }, { principal }),
    };
  }),
  retried(eraseMember, async () => {
    const principal = await anAccount();
    const { id: member_id } = await call(createMember, kidOf(principal), { principal });
    return {
      principal,
      input: { member_id },
      rival: () => call(createMember, kidOf(principal), { principal }),
      look: () => namesOf(principal),
    };
  }),
  retried(assessMember, async () => {
    const [principal, family] = [await aSchool(), await anAccount()];
    const { id: member_id } = await call(createMember, kidOf(family), { principal: family });
    await people.connect(member_id, principal, family);
    const read = () => call(getMemberProgress, { member_id }, { principal });
    await until(() => read().then(Boolean, () => false), 'the school reads the member');
    const found = (status: 'introduced' | 'mastered') => ({
      member_id,
      skills: [{ code: 'l1_bobbing' as const, status }],
      note: status,
    });
    return {
      principal,
      input: found('mastered'),
      rival: () => call(assessMember, found('introduced'), { principal }),
      look: read,
    };
  }),
];

const INSTRUCTORS = [
  retried(createInstructor, async () => {
    const principal = await aSchool();
    return {
      principal,
      input: instructorInput(),
      rival: ({ id: instructor_id }) =>
        call(updateInstructor, { instructor_id, changes: { name: 'second' } }, { principal }),
      look: (made) => profileOf(made, principal),
    };
  }),
  retried(updateInstructor, async () => {
    const principal = await aSchool();
    const instructor = await anInstructor(principal);
    const named = (name: string) => ({ instructor_id: instructor.id, changes: { name, metadata: { name } } });
    return {
      principal,
      input: named('first'),
      rival: () => call(updateInstructor, named('second'), { principal }),
      look: () => profileOf(instructor, principal),
    };
  }),
  retried(createReview, async () => {
    const [school, principal] = [await aSchool(), await anAccount()];
    const instructor = await anInstructor(school);
    const review = (stars: number) => ({
      instructor_id: instructor.id,
      session_id: sessions.add(instructor, principal),
      stars,
    });
    return {
      principal,
      input: review(5),
      rival: () => call(createReview, review(1), { principal }),
      look: async () => [
        await call(listReviews, { instructor_id: instructor.id }, { principal }),
        (await profileOf(instructor, school)).rating,
      ],
    };
  }),
];

const CASES = [...ACCOUNTS, ...KEYS, ...MEMBERS, ...INSTRUCTORS, ...connectionWrites(call, anAccount)];

it.each(publicWrites('people'))(
  'the effect of another client stands when $name, which came before it, is repeated or ends late',
  (operation) => writes.check(people.harness, operation, CASES),
  PATIENCE_MS,
);
