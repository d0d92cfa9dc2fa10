import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember, createPool, type Operation, REASONS, type Reason } from '@swim/contracts';
import { type Answer, answerOf, type Call } from '@swim/messaging';
import { newId } from '@swim/platform';
import { until } from '../../testing/src/until.js';
import { type MongoParts, startParts } from './mongo-parts.js';
import { aCall, family, type Replica, startReplica, stranger } from './replica.js';
import { hanging, made, reasonOf, refused, request, story, textOf } from './story.js';

const CANARY = 'Canary Ada, asthma';
const SHORT_LEASE_MS = 150;
const DAY_MS = 24 * 3_600_000;
let parts: MongoParts;
let replica: Replica;
/** Believes a run dead after a moment. */
let hasty: Replica;

beforeAll(async () => {
  parts = await startParts();
  replica = await startReplica(parts);
  hasty = await startReplica(parts, { IDEMPOTENCY_LEASE_MS: SHORT_LEASE_MS });
  // The database's own clean-up would take away, at any moment, what a test has made old.
  await records().dropIndex('createdAt_1');
});
afterAll(async () => {
  await Promise.all([replica.stop(), hasty.stop()]);
  await parts.stop();
});

const ask = (call: Call, run: (call: Call) => Promise<Answer>, by = replica, operation: Operation = createMember) =>
  by.idempotency.intercept(operation, call, run);
const records = () =>
  parts.database().collection<{ _id: string; createdAt: Date; answer: { buffer: Uint8Array } }>('idempotency');
const age = (_id: string, ms: number) =>
  records().updateOne({ _id }, { $set: { createdAt: new Date(Date.now() - ms) } });
/** The record of this run, after which its identity is named. */
const recordOf = async (run: Call | undefined) => (await records().findOne({ _id: { $regex: `^${run!.opId}` } }))!;

describe('a request under a key', () => {
  it('is run once; asked again, it is answered by the same bytes', async () => {
    const call = request();
    const { run, runs } = story(answerOf(createMember, { name: 'Ada ☃', odd: '\u2028', n: 1e21, deep: [{}] }));
    const first = await ask(call, run);
    const again = await ask({ ...call, requestId: newId('req') }, run);
    expect(runs).toHaveLength(1);
    expect(again).toMatchObject({ error: false, replayed: true, pagination: null });
    expect(first.replayed).toBe(false);
    expect(Buffer.from(again.body).equals(Buffer.from(first.body))).toBe(true);
  });

  it('of a hundred racers runs once; the others hear the answer, or that it is under way', async () => {
    const call = request();
    const { answer, end } = hanging();
    const { run, runs } = story(answer);
    const race = Array.from({ length: 100 }, () => ask(call, run));
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
    expect(textOf(await ask(call, run))).toBe(textOf(made()));
    expect(runs).toHaveLength(1);
  });

  it('with another body is refused, while the first runs and after', async () => {
    const call = request();
    const { answer, end } = hanging();
    const { run, runs } = story(answer);
    const first = ask(call, run);
    await until(() => runs.length > 0, 'the first runs');
    const other = { ...call, fingerprint: 'another body' };
    const whileRunning = await ask(other, run);
    end(made());
    await first;
    for (const outcome of [whileRunning, await ask(other, run)]) {
      expect(reasonOf(outcome)).toBe('idempotency_key_reused');
      expect(JSON.parse(textOf(outcome)).details.field).toBe('Idempotency-Key');
    }
    expect(runs).toHaveLength(1);
  });

  it('gives its run an identity, and ids of one seed', async () => {
    const { run, runs } = story(made());
    const call = request();
    await ask(call, run);
    const [given] = runs;
    expect(given).toMatchObject({
      retaken: false,
      opId: expect.stringMatching(/^[\w-]{22}$/),
      requestId: call.requestId,
    });
    expect(given!.newId('mem').slice(4)).toBe(given!.newId('pool').slice(5));
    expect(given!.newId('mem')).toBe(given!.newId('mem'));
  });

  it.each([
    ['account', { principal: stranger }, createMember],
    ['environment', { principal: { ...family, env: 'live' as const } }, createMember],
    ['operation', {}, createPool],
    ['key', { idempotencyKey: newId('req') }, createMember],
  ])('does not meet that of another %s', async (_, other, operation) => {
    const call = request();
    const { run, runs } = story(made('first'), made('second'));
    await ask(call, run);
    const answer = await ask({ ...call, ...other }, run, replica, operation);
    expect([runs.length, textOf(answer), answer.replayed]).toEqual([2, textOf(made('second')), false]);
    expect(runs[0]!.opId).not.toBe(runs[1]!.opId);
    expect(textOf(await ask(call, run))).toBe(textOf(made('first')));
  });

  it('is remembered for a day, however late the clean-up, and then a new one', async () => {
    const call = request();
    const { run, runs } = story(made('first'), made('second'));
    await ask(call, run);
    const { _id } = await recordOf(runs[0]);
    await age(_id, DAY_MS - 60_000);
    expect(textOf(await ask(call, run))).toBe(textOf(made('first')));
    await age(_id, DAY_MS + 60_000);
    const later = { ...call, fingerprint: 'another body' };
    const race = await Promise.all(Array.from({ length: 8 }, () => ask(later, run)));
    expect(race.filter(({ error, replayed }) => !error && !replayed).map(textOf)).toEqual([textOf(made('second'))]);
    expect([runs.length, runs[1]!.retaken]).toEqual([2, false]);
    expect(runs[1]!.newId('mem')).not.toBe(runs[0]!.newId('mem'));
  });

  it('that somebody still works on does not become a new one after a day', async () => {
    const call = request();
    const { answer, end } = hanging();
    const { run, runs } = story(answer);
    const first = ask(call, run);
    await until(() => runs.length > 0, 'it runs');
    await age((await recordOf(runs[0]))._id, DAY_MS + 60_000);
    expect(reasonOf(await ask(call, run))).toBe('idempotency_in_progress');
    end(made());
    await first;
    expect(runs).toHaveLength(1);
  });
});

