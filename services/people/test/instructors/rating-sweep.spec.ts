import { afterAll, beforeAll, it } from '@jest/globals';
import { createReview, getInstructor } from '@swim/contracts';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';
import { type PeopleHarness, startPeople } from '../harness.js';
import { KnownSessions } from '../known-sessions.js';

// The number exceeds the batch of the sweep by one.
const POISONED = 101;

let people: PeopleHarness;
let sessions: KnownSessions;
beforeAll(async () => {
  people = await startPeople();
  sessions = new KnownSessions(people.harness);
  await people.harness.connection.flush();
});
afterAll(() => people?.stop());

const collection = (name: string) =>
  people.harness.database('people_test').collection<{ _id: string; [field: string]: unknown }>(name);

it('reviews whose counting fails do not block others, and are postponed', async () => {
  const broken = Array.from({ length: POISONED }, () => ({ instructorId: newId('ins'), _id: newId('rev') }));
  await collection('instructors').insertMany(
    broken.map(({ instructorId }) => ({
      _id: instructorId,
      schoolId: instructorId,
      readers: ['public'],
      ratingRev: 1,
    })),
  );
  // A review without the time of its creation cannot be mapped.
  await collection('reviews').insertMany(
    broken.map((each) => ({ ...each, sessionId: newId('ses'), stars: 3, counted: false, readers: [] })),
  );
  const instructor = await people.anInstructor();
  const options = { principal: people.family };
  const session_id = sessions.add(instructor, people.family);
  const made = await people.harness.call(createReview, { instructor_id: instructor.id, session_id, stars: 5 }, options);
  const unrated = { rating: { average: null, count: 0 }, reviews: [] };
  await collection('instructors').updateOne({ _id: instructor.id }, { $set: unrated });
  await collection('reviews').updateOne({ _id: made.id }, { $set: { counted: false } });
  const read = () => people.harness.call(getInstructor, { instructor_id: instructor.id }, options);
  await until(async () => (await read()).rating.count === 1, 'it is counted');
  const putOff = { _id: { $in: broken.map(({ _id }) => _id) }, countAt: { $type: 'date' } };
  await until(async () => (await collection('reviews').countDocuments(putOff)) === POISONED, 'they are postponed');
  await until(async () => (await collection('reviews').findOne({ _id: made.id }))!.counted, 'it is noted');
});
