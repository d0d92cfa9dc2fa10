import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assessMember,
  createReview,
  eraseMember,
  getInstructor,
  getMember,
  getMemberProgress,
  type Instructor,
  listReviews,
  updateInstructor,
  updateMember,
} from '@swim/contracts';
import { everythingStored, migrationEnded, type RequestOptions, until } from '@swim/testing';
import { type PeopleHarness, startPeople } from './harness.js';
import { KnownSessions } from './known-sessions.js';

const CONTACT = { name: 'oriolusmother', phone: '+14155550177', relationship: 'mother' };
const NOTE = 'oriolusteacher';
const COMMENT = 'oriolusreview';
const MEDICAL = 'oriolusmedical';
const CANARY = 'oriolus';

let people: PeopleHarness;
let sessions: KnownSessions;
let asFamily: RequestOptions;
let asSchool: RequestOptions;
beforeAll(async () => {
  people = await startPeople();
  sessions = new KnownSessions(people.harness);
  await people.harness.connection.flush();
  asFamily = { principal: people.family };
  asSchool = { principal: people.school };
});
afterAll(() => people?.stop());

const collection = <D extends { _id: string }>(name: string) =>
  people.harness.database('people_test').collection<D>(name);
const keyOf = (_id: string) =>
  people.harness
    .database('people_keys_test')
    .collection<{ _id: string; wrapped?: string }>('personal_keys')
    .findOne({ _id });
const progressOf = async (member_id: string) =>
  (await people.harness.call(getMemberProgress, { member_id }, asSchool)).notes.map(({ text }) => text);
const commentsOf = async ({ id: instructor_id }: Instructor) => {
  const { items } = await people.harness.call(listReviews, { instructor_id, limit: 10 }, asFamily);
  const { reviews } = await people.harness.call(getInstructor, { instructor_id }, asFamily);
  return [...items, ...reviews].map(({ comment }) => comment);
};

/** A member with every kind of text, by requests that can be repeated. */
async function writtenAbout(): Promise<{ id: string; instructor: Instructor }> {
  const { id } = await people.aMember({ name: 'Mia', medical_notes: MEDICAL, emergency_contact: CONTACT });
  const key = (idempotencyKey: string) => ({ idempotencyKey: `${idempotencyKey} ${id}` });
  await people.harness.call(
    updateMember,
    { member_id: id, changes: { name: 'Mia B' } },
    { ...asFamily, ...key('name') },
  );
  await people.publishSession(id, people.school, people.family);
  const assessment = { member_id: id, skills: [{ code: 'l1_bobbing', status: 'mastered' as const }], note: NOTE };
  const reads = () =>
    people.harness.call(getMember, { member_id: id }, asSchool).then(
      () => true,
      () => false,
    );
  await until(reads, 'the school reads the member');
  await people.harness.call(assessMember, assessment, { ...asSchool, ...key('assess') });
  const instructor = await people.anInstructor();
  const session_id = sessions.add(instructor, people.family, 'completed', id);
  const review = { instructor_id: instructor.id, session_id, stars: 5, comment: COMMENT };
  await people.harness.call(createReview, review, { ...asFamily, ...key('review') });
  const changes = { bio: 'Swims' };
  await people.harness.call(
    updateInstructor,
    { instructor_id: instructor.id, changes },
    { ...asSchool, ...key('bio') },
  );
  return { id, instructor };
}

