import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createMember,
  createReview,
  eraseAccount,
  getAccount,
  getInstructor,
  getMember,
  listReviews,
  type Principal,
  updateAccount,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { type PeopleHarness, startPeople } from '../harness.js';
import { KnownSessions } from '../known-sessions.js';
import { Erasures, OTHERS } from './erasures.js';

let people: PeopleHarness;
let erasures: Erasures;
let sessions: KnownSessions;
/** The requests to erase that the other services got, in order, and how often each returns that there is more. */
let requested: string[] = [];
const unfinished = new Map<string, number>();

beforeAll(async () => {
  process.env.ERASURE_DRAIN_MS = '50';
  people = await startPeople();
  erasures = new Erasures(people);
  sessions = new KnownSessions(people.harness);
  for (const operation of OTHERS)
    people.harness.serve(operation, ({ accountId }) => {
      requested.push(`${operation.service} ${accountId}`);
      const left = unfinished.get(operation.service) ?? 0;
      unfinished.set(operation.service, left - 1);
      return { done: left <= 0 };
    });
});
afterAll(() => people?.stop());
beforeEach(() => {
  requested = [];
  unfinished.clear();
});

const anAccount = (overrides: Partial<Principal> = {}) => erasures.anAccount(overrides);
const erase = (principal: Principal, options: RequestOptions = {}) => erasures.erase(principal, options);
const stored = (collection: string, filter: object) => erasures.stored(collection, filter);
const isErased = (principal: Principal) => erasures.isErased(principal);

const personalKeys = () => people.harness.database('people_keys_test').collection<{ _id: string }>('personal_keys');

/** All documents of this service, of both environments, as text. */
async function everything(): Promise<string> {
  const texts: string[] = [];
  for (const env of ['test', 'live']) {
    const database = people.harness.database(`people_${env}`);
    for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray())
      texts.push(JSON.stringify(await database.collection(name).find().toArray()));
  }
  return texts.join('\n');
}

