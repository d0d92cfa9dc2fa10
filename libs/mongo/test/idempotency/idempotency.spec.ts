import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember, createPool, type Operation, REASONS, type Reason } from '@swim/contracts';
import { type Answer, answerOf, Deadline, inEnvironment, newId, type RequestContext } from '@swim/platform';
import { until } from '../../../testing/src/waiting/until.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { aContext, family, type Replica, startReplica, stranger } from '../replica.js';
import { hanging, made, reasonOf, rejected, request, scripted, textOf } from './scripted-handler.js';

const SHORT_LEASE_MS = 150;
const DAY_MS = 24 * 3_600_000;
let harness: MongoHarness;
let replica: Replica;
/** A replica with a very short lease. */
let hasty: Replica;

beforeAll(async () => {
  harness = await startHarness();
  replica = await startReplica(harness);
  hasty = await startReplica(harness, { IDEMPOTENCY_LEASE_MS: SHORT_LEASE_MS });
  // The database's own clean-up could remove records that a test has dated back.
  await records().dropIndex('createdAt_1');
});
afterAll(async () => {
  await Promise.all([replica.stop(), hasty.stop()]);
  await harness.stop();
});

const execute = (
  context: RequestContext,
  run: (context: RequestContext) => Promise<Answer>,
  by = replica,
  operation: Operation = createMember,
) => inEnvironment(context.principal.env, () => by.idempotency.intercept(operation, context, run));
const records = () =>
  harness.database().collection<{ _id: string; createdAt: Date; answer: { buffer: Uint8Array } }>('idempotency');
const age = (_id: string, ms: number) =>
  records().updateOne({ _id }, { $set: { createdAt: new Date(Date.now() - ms) } });
/** The record of this run, by its identity. */
const recordOf = async (run: RequestContext | undefined) =>
  (await records().findOne({ _id: { $regex: `^${run!.opId}` } }))!;

describe('a request under a key', () => {
  it('runs once; its repetition returns the same bytes', async () => {
    const context = request();
    const { run, runs } = scripted(answerOf(createMember, { name: 'Ada ☃', odd: '\u2028', n: 1e21, deep: [{}] }));
    const first = await execute(context, run);
    const repeated = await execute({ ...context, requestId: newId('req') }, run);
    expect(runs).toHaveLength(1);
    expect(repeated).toMatchObject({ error: false, replayed: true, pagination: null });
    expect(first.replayed).toBe(false);
    expect(Buffer.from(repeated.body).equals(Buffer.from(first.body))).toBe(true);
  });

  it('runs once for a hundred concurrent requests; the others get the answer, or idempotency_in_progress', async () => {
    const context = request();
    const { answer, end } = hanging();
    const { run, runs } = scripted(answer);
    const race = Array.from({ length: 100 }, () => execute(context, run));
    await until(() => runs.length > 0, 'one of them runs');
    const early = await Promise.race(race);
    expect(reasonOf(early)).toBe('idempotency_in_progress');
    expect(early.retryAfterSeconds).toBe(1);
    end(made());
    const answers = await Promise.all(race);
    expect(runs).toHaveLength(1);
    expect(answers.filter(({ error, replayed }) => !error && !replayed)).toHaveLength(1);
    for (const one of answers) {
      if (one.error) expect(reasonOf(one)).toBe('idempotency_in_progress');
      else expect(textOf(one)).toBe(textOf(made()));
    }
    expect(textOf(await execute(context, run))).toBe(textOf(made()));
    expect(runs).toHaveLength(1);
  });

  it('leaves its key new when its deadline passes before its record is stored', async () => {
    const context = request();
    const { run, runs } = scripted(made());
    const late = execute({ ...context, deadline: new Deadline(0) }, run);
    await expect(late).rejects.toMatchObject({ reason: 'deadline_exceeded' });
    expect(runs).toHaveLength(0);
    expect(reasonOf(await execute(context, run))).toBeNull();
  });

  it('with another body is rejected, during and after the first run', async () => {
    const context = request();
    const { answer, end } = hanging();
    const { run, runs } = scripted(answer);
    const first = execute(context, run);
    await until(() => runs.length > 0, 'the first runs');
    const other = { ...context, fingerprint: 'another body' };
    const whileRunning = await execute(other, run);
    end(made());
    await first;
    for (const outcome of [whileRunning, await execute(other, run)]) {
      expect(reasonOf(outcome)).toBe('idempotency_key_reused');
      expect(JSON.parse(textOf(outcome)).details.field).toBe('Idempotency-Key');
    }
    expect(runs).toHaveLength(1);
  });

  it('gives its run an identity, and ids derived from one seed', async () => {
    const { run, runs } = scripted(made());
    const context = request();
    await execute(context, run);
    const [given] = runs;
    expect(given).toMatchObject({
      resumed: false,
      opId: expect.stringMatching(/^[\w-]{22}$/),
      requestId: context.requestId,
    });
    expect(given!.newId('mem').slice(4)).toBe(given!.newId('pool').slice(5));
    expect(given!.newId('mem')).toBe(given!.newId('mem'));
  });

  it.each([
    ['account', { principal: stranger }, createMember],
    ['environment', { principal: { ...family, env: 'live' as const } }, createMember],
    ['operation', {}, createPool],
    ['key', { writeKey: newId('req') }, createMember],
  ])('does not meet that of another %s', async (_, other, operation) => {
    const context = request();
    const { run, runs } = scripted(made('first'), made('second'));
    await execute(context, run);
    const answer = await execute({ ...context, ...other }, run, replica, operation);
    expect([runs.length, textOf(answer), answer.replayed]).toEqual([2, textOf(made('second')), false]);
    expect(runs[0]!.opId).not.toBe(runs[1]!.opId);
    expect(textOf(await execute(context, run))).toBe(textOf(made('first')));
  });

  it('is kept for a day, however late the clean-up, and is new afterwards', async () => {
    const context = request();
    const { run, runs } = scripted(made('first'), made('second'));
    await execute(context, run);
    const { _id } = await recordOf(runs[0]);
    await age(_id, DAY_MS - 60_000);
    expect(textOf(await execute(context, run))).toBe(textOf(made('first')));
    await age(_id, DAY_MS + 60_000);
    const later = { ...context, fingerprint: 'another body' };
    const race = await Promise.all(Array.from({ length: 8 }, () => execute(later, run)));
    expect(race.filter(({ error, replayed }) => !error && !replayed).map(textOf)).toEqual([textOf(made('second'))]);
    expect([runs.length, runs[1]!.resumed]).toEqual([2, false]);
    expect(runs[1]!.newId('mem')).not.toBe(runs[0]!.newId('mem'));
  });

  it('with a run in progress does not become new after a day', async () => {
    const context = request();
    const { answer, end } = hanging();
    const { run, runs } = scripted(answer);
    const first = execute(context, run);
    await until(() => runs.length > 0, 'it runs');
    await age((await recordOf(runs[0]))._id, DAY_MS + 60_000);
    expect(reasonOf(await execute(context, run))).toBe('idempotency_in_progress');
    end(made());
    await first;
    expect(runs).toHaveLength(1);
  });
});

