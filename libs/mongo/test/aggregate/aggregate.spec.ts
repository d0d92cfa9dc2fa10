import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memberUpdated } from '@swim/contracts';
import { AppError, derivedId, newId, timeOfId } from '@swim/platform';
import { until } from '../../../testing/src/waiting/until.js';
import { type MongoHarness, startHarness } from '../harness.js';
import {
  aContext,
  aLesson,
  counted,
  created,
  family,
  type Lesson,
  type Lessons,
  type Replica,
  startReplica,
  stranger,
  toLessonObject,
  updated,
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
const bare = ({ outbox, relayAt, ...rest }: Lesson) => rest;

describe('a new aggregate', () => {
  it('is stored as returned, created at the time in its id, with its first event', async () => {
    const lesson = aLesson();
    const answered = await lessons.insert(aContext(), lesson);
    const time = timeOfId(lesson._id);
    expect(answered).toMatchObject({ ...lesson, rev: 1, eventCount: 1, createdAt: time, updatedAt: time });
    expect(bare(await relayed(lesson._id))).toEqual(bare(answered));
    const [event, ...others] = await eventsOf(lesson._id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      id: derivedId('evt', lesson._id, '1'),
      n: 1,
      type: 'member.created',
      env: 'test',
      occurredAt: time.toISOString(),
      audience: [family.accountId],
      object: toLessonObject(answered),
    });
  });

  it('made by concurrent runs of one piece of work is stored once, with one event', async () => {
    const lesson = aLesson();
    const context = aContext({ opId: 'work' });
    const answers = await Promise.all(Array.from({ length: 16 }, () => lessons.insert(context, lesson)));
    for (const answer of answers) expect(bare(answer)).toEqual(bare(answers[0]!));
    expect(await raw().countDocuments({ _id: lesson._id })).toBe(1);
    await relayed(lesson._id);
    expect(await eventsOf(lesson._id)).toHaveLength(1);
  });

  it('of an earlier run that was changed since is returned as it is now', async () => {
    const lesson = aLesson();
    await lessons.insert(aContext(), lesson);
    await lessons.change(aContext(), lesson._id, counted);
    expect(await lessons.insert(aContext(), lesson)).toMatchObject({ count: 1, rev: 2 });
  });

  it('is rejected when another one has its unique value', async () => {
    const code = newId('key');
    await lessons.insert(aContext(), aLesson({ code }));
    await expect(lessons.insert(aContext(), aLesson({ code }))).rejects.toMatchObject({ reason: 'already_exists' });
  });
});