describe('a request that leaves no trace', () => {
  it('is one without a key', async () => {
    const before = await records().countDocuments();
    const { run, runs } = story(made());
    const call = aCall({ fingerprint: 'the same body' });
    await ask(call, run);
    await ask(call, run);
    expect([runs.length, runs[0]]).toEqual([2, call]);
    expect(await records().countDocuments()).toBe(before);
  });

  it('is a dry run, also one under the key of a request that was run', async () => {
    const call = request();
    const { run, runs } = story(made('dry'), made('wet'), made('dry'));
    const before = await records().countDocuments();
    const dry = { ...call, dryRun: true };
    expect(textOf(await ask(dry, run))).toBe(textOf(made('dry')));
    expect(await records().countDocuments()).toBe(before);
    expect(await ask(call, run)).toMatchObject({ replayed: false });
    expect(textOf(await ask(dry, run))).toBe(textOf(made('dry')));
    expect(runs).toHaveLength(3);
    expect(textOf(await ask(call, run))).toBe(textOf(made('wet')));
  });
});

describe('what becomes of the key after a refusal', () => {
  const reasons = Object.keys(REASONS) as Reason[];
  const ofCode = (...codes: string[]) => reasons.filter((reason) => codes.includes(REASONS[reason].code));
  const payment: Reason[] = ['card_declined', 'authentication_required'];
  // Holds for a moment only: under the same key the same request may go through.
  const passing: Reason = 'change_in_progress';

  it('a decline, an absent object and a conflict are kept and answered again', async () => {
    const kept = [...payment, ...ofCode('NOT_FOUND', 'CONFLICT')].filter((reason) => reason !== passing);
    for (const reason of kept) {
      const call = request();
      const { run, runs } = story(refused(reason), made());
      const first = await ask(call, run);
      const again = await ask(call, run);
      expect([reason, runs.length, again.replayed, again.error]).toEqual([reason, 1, true, true]);
      expect(textOf(again)).toBe(textOf(first));
    }
  });

  it('bad input and what a key may not do free it: corrected, the request runs anew', async () => {
    const freed = ofCode('VALIDATION_ERROR', 'AUTHENTICATION_ERROR', 'AUTHORIZATION_ERROR', 'RATE_LIMIT_EXCEEDED');
    for (const reason of freed.filter((one) => !payment.includes(one))) {
      const call = request();
      const { run, runs } = story(refused(reason), made());
      await ask(call, run);
      const corrected = await ask({ ...call, fingerprint: 'corrected body' }, run);
      expect([reason, runs.length, textOf(corrected)]).toEqual([reason, 2, textOf(made())]);
      expect(runs[1]!.retaken).toBe(false);
    }
  });

  it('a fault of the service, or a passing conflict, leaves the work to be finished under the same identity', async () => {
    for (const reason of [...ofCode('SERVER_ERROR'), passing]) {
      const call = request();
      const { run, runs } = story(refused(reason), made());
      expect(reasonOf(await ask(call, run))).toBe(reason);
      expect(reasonOf(await ask({ ...call, fingerprint: 'another body' }, run))).toBe('idempotency_key_reused');
      expect(textOf(await ask(call, run))).toBe(textOf(made()));
      expect([runs.length, runs[1]!.retaken, runs[1]!.opId]).toEqual([2, true, runs[0]!.opId]);
      expect(runs[1]!.newId('mem')).toBe(runs[0]!.newId('mem'));
      expect(await ask(call, run)).toMatchObject({ replayed: true, error: false });
    }
  });
});

