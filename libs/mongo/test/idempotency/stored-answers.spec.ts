import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember, createPool } from '@swim/contracts';
import { type Answer, Cipher, inEnvironment, newId, type RequestContext } from '@swim/platform';
import { type MongoHarness, startHarness } from '../harness.js';
import { type Replica, startReplica } from '../replica.js';
import { made, reasonOf, rejected, request, scripted, textOf } from './scripted-handler.js';

const CANARY = 'Canary Ada, asthma';
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
  inEnvironment(context.principal.env, () => replica.idempotency.intercept(createMember, context, run));
const records = () => harness.database().collection<{ _id: string; answer: { buffer: Uint8Array } }>('idempotency');
/** The record of this run, by its identity. */
const recordOf = async (run: RequestContext | undefined) =>
  (await records().findOne({ _id: { $regex: `^${run!.opId}` } }))!;

describe('a stored answer in the database', () => {
  it('contains neither its text nor its key in clear, and is bound to its record', async () => {
    const context = request({ idempotencyKey: `key of ${CANARY}`, fingerprint: `body of ${CANARY}` });
    const secret = scripted(made(CANARY));
    await execute(context, secret.run);
    const record = await recordOf(secret.runs[0]);
    const bytes = Buffer.concat([Buffer.from(JSON.stringify(record)), record.answer.buffer]);
    for (const part of CANARY.split(/\W+/)) expect(bytes.includes(part)).toBe(false);
    const other = request();
    const { run, runs } = scripted(made('other'));
    await execute(other, run);
    const { _id } = await recordOf(runs[0]);
    await records().updateOne({ _id }, { $set: { answer: record.answer } });
    await expect(execute(other, run)).rejects.toThrow();
  });

  it('cannot be decrypted with the master key alone, only together with the client’s key, which is not stored', async () => {
    const context = request({ idempotencyKey: `client-${newId('req')}` });
    const { run, runs } = scripted(made(CANARY));
    await execute(context, run);
    const { _id, answer } = await recordOf(runs[0]);
    const open = (clientKey: string) =>
      Cipher.derived(harness.config.DATA_KEY, `idempotency|${context.principal.accountId}`, clientKey)
        .open(Buffer.from(answer.buffer), _id)
        .toString();
    expect(() => open('')).toThrow();
    expect(() => open('another')).toThrow();
    expect(open(context.idempotencyKey!)).toContain(CANARY);
    const everything = JSON.stringify(await records().find().toArray());
    expect(everything).toContain(_id);
    expect(everything).not.toContain(context.idempotencyKey);
  });
});

describe('work before a stored answer is repeated', () => {
  const pool = (context: RequestContext, run: (context: RequestContext) => Promise<Answer>) =>
    inEnvironment(context.principal.env, () => replica.idempotency.intercept(createPool, context, run));

  it('gets the data and the request that repeats it, runs before no first answer and no error, and rejects by its failure', async () => {
    const seen: [data: unknown, requestId: string][] = [];
    let failure: Error | null = null;
    replica.idempotency.beforeRepeat(createPool, async (data, { requestId }) => {
      if (failure) throw failure;
      seen.push([data, requestId]);
    });
    const context = request();
    const { run } = scripted(made('a pool'));
    await pool(context, run);
    expect(seen).toEqual([]);
    const again = { ...context, requestId: newId('req') };
    expect(textOf(await pool(again, run))).toBe(textOf(made('a pool')));
    expect(seen).toMatchObject([[{ text: 'a pool' }, again.requestId]]);

    failure = new Error('The log cannot be written.');
    await expect(pool(context, run)).rejects.toThrow(failure);
    const other = request();
    const conflict = scripted(rejected('pool_full'));
    await pool(other, conflict.run);
    expect(reasonOf(await pool(other, conflict.run))).toBe('pool_full');
  });
});