describe('texts about a member', () => {
  it('are returned in clear, and stored in clear nowhere: in no document of any database, event or stream', async () => {
    const { id, instructor } = await writtenAbout();
    expect(await people.harness.call(getMember, { member_id: id }, asFamily)).toMatchObject({
      medical_notes: MEDICAL,
      emergency_contact: CONTACT,
    });
    expect(await progressOf(id)).toEqual([NOTE]);
    expect(await commentsOf(instructor)).toEqual([COMMENT, COMMENT]);
    const everything = await everythingStored(people.harness);
    expect(everything).toContain(id);
    expect(everything).not.toContain(CANARY);
    expect(JSON.stringify(people.events)).not.toContain(CANARY);
  });

  it('are unreadable once its erasure has destroyed the member’s key, also in a backup', async () => {
    const { id, instructor } = await writtenAbout();
    const backup = (await collection('members').findOne({ _id: id }))!;
    expect(await keyOf(id)).toHaveProperty('wrapped');
    await people.harness.call(eraseMember, { member_id: id }, asFamily);
    expect((await keyOf(id))?.wrapped).toBeUndefined();
    expect(await commentsOf(instructor)).toEqual([null, null]);
    await collection('members').replaceOne({ _id: id }, backup);
    expect(await people.harness.call(getMember, { member_id: id }, asFamily)).toMatchObject({
      medical_notes: null,
      emergency_contact: null,
    });
  });

  it('are bound to their place: a note moved into another one does not decrypt', async () => {
    const { id } = await writtenAbout();
    const another = { member_id: id, skills: [{ code: 'l1_bobbing', status: 'mastered' as const }], note: 'another' };
    await people.harness.call(assessMember, another, asSchool);
    const members = collection<{ _id: string; progressNotes: { sealed: string }[] }>('members');
    const { progressNotes } = (await members.findOne({ _id: id }))!;
    const swapped = progressNotes.map((note, index) => ({ ...note, sealed: progressNotes[1 - index]!.sealed }));
    await members.updateOne({ _id: id }, { $set: { progressNotes: swapped } });
    await expect(progressOf(id)).rejects.toMatchObject({ reason: 'internal' });
  });
});

describe('texts of a former release', () => {
  beforeAll(async () => {
    const database = people.harness.database('people_test');
    await migrationEnded(database, '0001-members-under-keys-of-their-own');
    await migrationEnded(database, '0001-reviews-with-encrypted-comments');
  });

  it('of members are readable at once, and re-encrypted with the members’ keys', async () => {
    const { id } = await writtenAbout();
    const { AccountKeys } = await import('../src/privacy/account-keys.service.js');
    const { MemberTextsMigration } = await import('../src/members/member-texts.migration.js');
    const [accounts, migration] = [
      people.service.app.get(AccountKeys, { strict: false }),
      people.service.app.get(MemberTextsMigration, { strict: false }),
    ];
    const account = (await accounts.find('test', people.family.accountId))!;
    const seal = (text: string, field: string) =>
      account.seal(text, `${people.family.accountId}:${id}:${field}`).toString('base64');
    const former = {
      medicalNotes: seal(MEDICAL, 'medical_notes'),
      emergencyContact: seal(JSON.stringify(CONTACT), 'emergency_contact'),
      progressNotes: [{ sealed: seal(NOTE, 'progress_note'), by: people.school.accountId, at: new Date() }],
      ops: [{ id: 'former', data: JSON.stringify(seal('{}', 'answer')) }],
    };
    await collection('members').updateOne({ _id: id }, { $set: former });
    const readable = async () => {
      expect(await progressOf(id)).toEqual([NOTE]);
      expect(await people.harness.call(getMember, { member_id: id }, asFamily)).toMatchObject({
        medical_notes: MEDICAL,
        emergency_contact: CONTACT,
      });
    };
    await readable();
    expect((await migration.migrate('test', '')).changed).toBe(1);
    expect((await migration.migrate('test', '')).changed).toBe(0);
    await readable();
    expect(JSON.stringify(await collection('members').findOne({ _id: id }))).not.toContain(former.medicalNotes);
  });

  it('of reviews are readable at once, and encrypted in the review and in the instructor', async () => {
    const { instructor } = await writtenAbout();
    const former = { id: 'rev_former', stars: 5, comment: COMMENT, created_at: new Date().toISOString() };
    await collection('reviews').updateOne({ instructorId: instructor.id } as object, {
      $set: { comment: COMMENT },
      $unset: { memberId: 1 },
    });
    const kept = { reviews: [former], ops: [{ id: 'former', data: JSON.stringify({ reviews: [former] }) }] };
    await collection('instructors').updateOne({ _id: instructor.id }, { $set: kept });
    expect(await commentsOf(instructor)).toEqual([COMMENT, COMMENT]);
    const { CommentsMigration } = await import('../src/reviews/comments.migration.js');
    const migration = people.service.app.get(CommentsMigration, { strict: false });
    expect((await migration.migrate('test', '')).changed).toBe(1);
    expect(await commentsOf(instructor)).toEqual([COMMENT, COMMENT]);
    expect(await everythingStored(people.harness)).not.toContain(COMMENT);
    expect((await migration.migrate('test', '')).changed).toBe(0);
  });
});