describe('a run that never ends', () => {
  /** A run whose process died, or hangs: the call, the runs so far, and how it ends after all. */
  const deadRun = async () => {
    const call = request();
    const { answer, end } = hanging();
    const { run, runs } = story(answer);
    const first = ask(call, run);
    await until(() => runs.length > 0, 'it runs');
    const { _id } = await recordOf(runs[0]);
    const lapse = () => records().updateOne({ _id }, { $set: { leaseUntil: new Date(Date.now() - 1_000) } });
    const endLate = (late: Answer) => {
      end(late);
      return first;
    };
    return { call, run, runs, lapse, endLate };
  };

  it('is believed alive as long as its lease, then taken over under the same identity', async () => {
    const dead = await deadRun();
    expect(reasonOf(await ask(dead.call, dead.run))).toBe('idempotency_in_progress');
    await dead.lapse();
    const heir = story(made('by the heir'));
    expect(await ask(dead.call, heir.run)).toMatchObject({ body: made('by the heir').body, replayed: false });
    expect(heir.runs).toHaveLength(1);
    expect(heir.runs[0]).toMatchObject({ retaken: true, opId: dead.runs[0]!.opId });
    expect(heir.runs[0]!.newId('mem')).toBe(dead.runs[0]!.newId('mem'));
    await dead.endLate(made('too late'));
    expect(textOf(await ask(dead.call, heir.run))).toBe(textOf(made('by the heir')));
    expect([dead.runs.length, heir.runs.length]).toEqual([1, 1]);
  });

  it.each(['in_past', 'internal'] as const)('frees or opens nothing when it ends too late with %s', async (reason) => {
    const dead = await deadRun();
    await dead.lapse();
    const heir = story(made());
    await ask(dead.call, heir.run);
    await dead.endLate(refused(reason));
    expect(await ask(dead.call, heir.run)).toMatchObject({ replayed: true });
    expect(heir.runs).toHaveLength(1);
  });

  it('is taken over by one of many', async () => {
    const dead = await deadRun();
    await dead.lapse();
    const { answer, end } = hanging();
    const heir = story(answer);
    const race = Array.from({ length: 32 }, () => ask(dead.call, heir.run));
    await until(() => heir.runs.length > 0, 'one of them runs');
    const early = await Promise.race(race);
    expect(reasonOf(early)).toBe('idempotency_in_progress');
    end(made());
    await Promise.all(race);
    expect(heir.runs).toHaveLength(1);
  });

  it('is taken over when its lease is over by the database’s clock', async () => {
    const call = request();
    const dead = story(hanging().answer);
    void ask(call, dead.run, hasty);
    await until(() => dead.runs.length > 0, 'it runs');
    const heir = story(made());
    await until(async () => !(await ask(call, heir.run)).error, 'the lease is over');
    expect(heir.runs[0]).toMatchObject({ retaken: true, opId: dead.runs[0]!.opId });
  });
});

describe('in the database', () => {
  it('neither answer nor key can be read, nor an answer be moved to another record', async () => {
    const call = request({ idempotencyKey: `key of ${CANARY}`, fingerprint: `body of ${CANARY}` });
    const secret = story(made(CANARY));
    await ask(call, secret.run);
    const record = await recordOf(secret.runs[0]);
    const bytes = Buffer.concat([Buffer.from(JSON.stringify(record)), record.answer.buffer]);
    for (const part of CANARY.split(/\W+/)) expect(bytes.includes(part)).toBe(false);
    const other = request();
    const { run, runs } = story(made('other'));
    await ask(other, run);
    const { _id } = await recordOf(runs[0]);
    await records().updateOne({ _id }, { $set: { answer: record.answer } });
    await expect(ask(other, run)).rejects.toThrow();
  });
});
