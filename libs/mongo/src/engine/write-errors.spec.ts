import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { isConflict, retriedAlone, wasNotSent } from './write-errors.js';

const { mongo } = mongoose;
const { BSON, MongoBulkWriteError, MongoNetworkError, MongoServerError } = mongo;
type Wrapped = ConstructorParameters<typeof MongoBulkWriteError>;

const batchError = (error: object) => new MongoBulkWriteError(error as Wrapped[0], {} as Wrapped[1]);

describe('the error of a batch', () => {
  it('shows that it was not sent when a write cannot be encoded', () => {
    const unencodable = new BSON.BSONError('key must not contain null bytes');
    const writes = [{ _id: 'a' }, { 'a\0b': 1 }];
    expect(wasNotSent(unencodable, writes)).toBe(true);
    expect(wasNotSent(batchError(unencodable), writes)).toBe(true);
    expect(wasNotSent(batchError(new MongoNetworkError('write ECONNRESET')), writes)).toBe(false);
  });

  it('leaves every outcome unknown when the answer cannot be decoded', () => {
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

  it('met a concurrent write when it is a deadlock or its unique value is taken', () => {
    const [duplicate, invalid] = [11_000, 121].map((code) => new MongoServerError({ errmsg: 'rejected', code }));
    expect([deadlock, conflict, duplicate!, invalid!].map(isConflict)).toEqual([true, true, true, false]);
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
