import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember, type Operation } from '@swim/contracts';
import { type Answer, Deadline, errorAnswer, type RequestContext } from '@swim/platform';
import { type MongoHarness, startHarness } from './harness.js';
import { type Replica, startReplica } from './replica.js';
import { made, request, textOf } from './scripted-handler.js';

const reading: Operation = { ...createMember, readsFirst: true };
let harness: MongoHarness;
let replica: Replica;

beforeAll(async () => {
  harness = await startHarness();
  replica = await startReplica(harness);
});
afterAll(async () => {
  await replica.stop();
  await harness.stop();
});

const execute = (context: RequestContext, run: (context: RequestContext) => Promise<Answer>) =>
  replica.idempotency.intercept(reading, context, run);
const recordOf = (run: RequestContext) =>
  harness
    .database()
    .collection<{ _id: string }>('idempotency')
    .findOne({ _id: { $regex: `^${run.opId}` } });

/** A handler, and for each run whether `recorded` let it begin; null before that. */
function gated(answer: Answer) {
  const begun: (boolean | null)[] = [];
  const run = async (context: RequestContext) => {
    const index = begun.push(null) - 1;
    try {
      await context.recorded();
      begun[index] = true;
      return answer;
    } catch (error) {
      begun[index] = false;
      return errorAnswer(error);
    }
  };
  return { run, begun };
}

describe('a request of an operation that reads first', () => {
  it('has no effect before its record is stored, and its answer is stored', async () => {
    const context = request();
    const stored: boolean[] = [];
    const { run } = gated(made());
    const watched = async (given: RequestContext) => {
      const answer = await run(given);
      stored.push((await recordOf(given)) !== null);
      return answer;
    };
    expect(textOf(await execute(context, watched))).toBe(textOf(made()));
    expect(stored).toEqual([true]);
    const repeated = await execute(context, watched);
    expect(repeated).toMatchObject({ replayed: true });
    expect(textOf(repeated)).toBe(textOf(made()));
  });

  it('is answered from the record of an earlier run while it still reads, and a shutdown waits for it', async () => {
    const context = request();
    await execute(context, gated(made()).run);
    const { promise: read, resolve: endRead } = Promise.withResolvers<void>();
    let hasEnded = false;
    const slow = async (given: RequestContext) => {
      await read;
      await given.recorded().catch(() => undefined);
      hasEnded = true;
      return made();
    };
    expect(await execute(context, slow)).toMatchObject({ replayed: true });
    const end = replica.idempotency.beforeApplicationShutdown();
    expect(hasEnded).toBe(false);
    endRead();
    await end;
    expect(hasEnded).toBe(true);
  });

  it('has one effect for a hundred concurrent requests', async () => {
    const context = request();
    const { run, begun } = gated(made());
    const answers = await Promise.all(Array.from({ length: 100 }, () => execute(context, run)));
    await replica.idempotency.beforeApplicationShutdown();
    expect(begun).not.toContain(null);
    expect(begun.filter(Boolean)).toHaveLength(1);
    expect(answers.filter(({ error, replayed }) => !error && !replayed)).toHaveLength(1);
  });

  it('does not begin when its deadline passes before its record is stored', async () => {
    const { run, begun } = gated(made());
    const late = execute({ ...request(), deadline: new Deadline(0) }, run);
    await expect(late).rejects.toMatchObject({ reason: 'deadline_exceeded' });
    await replica.idempotency.beforeApplicationShutdown();
    expect(begun).toEqual([false]);
  });

  it('keeps no warning of a run that did not begin', async () => {
    const context = request();
    await execute(context, gated(made()).run);
    const { run } = gated(made());
    const warned = (given: RequestContext) => {
      given.warnings.push({ code: 'local_time_skipped' });
      return run(given);
    };
    expect(await execute(context, warned)).not.toHaveProperty('warnings');
    expect(context.warnings).toEqual([]);
  });
});
