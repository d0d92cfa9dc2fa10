import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember } from '@swim/contracts';
import { type Answer, answerOf, type RequestContext } from '@swim/platform';
import { type MongoHarness, startHarness } from '../harness.js';
import { aContext, aLesson, counted, type Lesson, type Replica, startReplica } from '../replica.js';
import { hanging, request, textOf } from './scripted-handler.js';

let harness: MongoHarness;
let replica: Replica;
let other: Replica;
beforeAll(async () => {
  harness = await startHarness();
  [replica, other] = await Promise.all([startReplica(harness), startReplica(harness)]);
});
afterAll(async () => {
  await Promise.all([replica?.stop(), other?.stop()]);
  await harness.stop();
});

const answering = (now: Lesson) => ({ ...counted(now), answer: ({ count }: Lesson) => count });

/** Counts in a handler; the answer is the count after this work. */
const counting =
  ({ lessons }: Replica, id: string) =>
  async (context: RequestContext): Promise<Answer> => {
    const { document, earlierAnswer } = (await lessons.change(context, id, answering))!;
    return answerOf(createMember, { count: earlierAnswer ?? document.count });
  };

/** Counts under a key; the work's id. */
async function countIn(on: Replica, id: string, context = request()): Promise<string> {
  let opId = '';
  await on.idempotency.intercept(createMember, context, (each) => {
    opId = each.opId!;
    return counting(on, id)(each);
  });
  return opId;
}

/** Counts under a key whose run does not end until `end`. */
async function countUnfinished(id: string, context = request()): Promise<{ opId: string; end(): Promise<unknown> }> {
  const { answer, end } = hanging();
  const { promise: opId, resolve } = Promise.withResolvers<string>();
  const running = replica.idempotency.intercept(createMember, context, async (each) => {
    await counting(replica, id)(each);
    resolve(each.opId!);
    return answer;
  });
  const ended = async () => {
    end(answerOf(createMember, {}));
    await running;
  };
  return { opId: await opId, end: ended };
}

const records = () => harness.database().collection<{ _id: string }>('idempotency');
const newLesson = async () => (await replica.lessons.insert(aContext(), aLesson()))._id;
const answersOf = async (id: string) => ((await replica.lessons.get(id)).ops ?? []).map((op) => op.id);

describe('the answer of finished work', () => {
  it('is dropped from its document by the next change', async () => {
    const id = await newLesson();
    const first = await countIn(replica, id);
    expect(await answersOf(id)).toEqual([first]);
    const second = await countIn(replica, id);
    expect(await answersOf(id)).toEqual([second]);
    await replica.lessons.change(aContext(), id, counted);
    expect(await answersOf(id)).toEqual([]);
  });

  it('is still returned from the record of its key', async () => {
    const id = await newLesson();
    const context = request();
    await countIn(replica, id, context);
    await countIn(replica, id);
    const repeated = await replica.idempotency.intercept(createMember, context, counting(replica, id));
    expect(JSON.parse(textOf(repeated))).toMatchObject({ count: 1 });
    expect((await replica.lessons.get(id)).count).toBe(2);
  });

  it('stays when another process changes the document, which does not know that the work is finished', async () => {
    const id = await newLesson();
    const [first, second] = [await countIn(replica, id), await countIn(other, id)];
    expect(await answersOf(id)).toEqual([first, second]);
  });

  it('stays while the document has an answer of work that is not finished', async () => {
    const id = await newLesson();
    const { opId: unfinished, end } = await countUnfinished(id);
    const [second, third] = [await countIn(replica, id), await countIn(replica, id)];
    expect(await answersOf(id)).toEqual([unfinished, second, third]);
    await end();
    const last = await countIn(replica, id);
    expect(await answersOf(id)).toEqual([last]);
  });

  it('is not that of a new request under the same key, once the record is gone', async () => {
    const context = request();
    const opId = await countIn(replica, await newLesson(), context);
    await records().deleteOne({ _id: { $regex: `^${opId}` } });
    const id = await newLesson();
    const again = await countUnfinished(id, context);
    const other = await countIn(replica, id);
    expect([again.opId, await answersOf(id)]).toEqual([opId, [opId, other]]);
    await again.end();
  });

  it('does not answer a later request with the same key and document, once the record is gone', async () => {
    const id = await newLesson();
    const context = request();
    const opId = await countIn(replica, id, context);
    await records().deleteOne({ _id: { $regex: `^${opId}` } });
    await countIn(replica, id, context);
    expect((await replica.lessons.get(id)).count).toBe(2);
  });

  it('stays after a second run, since the first may still be late', async () => {
    const id = await newLesson();
    const { answer, end } = hanging();
    const context = request();
    const { promise: begun, resolve: begin } = Promise.withResolvers<string>();
    const late = replica.idempotency.intercept(createMember, context, async (each) => {
      begin(each.opId!);
      await answer;
      return counting(replica, id)(each);
    });
    const opId = await begun;
    await records().updateOne({ _id: { $regex: `^${opId}` } }, { $set: { leaseUntil: new Date(0) } });
    await countIn(replica, id, context);
    await countIn(replica, id);
    expect(await answersOf(id)).toContain(opId);
    end(answerOf(createMember, {}));
    await late;
    expect((await replica.lessons.get(id)).count).toBe(2);
  });
});