describe('a change', () => {
  it('is returned as it is stored', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson());
    const changed = await lessons.change(aContext(), _id, () => ({
      set: { title: 'Butterfly', code: _id },
      events: [updated],
    }));
    expect(changed).toMatchObject({
      document: { title: 'Butterfly', rev: 2, eventCount: 2 },
      earlierAnswer: undefined,
    });
    expect(bare(await relayed(_id))).toEqual(bare(changed!.document));
  });

  it('may drop the answers of earlier work, and stores its own', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson());
    const change = (opId: string, more = {}) =>
      lessons.change(aContext({ opId }), _id, ({ count }) => ({
        set: { count: count + 1 },
        answer: () => opId,
        ...more,
      }));
    await change('first');
    await change('second', { forgetsAnswers: true });
    expect((await raw().findOne({ _id }))!.ops).toEqual([{ id: 'second', seed: null, data: '"second"' }]);
    expect((await change('second'))!.earlierAnswer).toBe('second');
  });

  it('may remove a field, in the result and in the database', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson({ leaseUntil: new Date() }));
    const changed = await lessons.change(aContext(), _id, () => ({ set: { leaseUntil: undefined } }));
    expect(changed!.document.leaseUntil).toBeUndefined();
    expect((await raw().findOne({ _id }))!.leaseUntil ?? null).toBeNull();
  });

  it('by 32 concurrent writers loses nothing: each acknowledged change is counted, events have no gap and unique ids', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson());
    const race = Array.from({ length: 32 }, () => lessons.change(aContext(), _id, counted));
    const outcomes = await Promise.allSettled(race);
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
    for (const { reason } of rejected)
      expect(reason).toMatchObject({ reason: 'change_in_progress', retryAfterSeconds: 1 });
    const won = outcomes.length - rejected.length;
    expect(won).toBeGreaterThan(8);
    expect(await relayed(_id)).toMatchObject({ count: won, rev: won + 1, eventCount: won + 1 });
    const events = await eventsOf(_id);
    expect(events.map(({ n }) => n).sort((a, b) => a - b)).toEqual(
      Array.from({ length: won + 1 }, (_, index) => index + 1),
    );
    for (const event of events) {
      expect(event.id).toBe(derivedId('evt', _id, String(event.n)));
      expect(event.object).toMatchObject({ count: event.n - 1 });
    }
  });

  it('decided on an outdated document is not written', async () => {
    const before = await lessons.insert(aContext(), aLesson());
    await lessons.change(aContext(), before._id, counted);
    expect(await lessons.write(aContext(), before, { set: { title: 'late' }, events: [updated] })).toBeNull();
    await relayed(before._id);
    expect(await lessons.get(before._id)).toMatchObject({ title: 'Crawl', rev: 2, eventCount: 2 });
    expect(await eventsOf(before._id)).toHaveLength(2);
  });

  it('that finds nothing to do writes nothing', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson());
    expect(await lessons.change(aContext(), _id, () => null)).toMatchObject({
      document: { rev: 1 },
      earlierAnswer: undefined,
    });
    expect((await lessons.get(_id)).rev).toBe(1);
  });

  it('that is rejected writes nothing', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson());
    const reject = () => {
      throw new AppError('invalid_state');
    };
    await expect(lessons.change(aContext(), _id, reject)).rejects.toMatchObject({ reason: 'invalid_state' });
    expect((await lessons.get(_id)).rev).toBe(1);
  });

  it('of a document that the account cannot see, or that does not match, changes nothing', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson());
    expect(await lessons.change(aContext({ principal: stranger }), _id, counted)).toBeNull();
    expect(await lessons.change(aContext(), _id, counted, ({ title }) => title !== 'Crawl')).toBeNull();
    expect(await lessons.change(aContext(), newId('mem'), counted)).toBeNull();
    expect((await lessons.get(_id)).count).toBe(0);
  });

  it('unseen by readers keeps the time of the last change', async () => {
    const { _id, updatedAt } = await lessons.insert(aContext(), aLesson());
    await lessons.change(aContext(), _id, () => ({ set: { leaseUntil: new Date() }, unseen: true }));
    expect(await lessons.get(_id)).toMatchObject({ updatedAt, rev: 2, eventCount: 1 });
    await lessons.change(aContext(), _id, counted);
    expect((await lessons.get(_id)).updatedAt.getTime()).toBeGreaterThan(updatedAt.getTime());
  });

  it('publishes former values, to a given audience, and about a part by its own id and ordinal', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson());
    const part = newId('pm');
    await lessons.change(aContext(), _id, () => ({
      set: { title: 'Dive' },
      events: [
        { ...updated, previous: { title: 'Crawl' }, audience: [stranger.accountId] },
        { type: memberUpdated, object: () => ({ id: part }), about: { id: part, n: 7 } },
        created,
      ],
    }));
    expect((await relayed(_id)).eventCount).toBe(3);
    expect((await eventsOf(_id)).map(({ n }) => n)).toEqual([1, 2, 3]);
    expect((await eventsOf(_id))[1]).toMatchObject({ previous: { title: 'Crawl' }, audience: [stranger.accountId] });
    expect(await eventsOf(part)).toMatchObject([{ id: derivedId('evt', part, '7'), n: 7 }]);
  });
});

describe('repeated work', () => {
  const answering = (opId: string | null) => ({
    context: aContext({ opId }),
    decide: (now: Lesson) => ({ ...counted(now), answer: (after: Lesson) => ({ counted: after.count }) }),
  });

  it('returns the first answer, and does nothing', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson());
    const { context, decide } = answering('work');
    expect((await lessons.change(context, _id, decide))!.earlierAnswer).toBeUndefined();
    await lessons.change(aContext(), _id, counted);
    const repeated = await lessons.change(context, _id, decide);
    expect(repeated).toMatchObject({ earlierAnswer: { counted: 1 }, document: { count: 2 } });
    expect((await lessons.get(_id)).count).toBe(2);
  });

  it('by concurrent runs is done once, and all return the same answer', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson());
    const { context, decide } = answering('work');
    const answers = await Promise.all(Array.from({ length: 16 }, () => lessons.change(context, _id, decide)));
    expect(answers.filter((answer) => answer!.earlierAnswer === undefined)).toHaveLength(1);
    for (const answer of answers) expect(answer!.earlierAnswer ?? { counted: 1 }).toEqual({ counted: 1 });
    expect((await lessons.get(_id)).count).toBe(1);
  });

  it('is recognised for the last twenty pieces of work', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson());
    for (let n = 1; n <= 25; n++) {
      const { context, decide } = answering(`work ${n}`);
      await lessons.change(context, _id, decide);
    }
    const { ops } = await lessons.get(_id);
    expect(ops.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => `work ${index + 6}`));
    const { context, decide } = answering('work 6');
    expect((await lessons.change(context, _id, decide))!.earlierAnswer).toEqual({ counted: 6 });
  });

  it('is not recognised when it cannot be repeated, or has no answer to store', async () => {
    const { _id } = await lessons.insert(aContext(), aLesson());
    const { context, decide } = answering(null);
    await lessons.change(context, _id, decide);
    await lessons.change(aContext({ opId: 'quiet' }), _id, counted);
    expect((await lessons.get(_id)).ops).toEqual([]);
  });
});
