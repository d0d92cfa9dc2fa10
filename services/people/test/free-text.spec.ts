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
import { everythingStored, type RequestOptions, until } from '@swim/testing';
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
  await people.connect(id, people.school, people.family);
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
