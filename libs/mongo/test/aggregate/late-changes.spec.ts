import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Deadline } from '@swim/platform';
import { type MongoHarness, startHarness } from '../harness.js';
import { aContext, aLesson, counted, type Lesson, type Lessons, type Replica, startReplica } from '../replica.js';

let harness: MongoHarness;
let replica: Replica;
let lessons: Lessons;

beforeAll(async () => {
  harness = await startHarness();
  replica = await startReplica(harness);
  lessons = replica.lessons;
});
afterAll(async () => {
  await replica.stop();
  await harness.stop();
});

describe('a request whose deadline has passed', () => {
  const late = { reason: 'deadline_exceeded' };

  it('stores nothing', async () => {
    const lesson = aLesson();
    const context = aContext({ deadline: new Deadline(0) });
    await expect(lessons.insert(context, lesson)).rejects.toMatchObject(late);
    await expect(lessons.insertAll(context, [lesson])).rejects.toMatchObject(late);
    expect(await harness.database().collection<Lesson>('lessons').findOne({ _id: lesson._id })).toBeNull();
  });

  it('between its read and its write writes nothing', async () => {
    const lesson = await lessons.insert(aContext(), aLesson());
    const context = aContext();
    const decide = (now: Lesson) => {
      jest.spyOn(context.deadline, 'expired', 'get').mockReturnValue(true);
      return counted(now);
    };
    await expect(lessons.change(context, lesson._id, decide)).rejects.toMatchObject(late);
    expect(await lessons.get(lesson._id)).toMatchObject({ count: 0, rev: 1 });
  });
});

describe('a change of a document in hand', () => {
  it('is decided on it without a read, and on the stored one when that has changed since', async () => {
    const inHand = await lessons.insert(aContext(), aLesson());
    const decidedOn: number[] = [];
    const change = (of: Lesson) =>
      lessons.change(aContext(), of, (now) => {
        decidedOn.push(now.rev);
        return { set: { count: now.count + 1 } };
      });
    const { document } = (await change(inHand))!;
    const stored = harness.database().collection<Lesson>('lessons');
    await stored.updateOne({ _id: inHand._id }, { $inc: { rev: 1, count: 10 } });
    await change(document);
    expect(decidedOn).toEqual([1, 2, 3]);
    expect(await stored.findOne({ _id: inHand._id })).toMatchObject({ rev: 4, count: inHand.count + 12 });
  });
});
