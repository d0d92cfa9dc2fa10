import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { explainStorageFault } from './storage-fault.js';
import { errorsByIndex, indexOfConflict, retriedAlone, wasNotSent } from './write-errors.js';

const { mongo } = mongoose;
const { BSON, MongoBulkWriteError, MongoNetworkError, MongoServerError } = mongo;
type Wrapped = ConstructorParameters<typeof MongoBulkWriteError>;

const result = (writeConcernError?: object) => ({ getWriteConcernError: () => writeConcernError }) as Wrapped[1];
const batchError = (error: object, writeConcernError?: object) =>
  new MongoBulkWriteError(error as Wrapped[0], result(writeConcernError));
const writeErrors = [
  { index: 1, code: 11_000, errmsg: 'E11000 duplicate key' },
  { index: 3, code: 16_908_292, errmsg: 'deadlock detected' },
];
const failed = { message: 'E11000 duplicate key', code: 11_000, writeErrors };

describe('the errors of a batch', () => {
  it('are those of single writes, by their index', () => {
    const errors = errorsByIndex(batchError(failed))!;
    expect([...errors].map(([index, error]) => [index, error.message, (error as { code?: unknown }).code])).toEqual([
      [1, 'E11000 duplicate key', 11_000],
      [3, 'deadlock detected', 16_908_292],
    ]);
  });

  it('leave every outcome unknown when the batch failed as a whole, or its writes are not on enough disks', () => {
    const reset = new MongoNetworkError('write ECONNRESET');
    expect(errorsByIndex(batchError(reset))).toBeNull();
    expect(errorsByIndex(batchError(failed, { code: 64 }))).toBeNull();
    expect(errorsByIndex(reset)).toBeNull();
    expect(explainStorageFault(batchError(reset))).toMatchObject({ reason: 'unavailable' });
  });

  it('show where an ordered batch met a concurrent write', () => {
    const deadlock = { ...failed, writeErrors: [writeErrors[1]!] };
    const invalid = { message: 'invalid', code: 121, writeErrors: [{ index: 2, code: 121, errmsg: 'invalid' }] };
    expect(indexOfConflict(batchError(failed))).toBe(1);
    expect(indexOfConflict(batchError(deadlock))).toBe(3);
    expect(indexOfConflict(batchError(invalid))).toBeNull();
    expect(indexOfConflict(batchError(new MongoNetworkError('write ECONNRESET')))).toBeNull();
  });

  it('show that it was not sent when a write cannot be encoded', () => {
    const unencodable = new BSON.BSONError('key must not contain null bytes');
    const writes = [{ _id: 'a' }, { 'a\0b': 1 }];
    expect(wasNotSent(unencodable, writes)).toBe(true);
    expect(wasNotSent(batchError(unencodable), writes)).toBe(true);
    expect(wasNotSent(batchError(new MongoNetworkError('write ECONNRESET')), writes)).toBe(false);
    expect(wasNotSent(batchError(failed), writes)).toBe(false);
  });

  it('leave every outcome unknown when the answer cannot be decoded', () => {
    const undecodable = new BSON.BSONError('Invalid UTF-8 string in BSON document');
    expect(wasNotSent(undecodable, [{ _id: 'a' }])).toBe(false);
    expect(wasNotSent(batchError(undecodable), [{ _id: 'a' }])).toBe(false);
  });
});

describe('a write that failed in a batch', () => {
  const deadlock = new MongoServerError({ errmsg: 'deadlock detected', code: 16_908_292 });
  const conflict = new MongoServerError({ errmsg: 'WriteConflict', code: 112 });
  const counted = (...outcomes: (Error | string)[]) => {
    const runs: (Error | string)[] = [];
    const write = async () => {
      const outcome = outcomes[Math.min(runs.length, outcomes.length - 1)]!;
      runs.push(outcome);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    return { runs, write };
  };

  it('as a deadlock is repeated alone, at most three times', async () => {
    for (const error of [deadlock, conflict]) {
      const once = counted('written');
      expect(await retriedAlone(error, once.write)).toBe('written');
      const never = counted(error);
      expect(await retriedAlone(error, never.write)).toBe(error);
      expect(never.runs).toHaveLength(3);
    }
  });

  it('otherwise is not repeated', async () => {
    const duplicate = new MongoServerError({ errmsg: 'E11000 duplicate key', code: 11_000 });
    const { runs, write } = counted('written');
    expect(await retriedAlone(duplicate, write)).toBe(duplicate);
    const lost = counted(new MongoNetworkError('write ECONNRESET'));
    expect(await retriedAlone(deadlock, lost.write)).toBeInstanceOf(MongoNetworkError);
    expect([runs.length, lost.runs.length]).toEqual([0, 1]);
  });
});
