import { describe, expect, it } from '@jest/globals';
import { apiObject, rpc } from '@swim/contracts';
import { type Answer, AppError, answerOf, errorAnswer, sharedClock, resultOf as valueIn } from '@swim/platform';
import { z } from 'zod';
import { answerHeaders, HEADER, readAnswer } from './wire.js';

const read = rpc('people.read', {
  kind: 'read',
  callers: ['gateway'],
  input: z.object({}),
  output: z.object({ a: z.int() }),
});
const list = rpc('people.list', {
  kind: 'list',
  callers: ['gateway'],
  input: z.object({}),
  output: z.object({ a: z.int() }),
});

const lane = apiObject('lane', { id: z.string() });
const getLane = rpc('people.getLane', { kind: 'read', callers: ['gateway'], input: z.object({}), output: lane });
const listLanes = rpc('people.listLanes', { kind: 'list', callers: ['gateway'], input: z.object({}), output: lane });

const overTheBus = (answer: Answer): Answer => readAnswer(answer.body, answerHeaders(answer));

describe('an answer', () => {
  it('is bytes and a clock reading in the common case', () => {
    const answer = answerOf(read, { a: 1 });
    const headers = answerHeaders(answer);
    expect(headers.keys()).toEqual([HEADER.clock]);
    expect(Math.abs(Number(headers.get(HEADER.clock)) - sharedClock.nowMs())).toBeLessThan(10_000);
    expect(valueIn(read, overTheBus(answer))).toEqual({ a: 1 });
  });

  it('of a list has its pagination beside the items', () => {
    const page = { items: [{ a: 1 }], pagination: { has_more: false, next_cursor: null, total: 1 } };
    const answer = overTheBus(answerOf(list, page));
    expect(Buffer.from(answer.body).toString()).toBe('[{"a":1}]');
    expect(valueIn(list, answer)).toEqual(page);
  });

  it('names the kind of its object, and of each object of a list', () => {
    expect(valueIn(getLane, answerOf(getLane, { id: 'a' }))).toEqual({ object: 'lane', id: 'a' });
    const pagination = { has_more: false, next_cursor: null, total: 2 };
    const { items } = valueIn(listLanes, answerOf(listLanes, { items: [{ id: 'a' }, { id: 'b' }], pagination }));
    expect(items).toEqual([
      { object: 'lane', id: 'a' },
      { object: 'lane', id: 'b' },
    ]);
  });

  it('with an error is thrown unchanged', () => {
    const thrown = new AppError('instructor_busy', {
      field: 'date',
      details: { suggestions: [] },
      retryAfterSeconds: 2,
    });
    const answer = overTheBus(errorAnswer(thrown));
    expect(answer).toMatchObject({ error: true, retryAfterSeconds: 2 });
    expect(() => valueIn(read, answer)).toThrow(expect.objectContaining({ details: thrown.details, code: 'CONFLICT' }));
  });

  it('omits the cause of an internal error', () => {
    const answer = errorAnswer(new TypeError('x of undefined'));
    expect(Buffer.from(answer.body).toString()).not.toContain('undefined');
    expect(() => valueIn(read, answer)).toThrow(expect.objectContaining({ reason: 'internal' }));
  });

  it('carries its warnings', () => {
    const warnings = '[{"code":"local_time_skipped","date":"2027-03-28"}]';
    expect(overTheBus({ ...answerOf(read, { a: 1 }), warnings }).warnings).toBe(warnings);
    expect(overTheBus(answerOf(read, { a: 1 }))).not.toHaveProperty('warnings');
  });

  it('is marked as replayed when it was stored', () => {
    expect(overTheBus({ ...answerOf(read, { a: 1 }), replayed: true }).replayed).toBe(true);
  });
});
