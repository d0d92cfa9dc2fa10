import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  advanceSandboxClock,
  createReview,
  DEMO_LESSONS,
  DEMO_PUPILS,
  getAccount,
  getInstructor,
  getMember,
  getSandboxClock,
  listInstructors,
  listMembers,
  type Principal,
  resetSandbox,
  type SandboxClock,
  updateAccount,
} from '@swim/contracts';
import { inEnvironment, newId } from '@swim/platform';
import { aPrincipal, type RequestOptions, rejectionOf, until } from '@swim/testing';
import type { AccountDocument } from '../../src/identity/accounts/account.schema.js';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';
import { KnownSessions } from '../known-sessions.js';
import { ClockParts } from './clock-parts.js';
import { ResetParts } from './reset-parts.js';

const DAY_MS = 86_400_000;
const PARTS = [
  'notification empty',
  'scheduling end',
  'booking end',
  'payment end',
  'payment empty',
  'booking empty',
  'scheduling empty',
];

let people: PeopleHarness;
let parts: ResetParts;
let sessions: KnownSessions;
let family: Principal;
let school: Principal;

beforeAll(async () => {
  process.env.ERASURE_DRAIN_MS = '50';
  people = await startPeople();
  parts = new ResetParts(people.harness, people.pools);
  new ClockParts(people.harness);
  sessions = new KnownSessions(people.harness);
});
afterAll(() => people?.stop());
beforeEach(async () => {
  [family, school] = [aPrincipal(), aPrincipal({ kind: 'school' })];
  await openAccounts(people.service, [family, school]);
});
afterEach(() => {
  parts.unfinished.clear();
  parts.beforeAnswer = () => undefined;
});

/** Resets an account; on a busy machine the answer comes before the end. */
async function reset(principal = family, options: RequestOptions = {}): Promise<SandboxClock> {
  const answer = await people.harness.call(resetSandbox, {}, { principal, ...options });
  if (answer.resetting) await until(async () => !(await clock(principal)).resetting, 'the reset has ended');
  return answer;
}
const clock = (principal = family) => people.harness.call(getSandboxClock, {}, { principal });
const membersOf = async (principal: Principal) => (await people.harness.call(listMembers, {}, { principal })).items;
const aMember = () => people.aMember({ account_id: family.accountId }, { principal: family });
const stored = (collection: string, filter: object) =>
  people.harness.database('people_test').collection(collection).find(filter).toArray();
const isOver = ({ accountId }: Principal) =>
  until(
    async () => (await stored('accounts', { _id: accountId, 'reset.step': null })).length === 1,
    'both rounds of the reset are over',
  );

describe('the demo data of a new account', () => {
  it('are made once, and what its clients have made meanwhile is kept', async () => {
    const { AccountResetsService } = await import('../../src/lifecycle/sandbox/account-resets.service.js');
    const resets = people.service.app.get(AccountResetsService, { strict: false });
    await resets.fill(family.accountId);
    const own = await aMember();
    await isOver(family);
    await resets.fill(family.accountId);
    expect((await stored('accounts', { _id: family.accountId }))[0]).toMatchObject({ reset: { step: null } });
    const made = await membersOf(family);
    expect(made.map(({ id }) => id)).toContain(own.id);
    expect(made.map(({ name }) => name)).toEqual(expect.arrayContaining(['Jonas Okafor', 'Mia Okafor']));
    expect(made).toHaveLength(3);
  });
});

