import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createReview,
  exportAccount,
  getAccount,
  listOwnInstructors,
  listOwnReviews,
  type Principal,
} from '@swim/contracts';
import { aPrincipal, rejectionOf } from '@swim/testing';
import { type PeopleHarness, startPeople } from '../harness.js';
import { KnownSessions } from '../known-sessions.js';

let people: PeopleHarness;
let sessions: KnownSessions;
beforeAll(async () => {
  people = await startPeople();
  sessions = new KnownSessions(people.harness);
});
afterAll(() => people?.stop());

const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;

describe('the export of an account', () => {
  it('begins with the account itself', async () => {
    const [account_id, options] = [people.family.accountId, { principal: people.family }];
    const account = await people.harness.call(getAccount, { account_id }, options);
    expect(await people.harness.call(exportAccount, { account_id }, options)).toEqual({ account });
  });

  it('rejects another account: foreign_account', async () => {
    const requested = people.harness.call(
      exportAccount,
      { account_id: people.family.accountId },
      { principal: people.school },
    );
    expect(await reasonOf(requested)).toBe('foreign_account');
  });

  it('rejects an account that does not exist: resource_not_found', async () => {
    const principal = aPrincipal();
    const requested = people.harness.call(exportAccount, { account_id: principal.accountId }, { principal });
    expect(await reasonOf(requested)).toBe('resource_not_found');
  });
});

describe('the instructors of an export', () => {
  it('are the school’s own, newest first', async () => {
    const options = { principal: people.otherSchool };
    const [first, second] = [await people.anInstructor({}, options), await people.anInstructor({}, options)];
    await people.anInstructor();
    const { items } = await people.harness.call(
      listOwnInstructors,
      { account_id: people.otherSchool.accountId },
      options,
    );
    expect(items.map(({ id }) => id)).toEqual([second.id, first.id]);
  });

  it('reject another account: foreign_account', async () => {
    const requested = people.harness.call(listOwnInstructors, { account_id: people.otherSchool.accountId }, {});
    expect(await reasonOf(requested)).toBe('foreign_account');
  });
});

describe('the reviews of an export', () => {
  it('are those that the account wrote, with their comments', async () => {
    const instructor = await people.anInstructor();
    const write = (principal: Principal) => {
      const session_id = sessions.add(instructor, principal);
      const input = { instructor_id: instructor.id, session_id, stars: 5, comment: 'Kind' };
      return people.harness.call(createReview, input, { principal });
    };
    const own = await write(people.family);
    await write(people.otherFamily);
    const input = { account_id: people.family.accountId };
    const { items } = await people.harness.call(listOwnReviews, input, { principal: people.family });
    expect(items).toEqual([own]);
  });

  it('reject another account: foreign_account', async () => {
    const input = { account_id: people.family.accountId };
    const requested = people.harness.call(listOwnReviews, input, { principal: people.otherFamily });
    expect(await reasonOf(requested)).toBe('foreign_account');
  });
});
