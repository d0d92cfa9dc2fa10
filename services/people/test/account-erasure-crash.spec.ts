import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createMember,
  createReview,
  eraseAccount,
  eraseBookingsOfAccount,
  eraseEventsOfAccount,
  erasePaymentsOfAccount,
  eraseTimesOfAccount,
  type Instructor,
  type Principal,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, CrashableService, until } from '@swim/testing';
import { openAccounts, type PeopleHarness, startPeople } from './harness.js';
import { KnownSessions } from './known-sessions.js';

const PAST = new Date(0);
// The chaos run crashes after each write; a usual run after every seventh, from a random one on.
const STRIDE = process.env.CHAOS ? 1 : 7;
const FIRST = 1 + Math.floor(Math.random() * STRIDE);
const OTHERS = [eraseTimesOfAccount, eraseBookingsOfAccount, erasePaymentsOfAccount, eraseEventsOfAccount] as const;

let people: PeopleHarness;
let sessions: KnownSessions;
let service: CrashableService;
let instructor: Instructor;

beforeAll(async () => {
  process.env.ERASURE_DRAIN_MS = '50';
  people = await startPeople(async (harness) => {
    service = await CrashableService.start(harness, {
      service: 'people',
      load: async () => ({
        module: (await import('../src/app.module.js')).AppModule,
        config: (await import('../src/config.js')).config,
      }),
      lapse,
    });
    return service;
  });
  for (const operation of OTHERS) people.harness.serve(operation, () => ({ done: true }));
  sessions = new KnownSessions(people.harness);
  instructor = await people.anInstructor();
});
afterAll(() => people?.stop());

const collection = (name: string) => people.harness.database('people_test').collection(name);

/** Ends every lease, and makes everything due for recovery. */
async function lapse(): Promise<void> {
  await Promise.all([
    collection('idempotency').updateMany({ state: 'running' }, { $set: { leaseUntil: PAST } }),
    collection('erasures').updateMany({ nextAt: { $type: 'date' } }, { $set: { nextAt: PAST } }),
    ...OUTBOXES.map((name) => collection(name).updateMany({ relayAt: { $type: 'date' } }, { $set: { relayAt: PAST } })),
  ]);
}

const OUTBOXES = ['members', 'reviews', 'instructors'];

/** Whether no erasure has a step left, no rating is to be counted, and no event is to be published. */
async function isIdle(): Promise<boolean> {
  const open = await Promise.all([
    collection('erasures').countDocuments({ nextAt: { $type: 'date' } }),
    collection('accounts').countDocuments({ state: 'erasing' }),
    collection('reviews').countDocuments({ counted: false }),
    ...OUTBOXES.map((name) => collection(name).countDocuments({ relayAt: { $type: 'date' } })),
  ]);
  return open.every((count) => count === 0);
}

/** All documents of the test environment as text. */
async function everything(): Promise<string> {
  const database = people.harness.database('people_test');
  const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const found = await Promise.all(names.map((name) => database.collection(name).find().toArray()));
  return JSON.stringify(found).toLowerCase();
}

/** A family with a child, its medical notes, and a review. */
async function aFamily(): Promise<{ principal: Principal; memberId: string }> {
  const principal = aPrincipal();
  const { accountId: account_id } = principal;
  await openAccounts(people.service, [principal]);
  const child = { account_id, name: 'Canary Kid', date_of_birth: '2017-05-04', medical_notes: 'canary notes' };
  const { id } = await people.harness.insist(createMember, child, { principal, idempotencyKey: newId('req') });
  const session_id = sessions.add(instructor, principal);
  const review = { instructor_id: instructor.id, session_id, stars: 4, comment: 'canary words' };
  await people.harness.insist(createReview, review, { principal, idempotencyKey: newId('req') });
  return { principal, memberId: id };
}

describe('people crashes after any single write of the erasure of an account', () => {
  it('and its client does not retry: the account, its members and its keys are erased all the same', async () => {
    let n = FIRST;
    for (let crashed = true; crashed; n += STRIDE) {
      const { principal, memberId } = await aFamily();
      const { accountId } = principal;
      const erase = () => people.harness.call(eraseAccount, { account_id: accountId }, { principal });
      crashed = await service.crashDuring(n, erase, isIdle);
      await service.idle(isIdle);
      expect([n, await collection('accounts').findOne({ _id: accountId as never })]).toMatchObject([
        n,
        { state: 'erased' },
      ]);
      expect([n, await collection('erasures').findOne({ _id: accountId as never })]).toMatchObject([
        n,
        { step: null, round: 2 },
      ]);
      const erased = () =>
        people.events.filter(({ objectId, type }) => objectId === memberId && type === 'member.erased');
      await until(() => erased().length > 0, 'the erasure of the member is published');
      expect([n, erased()]).toMatchObject([n, { length: 1 }]);
      expect(await everything()).not.toContain('canary');
    }
    expect(n).toBeGreaterThan(20);
  });
});