describe('a request that stores no record', () => {
  it('is one without a key', async () => {
    const before = await records().countDocuments();
    const { run, runs } = scripted(made());
    const context = aContext({ fingerprint: 'the same body' });
    await execute(context, run);
    await execute(context, run);
    expect([runs.length, runs[0]]).toEqual([2, context]);
    expect(await records().countDocuments()).toBe(before);
  });

  it('is a dry run, also one under the key of a request that was run', async () => {
    const context = request();
    const { run, runs } = scripted(made('dry'), made('wet'), made('dry'));
    const before = await records().countDocuments();
    const dry = { ...context, dryRun: true };
    expect(textOf(await execute(dry, run))).toBe(textOf(made('dry')));
    expect(await records().countDocuments()).toBe(before);
    expect(await execute(context, run)).toMatchObject({ replayed: false });
    expect(textOf(await execute(dry, run))).toBe(textOf(made('dry')));
    expect(runs).toHaveLength(3);
    expect(textOf(await execute(context, run))).toBe(textOf(made('wet')));
  });
});

describe('the key after an error', () => {
  const reasons = Object.keys(REASONS) as Reason[];
  const ofCode = (...codes: string[]) => reasons.filter((reason) => codes.includes(REASONS[reason].code));
  const payment: Reason[] = ['card_declined', 'authentication_required'];
  // Conflicts that pass: a retry under the same key may succeed.
  const passing = reasons.filter((reason) => /^account_closing$|_in_progress$/.test(reason));

  it('a decline, an absent object and a conflict are stored and returned again', async () => {
    const kept = [...payment, ...ofCode('NOT_FOUND', 'CONFLICT')].filter((reason) => !passing.includes(reason));
    for (const reason of kept) {
      const context = request();
      const { run, runs } = scripted(rejected(reason), made());
      const first = await execute(context, run);
      const repeated = await execute(context, run);
      expect([reason, runs.length, repeated.replayed, repeated.error]).toEqual([reason, 1, true, true]);
      expect(textOf(repeated)).toBe(textOf(first));
    }
  });

  it('bad input and a missing right free it: the corrected request runs anew', async () => {
    const neverStored = ofCode(
      'VALIDATION_ERROR',
      'AUTHENTICATION_ERROR',
      'AUTHORIZATION_ERROR',
      'RATE_LIMIT_EXCEEDED',
    );
    for (const reason of neverStored.filter((one) => !payment.includes(one))) {
      const context = request();
      const { run, runs } = scripted(rejected(reason), made());
      await execute(context, run);
      const corrected = await execute({ ...context, fingerprint: 'corrected body' }, run);
      expect([reason, runs.length, textOf(corrected)]).toEqual([reason, 2, textOf(made())]);
      expect(runs[1]!.resumed).toBe(false);
    }
  });

  it('a server error, or a passing conflict, leaves the work to a later run under the same identity', async () => {
    for (const reason of [...ofCode('SERVER_ERROR'), ...passing]) {
      const context = request();
      const { run, runs } = scripted(rejected(reason), made());
      expect(reasonOf(await execute(context, run))).toBe(reason);
      expect(reasonOf(await execute({ ...context, fingerprint: 'another body' }, run))).toBe('idempotency_key_reused');
      expect(textOf(await execute(context, run))).toBe(textOf(made()));
      expect([runs.length, runs[1]!.resumed, runs[1]!.opId]).toEqual([2, true, runs[0]!.opId]);
      expect(runs[1]!.newId('mem')).toBe(runs[0]!.newId('mem'));
      expect(await execute(context, run)).toMatchObject({ replayed: true, error: false });
    }
  });
});

