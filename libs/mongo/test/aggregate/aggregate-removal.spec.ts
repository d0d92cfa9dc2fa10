import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@swim/platform';
import { until } from '../../../testing/src/waiting/until.js';
import { asSystem } from '../../src/index.js';
import { type MongoHarness, startHarness } from '../harness.js';
import {
  aContext,
  aLesson,
  counted,
  family,
  type Lesson,
  type Lessons,
  type Replica,
  startReplica,
  stranger,
} from '../replica.js';

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

const raw = () => harness.database().collection<Lesson>('lessons');
const eventsOf = async (id: string) =>
  (await harness.stored()).filter(({ event }) => event.objectId === id).map(({ event }) => event);
/** The document once the relay has processed it. */
const relayed = (id: string): Promise<Lesson> =>
  until(async () => {
    const lesson = await raw().findOne({ _id: id });
    return lesson!.outbox.length === 0 ? lesson : null;
  }, 'the outbox is empty');

describe('a removed aggregate', () => {
  const everything = asSystem('test', 'a test looks');

  it('is found by no read, not even by a system scope', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson());
    expect(await lessons.removeById(_id)).toBe(true);
    expect(await lessons.get(_id)).toBeNull();
    expect(await lessons.view(everything, _id)).toBeNull();
    expect(await lessons.findOne(everything, { _id })).toBeNull();
    expect(await lessons.findMany(everything, { _id })).toEqual([]);
    expect(await lessons.findPicked(everything, { _id }, [])).toEqual([]);
    expect(await lessons.change(aContext(), _id, counted)).toBeNull();
    expect(await lessons.removeById(_id)).toBe(false);
  });

  it('is not stored again by late work, alone or with others', async () => {
    const lesson = aLesson();
    const context = aContext({ opId: 'late' });
    await lessons.insert(context, lesson);
    await lessons.removeById(lesson._id);
    await expect(lessons.insert(context, lesson)).rejects.toMatchObject({ reason: 'resource_not_found' });
    await expect(lessons.insertAll(context, [lesson, aLesson()])).rejects.toMatchObject({
      reason: 'resource_not_found',
    });
    expect(await lessons.get(lesson._id)).toBeNull();
  });

  it('keeps only its id, and releases its unique values', async () => {
    const lesson = aLesson({ code: newId('key'), title: 'a secret' });
    await lessons.insert(aContext(), lesson);
    await relayed(lesson._id);
    await lessons.removeById(lesson._id);
    expect(JSON.stringify(await raw().findOne({ _id: lesson._id }))).not.toContain('secret');
    await lessons.insert(aContext(), aLesson({ code: lesson.code }));
  });

  it('still publishes its events', async () => {
    const lesson = aLesson();
    await lessons.insert(aContext(), lesson);
    await lessons.removeById(lesson._id);
    await until(async () => (await eventsOf(lesson._id)).length === 1, 'its event is published');
    await until(async () => !(await raw().findOne({ _id: lesson._id }))?.outbox?.length, 'its outbox is empty');
  });
});

describe('a document for reading only', () => {
  it('omits the aggregate’s internal fields', async () => {
    const { _id, ...lesson } = await lessons.insert(aContext(), aLesson());
    const shown = await lessons.view(family, _id);
    expect(shown).toMatchObject({ _id, title: lesson.title });
    expect(shown).not.toHaveProperty('ops');
    expect(shown).not.toHaveProperty('outbox');
    expect(await lessons.view(stranger, _id)).toBeNull();
  });
});

describe('an insert that is repeated', () => {
  it('stores the document again when it is deleted after the insert has found its id taken', async () => {
    const lesson = aLesson();
    await lessons.insert(aContext(), lesson);
    const reads = lessons as unknown as { lookUpAll: (...args: unknown[]) => Promise<Lesson[]> };
    const read = jest.spyOn(reads, 'lookUpAll').mockImplementationOnce(async () => {
      await raw().deleteOne({ _id: lesson._id });
      return [];
    });
    expect(await lessons.insert(aContext(), lesson)).toMatchObject({ _id: lesson._id, rev: 1 });
    expect(read).toHaveBeenCalledTimes(1);
    expect(await lessons.get(lesson._id)).not.toBeNull();
    read.mockRestore();
  });
});
