import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assessMember,
  connectBooked,
  createMember,
  describeParticipants,
  eraseMember,
  getMember,
  getMemberProgress,
  listMembers,
  updateMember,
} from '@swim/contracts';
import { Deadline, makeRequestContext, newId } from '@swim/platform';
import { partOf, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { type PeopleHarness, startPeople, withRival } from '../harness.js';

let people: PeopleHarness;
let asFamily: RequestOptions;
let asSchool: RequestOptions;
beforeAll(async () => {
  people = await startPeople();
  asFamily = { principal: people.family };
  asSchool = { principal: people.school };
});
afterAll(() => people?.stop());

const erase = (member_id: string, options = asFamily) => people.harness.call(eraseMember, { member_id }, options);
const read = (member_id: string, options = asFamily) => people.harness.call(getMember, { member_id }, options);
const document = (id: string) =>
  people.harness.database('people_test').collection<{ _id: string }>('members').findOne({ _id: id });
const reads = (id: string, options: RequestOptions) =>
  read(id, options).then(
    () => true,
    () => false,
  );

/** A member that the school reads. */
async function aPupil(): Promise<string> {
  const { id } = await people.aMember({ name: 'Canary Bird', medical_notes: 'canary notes' });
  await people.connect(id, people.school, people.family);
  await until(() => reads(id, asSchool), 'the school reads the member');
  return id;
}

/** Runs `between` right before the first write of the work. */
async function onceBeforeCommit(
  repository: object,
  between: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  const patched = repository as { commit?: (...args: unknown[]) => Promise<unknown> };
  const whole = patched.commit!;
  patched.commit = async (...args) => {
    delete patched.commit;
    await between();
    return whole.apply(repository, args);
  };
  try {
    await work();
  } finally {
    delete patched.commit;
  }
}

describe('erasing a member', () => {
  it('hides it from reads by id, lists, totals, searches and participants, and is rejected the second time', async () => {
    const id = await aPupil();
    const { id: instructorId } = await people.anInstructor();
    const list = (query: object) =>
      people.harness.call(listMembers, { account_id: people.family.accountId, ...query }, asFamily);
    const before = (await list({})).pagination.total;
    expect(await erase(id)).toEqual({});
    const gone: [string, () => Promise<unknown>][] = [
      ['its account', () => read(id)],
      ['its school', () => read(id, asSchool)],
      ['a change', () => people.harness.call(updateMember, { member_id: id, changes: { name: 'Back' } }, asFamily)],
      ['its progress', () => people.harness.call(getMemberProgress, { member_id: id }, asFamily)],
      [
        'an assessment',
        () =>
          people.harness.call(
            assessMember,
            { member_id: id, skills: [{ code: 'l1_bobbing', status: 'mastered' }] },
            asSchool,
          ),
      ],
      ['a second erasure', () => erase(id)],
    ];
    for (const [what, work] of gone)
      expect([what, (await rejectionOf(work())).reason]).toEqual([what, 'resource_not_found']);
    expect((await list({})).pagination.total).toBe(before - 1);
    expect((await list({ search: 'canary' })).pagination.total).toBe(0);
    for (const options of [asFamily, asSchool])
      expect(await people.harness.call(describeParticipants, { instructorId, memberIds: [id] }, options)).toMatchObject(
        {
          members: [null],
        },
      );
  });

  it('keeps level, skills and history without a name, and removes stored answers', async () => {
    const id = await aPupil();
    const skills = [{ code: 'l1_bobbing', status: 'mastered' as const }];
    await people.harness.call(assessMember, { member_id: id, skills, note: 'canary note' }, asSchool);
    await people.harness.call(
      updateMember,
      { member_id: id, changes: { name: 'Canary Two', swimming_level: 'advanced' } },
      { ...asFamily, idempotencyKey: `change ${id}` },
    );
    await erase(id);
    expect(await document(id)).toMatchObject({
      accountId: people.family.accountId,
      readers: [],
      name: '',
      searchWords: [],
      dateOfBirth: '',
      medicalNotes: null,
      emergencyContact: null,
      progressNotes: [],
      ops: [],
      swimmingLevel: 'advanced',
      skills: [{ code: 'l1_bobbing', status: 'mastered' }],
      levelHistory: [{ level: 'beginner' }, { level: 'advanced' }],
      erasedAt: expect.any(Date),
    });
  });

  it('publishes one event to its account and its schools, without other data', async () => {
    const id = await aPupil();
    await erase(id, { ...asFamily, requestId: 'req-of-mine' });
    const event = await people.eventOf(id, 2);
    expect(event).toMatchObject({
      type: 'member.erased',
      audience: [people.family.accountId, people.school.accountId],
      cause: { requestId: 'req-of-mine' },
    });
    expect(event.object).toEqual({
      object: 'member',
      id,
      account_id: people.family.accountId,
      erased_at: expect.any(String),
    });
    expect(event).not.toHaveProperty('previous');
  });

  it('publishes it to a school too that got the right to read during the erasure', async () => {
    const { MembersRepository } = await import('../../src/people/members/members.repository.js');
    const { id } = await people.aMember();
    const repository = partOf(people.service, MembersRepository);
    const right = { id: people.school.accountId, isActive: true, generation: 1, revision: 1 };
    const admit = () => repository.setRight(id, right);
    await onceBeforeCommit(repository, admit, () => erase(id));
    const readers = [people.family.accountId, people.school.accountId];
    expect(await people.eventOf(id, 2)).toMatchObject({ type: 'member.erased', audience: readers });
    expect(await document(id)).toMatchObject({ readers: [], schools: [] });
  });

  it('removes the stored answers that contain it: their keys then return resource_not_found', async () => {
    const input = { account_id: people.family.accountId, name: 'Canary Once', date_of_birth: '2015-01-01' };
    const keyed = { ...asFamily, idempotencyKey: 'make a canary' };
    const make = () => people.harness.call(createMember, input, keyed);
    const { id } = await make();
    const other = await people.harness.call(createMember, input, { ...asFamily, idempotencyKey: 'and another' });
    const change = () =>
      people.harness.call(
        updateMember,
        { member_id: id, changes: { name: 'Canary Twice' } },
        { ...asFamily, idempotencyKey: 'rename it' },
      );
    await change();
    const records = people.harness.database('people_test').collection<{ _id: string }>('idempotency');
    expect(await records.countDocuments({ subjects: id })).toBe(2);
    await erase(id);
    // Already when the erasure is answered: the event comes later.
    expect(await records.countDocuments({ subjects: id })).toBe(0);
    expect(await records.countDocuments({ forgotten: true, answer: { $exists: true } })).toBe(0);
    for (const retry of [make, change]) expect((await rejectionOf(retry())).reason).toBe('resource_not_found');
    expect(await people.harness.call(createMember, input, { ...asFamily, idempotencyKey: 'and another' })).toEqual(
      other,
    );
  });

  it('is not undone by a booking that ends later, or by the resumed run of a creation', async () => {
    const { MembersService } = await import('../../src/people/members/members.service.js');
    const members = partOf(people.service, MembersService);
    const seed = newId('mem');
    const context = makeRequestContext({
      requestId: newId('req'),
      principal: people.family,
      deadline: new Deadline(10_000),
      opId: 'the work',
      newId: () => seed,
    });
    const input = {
      account_id: people.family.accountId,
      name: 'Late',
      date_of_birth: '2015-01-01',
      swimming_level: 'beginner' as const,
    };
    await members.create(input, context);
    await erase(seed);
    const pair = { schoolId: people.school.accountId, accountId: people.family.accountId };
    await people.harness.call(connectBooked, { ...pair, memberIds: [seed], generation: 0 }, asFamily);
    expect(await document(seed)).toMatchObject({ readers: [] });
    expect((await rejectionOf(members.create(input, { ...context, resumed: true }))).reason).toBe('resource_not_found');
  });

  it('stores nothing in a dry run', async () => {
    const id = await aPupil();
    const before = await read(id);
    expect(await erase(id, { ...asFamily, dryRun: true })).toEqual({});
    expect(await read(id)).toEqual(before);
  });
});

describe('erasing is rejected', () => {
  it('for a school that may read the member: foreign_account', async () => {
    const id = await aPupil();
    expect(await rejectionOf(erase(id, asSchool))).toMatchObject({
      reason: 'foreign_account',
      code: 'AUTHORIZATION_ERROR',
    });
    expect(await reads(id, asFamily)).toBe(true);
  });

  it('for all other accounts: resource_not_found', async () => {
    const id = await aPupil();
    for (const work of [() => erase(id, { principal: people.otherFamily }), () => erase(newId('mem'))])
      expect(await rejectionOf(work())).toMatchObject({ reason: 'resource_not_found' });
  });

  it('after repeated concurrent changes: change_in_progress', async () => {
    const { MembersRepository } = await import('../../src/people/members/members.repository.js');
    const { id } = await people.aMember();
    const collection = people.harness.database('people_test').collection<{ _id: string }>('members');
    const repository = partOf(people.service, MembersRepository);
    const error = await rejectionOf(withRival(repository, collection, () => erase(id)));
    expect(error).toMatchObject({ reason: 'change_in_progress', code: 'CONFLICT' });
    expect(await reads(id, asFamily)).toBe(true);
  });
});