describe('POST /sandbox/reset', () => {
  it('of a family erases its members, resets every service in order, and makes members and a card', async () => {
    const member = await aMember();
    expect(await reset()).toMatchObject({ offset_seconds: 0, advancing: false });
    expect(await clock()).toMatchObject({ resetting: false });
    expect(parts.of(family.accountId).slice(0, PARTS.length)).toEqual(PARTS);
    expect(
      (await rejectionOf(people.harness.call(getMember, { member_id: member.id }, { principal: family }))).reason,
    ).toBe('resource_not_found');
    expect(await people.eventOf(member.id, 2)).toMatchObject({ type: 'member.erased' });
    expect((await membersOf(family)).map(({ name }) => name)).toEqual(['Jonas Okafor', 'Mia Okafor']);
    expect(parts.demo.at(-1)).toMatch(/^pm_/);
  });

  it('of a school empties its instructors, ends its rights to read pupils, and makes a pool, instructors, members and a week of bookings', async () => {
    const instructor = await people.anInstructor({}, { principal: school });
    const session_id = sessions.add(instructor, family);
    const review = { instructor_id: instructor.id, session_id, stars: 2, comment: 'Late.' };
    await people.harness.call(createReview, review, { principal: family });
    const member = await aMember();
    await people.connect(member.id, school, family);
    await until(async () => (await membersOf(school)).length === 1, 'the school reads its pupil');

    await reset(school);

    const pupils = await membersOf(school);
    expect(pupils.map(({ name }) => name)).toEqual(DEMO_PUPILS.map(({ name }) => name).toReversed());
    expect(pupils.every(({ account_id }) => account_id === school.accountId)).toBe(true);
    expect(parts.bookingsOf(school.accountId)).toHaveLength(DEMO_LESSONS.length);
    expect(await people.harness.call(getMember, { member_id: member.id }, { principal: family })).toMatchObject({
      id: member.id,
    });
    const { items } = await people.harness.call(listInstructors, { limit: 100 }, { principal: family });
    const own = items.filter(({ account_id }) => account_id === school.accountId);
    expect(own.map(({ name }) => name)).toEqual(['Sunita Gurung', 'Marcus Bell', 'Greta Lindqvist']);
    expect(own.at(-1)).toMatchObject({ service_areas: [{ pool_ids: [parts.demo.at(-1)] }] });
    expect(own.map(({ rating }) => rating.average)).toEqual([4.5, 5, 4.5]);
    const { reviews } = await people.harness.call(getInstructor, { instructor_id: own[0]!.id }, { principal: family });
    expect(reviews.map(({ stars, comment }) => stars + typeof comment)).toEqual(['4string', '5string']);
    expect(await stored('reviews', { sessionId: session_id })).toMatchObject([{ comment: null }]);
  });

  it('sets the clock back, and policies and metadata to those of a new account; name and keys stay', async () => {
    const account_id = school.accountId;
    const changes = { policies: { late_fee_percent: 100 }, metadata: { tier: 'gold' }, name: 'Named' };
    await people.harness.call(updateAccount, { account_id, changes }, { principal: school });
    const advance_to = new Date(people.clock.now().getTime() + DAY_MS).toISOString();
    await people.harness.call(advanceSandboxClock, { advance_to }, { principal: school });
    await reset(school);
    expect(await clock(school)).toMatchObject({ offset_seconds: 0 });
    expect(await people.harness.call(getAccount, { account_id }, { principal: school })).toMatchObject({
      name: 'Named',
      metadata: {},
      policies: { late_fee_percent: 50 },
    });
  });

  it('repeats a part that has more to do, and is resetting until it has done all', async () => {
    parts.unfinished.set(`${family.accountId} payment end`, 3);
    const during: SandboxClock[] = [];
    // The second round of the account of a former test may go on meanwhile.
    parts.beforeAnswer = async (part, accountId) => {
      if (part === 'payment end' && accountId === family.accountId) during.push(await clock());
    };
    await reset();
    expect(during[3]).toMatchObject({ resetting: true, offset_seconds: 0 });
    const [first, second, ...others] = PARTS;
    const step = ['booking end', 'payment end'];
    const repeated = [first, second, ...step, ...step, ...step, ...others];
    expect(parts.of(family.accountId).slice(0, repeated.length)).toEqual(repeated);
  });

  it('takes a second round, which removes what earlier requests made late and keeps what was made since', async () => {
    const late = await aMember();
    const { promise: isStored, resolve: goOn } = Promise.withResolvers<void>();
    parts.beforeAnswer = (_, accountId) => (parts.of(accountId).length > PARTS.length ? isStored : undefined);
    await reset();
    // As a request from before the reset would store it now.
    const [pattern] = await stored('members', { accountId: family.accountId, erasedAt: null });
    const collection = people.harness.database('people_test').collection<{ _id: string }>('members');
    const [before] = await stored('members', { _id: late.id });
    const _id = newId('mem');
    await collection.insertOne({ ...pattern, _id, createdAt: before!.createdAt } as never);
    goOn();
    const made = await aMember();
    await isOver(family);
    const ids = (await membersOf(family)).map(({ id }) => id);
    expect(ids).toContain(made.id);
    expect(ids).toHaveLength(3);
    expect(parts.of(family.accountId)).toEqual([...PARTS, ...PARTS]);
    expect(
      new Set(parts.requested.filter((each) => each.accountId === family.accountId).map((each) => each.before)).size,
    ).toBe(1);
  });

  it('leaves rights that a school got by a lesson since', async () => {
    const member = await aMember();
    await people.connect(member.id, school, family);
    await until(async () => (await membersOf(school)).length === 1, 'the school reads its pupil');
    await reset(school);
    const reads = async () => (await membersOf(school)).some(({ id }) => id === member.id);
    expect(await reads()).toBe(false);
    await people.connect(member.id, school, family);
    await until(reads, 'the school reads its pupil again');
    await isOver(school);
    expect(await reads()).toBe(true);
  });

  it('makes an object anew under an Idempotency-Key from before it', async () => {
    const options = { principal: family, idempotencyKey: newId('req') };
    const input = { account_id: family.accountId, name: 'Kid' };
    const first = await people.aMember(input, options);
    await reset();
    expect((await people.aMember(input, options)).id).not.toBe(first.id);
  });

  it('keeps what is made since under the key of an earlier request that has failed', async () => {
    const options = { principal: family, idempotencyKey: newId('req') };
    const input = { account_id: family.accountId, name: 'Kid' };
    const first = await people.aMember(input, options);
    // As if its process had been killed before it stored the member.
    const database = people.harness.database('people_test');
    await database.collection<{ _id: string }>('members').deleteOne({ _id: first.id });
    const killed = { $set: { state: 'running', leaseUntil: new Date(0) }, $unset: { answer: 1, subjects: 1 } };
    await database.collection('idempotency').updateOne({ subjects: first.id }, killed);
    await reset();
    const made = await people.aMember(input, options);
    await isOver(family);
    expect((await membersOf(family)).map(({ id }) => id)).toContain(made.id);
  });

  it('answers the same under its own Idempotency-Key, and resets once', async () => {
    const options = { idempotencyKey: newId('req') };
    const first = await reset(family, options);
    const made = await aMember();
    await isOver(family);
    expect(await reset(family, options)).toEqual(first);
    expect((await membersOf(family)).map(({ id }) => id)).toContain(made.id);
  });

  it('is made again under a key whose record is gone', async () => {
    const options = { idempotencyKey: newId('req') };
    await reset(family, options);
    await people.harness.database('people_test').collection('idempotency').deleteMany({ accountId: family.accountId });
    const member = await aMember();
    await isOver(family);
    await reset(family, options);
    expect((await membersOf(family)).map(({ id }) => id)).not.toContain(member.id);
  });

  it('stores nothing in a dry run', async () => {
    const member = await aMember();
    expect(await reset(family, { dryRun: true })).toMatchObject({ offset_seconds: 0, resetting: false });
    expect((await membersOf(family)).map(({ id }) => id)).toEqual([member.id]);
    expect(parts.of(family.accountId)).toEqual([]);
  });

  it('rejects a second one, and an advance of the clock, while it is in progress: reset_in_progress', async () => {
    const reasons: string[] = [];
    parts.beforeAnswer = async (part, accountId) => {
      if (part !== 'booking end' || accountId !== family.accountId) return;
      const advance_to = new Date(people.clock.now().getTime() + DAY_MS).toISOString();
      reasons.push((await rejectionOf(reset())).reason);
      reasons.push(
        (await rejectionOf(people.harness.call(advanceSandboxClock, { advance_to }, { principal: family }))).reason,
      );
    };
    await reset();
    expect(reasons.slice(0, 2)).toEqual(['reset_in_progress', 'reset_in_progress']);
  });

  it('rejects a live account: unknown_route', async () => {
    const live = aPrincipal({ env: 'live' });
    await openAccounts(people.service, [live]);
    expect((await rejectionOf(reset(live))).reason).toBe('unknown_route');
  });

  it('rejects an account that does not exist: resource_not_found', async () => {
    expect((await rejectionOf(reset(aPrincipal()))).reason).toBe('resource_not_found');
  });

  it('is rejected while an advance of the clock is in progress: advance_in_progress', async () => {
    const accounts = people.harness.database('people_test').collection<{ _id: string }>('accounts');
    const clockDueAt = new Date(Date.now() + DAY_MS);
    const advancing = { offsetMs: 0, fromMs: 0, targetMs: DAY_MS, roundsLeft: 0 };
    await accounts.updateOne({ _id: family.accountId }, { $set: { clock: advancing, clockDueAt } });
    expect((await rejectionOf(reset())).reason).toBe('advance_in_progress');
    expect(parts.of(family.accountId)).toEqual([]);
  });
});

describe('a superseded run of a reset', () => {
  it('stores no progress, and a part that it requests late has the instant of its own reset', async () => {
    const { AccountResetsRepository } = await import('../../src/lifecycle/sandbox/account-resets.repository.js');
    const { unfinished } = people.service.app.get(AccountResetsRepository, { strict: false });
    const accounts = people.harness.database('people_test').collection<AccountDocument>('accounts');
    await reset();
    await isOver(family);
    const account = (await accounts.findOne({ _id: family.accountId }))!;
    const former = { ...account, resetDueAt: new Date(1) };
    const late = { reset: { ...account.reset!, step: 'lessons' as const } };
    expect(await inEnvironment('test', () => unfinished.renew(former, late))).toBe(false);
    const [after] = await stored('accounts', { _id: family.accountId });
    expect(after!.reset).toMatchObject({ step: null });
  });
});