describe('DELETE of a test account', () => {
  it('has ended what others may read before it answers', async () => {
    const family = await anAccount();
    const member = await people.aMember({ account_id: family.accountId }, { principal: family });
    const instructor = await people.anInstructor();
    const session_id = sessions.add(instructor, family);
    const review = { instructor_id: instructor.id, session_id, stars: 4, comment: 'canary words' };
    await people.harness.call(createReview, review, { principal: family });

    await erase(family);

    expect(await stored('members', { _id: member.id })).toMatchObject([{ readers: [], name: '' }]);
    const { items } = await people.harness.call(listReviews, { instructor_id: instructor.id }, {});
    expect(items).toMatchObject([{ stars: 4, comment: null }]);
    await isErased(family);
    expect(requested.slice(0, 3)).toEqual(
      ['scheduling', 'booking', 'payment'].map((name) => `${name} ${family.accountId}`),
    );
  });

  it('erases members, reviews, keys and the account at once, and requests the other services in order, twice', async () => {
    const family = await anAccount();
    const account_id = family.accountId;
    const options = { principal: family };
    await people.harness.call(
      updateAccount,
      { account_id, changes: { name: 'Canary Family', metadata: { canary: 'x' } } },
      options,
    );
    const input = { account_id, name: 'Canary Kid', date_of_birth: '2017-05-04', medical_notes: 'canary notes' };
    const member = await people.harness.call(createMember, input, { ...options, idempotencyKey: newId('req') });
    const instructor = await people.anInstructor();
    const session_id = sessions.add(instructor, family);
    const review = { instructor_id: instructor.id, session_id, stars: 4, comment: 'canary words' };
    await people.harness.call(createReview, review, { ...options, idempotencyKey: newId('req') });

    const { erases_at } = await erase(family);

    expect(Date.parse(erases_at)).toBeLessThanOrEqual(people.clock.now().getTime());
    await isErased(family);
    expect(requested).toEqual(
      [1, 2].flatMap(() => ['scheduling', 'booking', 'payment', 'notification'].map((name) => `${name} ${account_id}`)),
    );
    const published = await people.eventOf(member.id, 2);
    expect(published).toMatchObject({ type: 'member.erased', object: { account_id } });
    expect((await rejectionOf(people.harness.call(getAccount, { account_id }, options))).reason).toBe(
      'resource_not_found',
    );
    expect((await rejectionOf(people.harness.call(getMember, { member_id: member.id }, options))).reason).toBe(
      'resource_not_found',
    );
    for (const collection of ['data_keys', 'idempotency', 'api_keys'])
      expect([collection, await stored(collection, { $or: [{ _id: account_id }, { accountId: account_id }] })]).toEqual(
        [collection, []],
      );
    const keys = await personalKeys()
      .find({ _id: { $in: [member.id, account_id] } })
      .toArray();
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(key).not.toHaveProperty('wrapped');
    // The stars stay, the comment and its author do not, also in the instructor's profile.
    const rated = await until(async () => {
      const answer = await people.harness.call(getInstructor, { instructor_id: instructor.id }, {});
      return answer.reviews[0]?.comment === null ? answer : null;
    }, 'the profile shows the review without its words');
    expect(rated.rating).toEqual({ average: 4, count: 1 });
    const { items } = await people.harness.call(listReviews, { instructor_id: instructor.id }, {});
    expect(items).toMatchObject([{ stars: 4, comment: null }]);
    const left = (await everything()).toLowerCase();
    expect(left).not.toContain('canary');
  });

  it('repeats the request to a service that has more to erase', async () => {
    unfinished.set('payment', 2);
    const family = await anAccount();
    await erase(family);
    await isErased(family);
    expect(requested.filter((each) => each.startsWith('payment'))).toHaveLength(4);
  });

  it('removes a school and its texts from the members that it could read, and empties its instructors', async () => {
    const school = await anAccount({ kind: 'school' });
    const options = { principal: school };
    const fields = { name: 'Canary Coach', email: 'canary@example.test', bio: 'canary bio', phone: '+14155550199' };
    const instructor = await people.anInstructor(fields, options);
    const policies = { late_fee_percent: 30, offer_url_template: 'https://canary.example/{hold_id}' };
    await people.harness.call(updateAccount, { account_id: school.accountId, changes: { policies } }, options);
    const session_id = sessions.add(instructor, people.family);
    const review = { instructor_id: instructor.id, session_id, stars: 2, comment: 'canary coach was late' };
    await people.harness.call(createReview, review, { principal: people.family });
    const member = await people.aMember();
    await people.connect(member.id, school, people.family);
    const readBySchool = () => people.harness.call(getMember, { member_id: member.id }, options);
    await until(
      () =>
        readBySchool().then(
          () => true,
          () => false,
        ),
      'the school reads the member',
    );

    await erase(school);
    await isErased(school);

    const asFamily = { principal: people.family };
    expect(
      (await rejectionOf(people.harness.call(getInstructor, { instructor_id: instructor.id }, asFamily))).reason,
    ).toBe('resource_not_found');
    expect((await rejectionOf(readBySchool())).reason).toBe('resource_not_found');
    expect(await people.harness.call(getMember, { member_id: member.id }, asFamily)).toMatchObject({ id: member.id });
    const money = { lateFeePercent: 30, requirePrepayment: false };
    expect(await stored('accounts', { _id: school.accountId })).toMatchObject([{ policies: money }]);
    expect((await everything()).toLowerCase()).not.toContain('canary');
  });

  it('empties an instructor of any name, also of the name that an emptied one has', async () => {
    const school = await anAccount({ kind: 'school' });
    const fields = { name: 'erased', email: 'namesake@example.test', bio: 'namesake bio', phone: '+14155550198' };
    const instructor = await people.anInstructor(fields, { principal: school });

    await erase(school);
    await isErased(school);

    const rejected = people.harness.call(getInstructor, { instructor_id: instructor.id }, {});
    expect((await rejectionOf(rejected)).reason).toBe('resource_not_found');
    expect((await everything()).toLowerCase()).not.toContain('namesake');
  });

  it('stores nothing in a dry run', async () => {
    const family = await anAccount();
    expect(await erase(family, { dryRun: true })).toEqual({ erases_at: expect.any(String) });
    expect(
      await people.harness.call(getAccount, { account_id: family.accountId }, { principal: family }),
    ).toMatchObject({
      id: family.accountId,
    });
  });

  it('rejects another account: foreign_account', async () => {
    const rejected = people.harness.call(eraseAccount, { account_id: people.otherFamily.accountId }, {});
    expect((await rejectionOf(rejected)).reason).toBe('foreign_account');
  });

  it('rejects an account that does not exist: resource_not_found', async () => {
    expect((await rejectionOf(erase(aPrincipal()))).reason).toBe('resource_not_found');
  });
});