describe('a run that does not end', () => {
  /** A run whose process crashed or hangs: the request, the number of runs, and how to end it late. */
  const deadRun = async () => {
    const context = request();
    const { answer, end } = hanging();
    const { run, runs } = scripted(answer);
    const first = execute(context, run);
    await until(() => runs.length > 0, 'it runs');
    const { _id } = await recordOf(runs[0]);
    const lapse = () => records().updateOne({ _id }, { $set: { leaseUntil: new Date(Date.now() - 1_000) } });
    const endLate = (late: Answer) => {
      end(late);
      return first;
    };
    return { context, run, runs, lapse, endLate };
  };

  it('keeps its key until its lease ends, and is then taken over under the same identity', async () => {
    const dead = await deadRun();
    expect(reasonOf(await execute(dead.context, dead.run))).toBe('idempotency_in_progress');
    await dead.lapse();
    const heir = scripted(made('by the heir'));
    expect(await execute(dead.context, heir.run)).toMatchObject({ body: made('by the heir').body, replayed: false });
    expect(heir.runs).toHaveLength(1);
    expect(heir.runs[0]).toMatchObject({ resumed: true, opId: dead.runs[0]!.opId });
    expect(heir.runs[0]!.newId('mem')).toBe(dead.runs[0]!.newId('mem'));
    await dead.endLate(made('too late'));
    expect(textOf(await execute(dead.context, heir.run))).toBe(textOf(made('by the heir')));
    expect([dead.runs.length, heir.runs.length]).toEqual([1, 1]);
  });

  it.each(['in_past', 'internal'] as const)('does not free its key when it ends too late with %s', async (reason) => {
    const dead = await deadRun();
    await dead.lapse();
    const heir = scripted(made());
    await execute(dead.context, heir.run);
    await dead.endLate(rejected(reason));
    expect(await execute(dead.context, heir.run)).toMatchObject({ replayed: true });
    expect(heir.runs).toHaveLength(1);
  });

  it('is taken over by one of many', async () => {
    const dead = await deadRun();
    await dead.lapse();
    const { answer, end } = hanging();
    const heir = scripted(answer);
    const race = Array.from({ length: 32 }, () => execute(dead.context, heir.run));
    await until(() => heir.runs.length > 0, 'one of them runs');
    const early = await Promise.race(race);
    expect(reasonOf(early)).toBe('idempotency_in_progress');
    end(made());
    await Promise.all(race);
    expect(heir.runs).toHaveLength(1);
  });

  it('is taken over when its lease has ended by the database’s clock', async () => {
    const context = request();
    const dead = scripted(hanging().answer);
    void execute(context, dead.run, hasty);
    await until(() => dead.runs.length > 0, 'it runs');
    const heir = scripted(made());
    await until(async () => !(await execute(context, heir.run)).error, 'the lease is over');
    expect(heir.runs[0]).toMatchObject({ resumed: true, opId: dead.runs[0]!.opId });
  });
});
