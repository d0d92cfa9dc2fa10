import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createMember, type Reason } from '@swim/contracts';
import { type Answer, AppError, answerOf, errorAnswer, newId } from '@swim/platform';
import type { IdempotencyRecord } from './idempotency-record.schema.js';
import { type AnswerKeys, fateOf, replayOf, sealedAnswer, subjectsOf } from './stored-answer.js';

const success = (value: unknown): Answer => answerOf(createMember, value);
const rejected = (reason: Reason): Answer => errorAnswer(new AppError(reason));
const textOf = ({ body }: Answer) => Buffer.from(body).toString();

describe('the fate of a record', () => {
  it.each<[string, Reason]>([
    ['keep', 'card_declined'],
    ['keep', 'authentication_required'],
    ['keep', 'resource_not_found'],
    ['keep', 'instructor_busy'],
    ['free', 'required'],
    ['free', 'missing_scope'],
    ['free', 'revoked_key'],
    ['free', 'burst_limit'],
    ['leave', 'change_in_progress'],
    ['leave', 'advance_in_progress'],
    ['leave', 'reset_in_progress'],
    ['leave', 'replay_in_progress'],
    ['leave', 'account_closing'],
    ['leave', 'internal'],
    ['leave', 'unavailable'],
    ['leave', 'deadline_exceeded'],
  ])('is %s after %s', (fate, reason) => {
    expect(fateOf(rejected(reason))).toBe(fate);
  });

  it('is keep after a success, whatever the answer contains', () => {
    expect(fateOf(success({ code: 'SERVER_ERROR', details: { reason: 'internal' } }))).toBe('keep');
  });

  it('is keep after a rejection whose reason this release does not know', () => {
    const error = { code: 'VALIDATION_ERROR', message: 'New.', details: { reason: 'of_a_newer_release' } };
    expect(fateOf({ error: true, body: Buffer.from(JSON.stringify(error)) })).toBe('keep');
  });
});

describe('the members in an answer', () => {
  it('are found wherever their ids stand, each once', () => {
    const [one, other] = [newId('mem'), newId('mem')];
    const { body } = success({ name: 'Zoë', member_ids: [one, other], note: `With ${one}.` });
    expect(subjectsOf(body)).toEqual([one, other]);
  });

  it('are none where only ids of other objects or parts of longer words stand', () => {
    expect(subjectsOf(success({ id: newId('ins'), note: `${newId('mem')}0 a${newId('mem')}` }).body)).toEqual([]);
  });
});

describe('a stored answer', () => {
  const identity = { _id: 'record', accountId: newId('acct') };
  const keys: AnswerKeys = { key: createSecretKey(randomBytes(32)), clientKey: 'a key' };
  const stored = (answer: Answer, more: Partial<IdempotencyRecord> = {}): IdempotencyRecord =>
    ({ ...identity, ...sealedAnswer(identity, keys, answer), ...more }) as IdempotencyRecord;

  it.each<[string, Answer]>([
    ['success', success({ text: 'Grüße' })],
    ['rejection', rejected('card_declined')],
  ])('of a %s is replayed byte for byte', (_, answer) => {
    const replayed = replayOf(stored(answer), keys);
    expect(textOf(replayed)).toBe(textOf(answer));
    expect(replayed).toMatchObject({ error: answer.error, replayed: true, pagination: null, retryAfterSeconds: null });
  });

  it('is replayed with its warnings', () => {
    const warnings = '[{"code":"local_time_skipped"}]';
    expect(replayOf(stored({ ...success({ text: 'made' }), warnings }), keys)).toMatchObject({ warnings });
    expect(replayOf(stored(success({ text: 'made' })), keys)).not.toHaveProperty('warnings');
  });

  it('is replayed from the binary value that the driver returns', () => {
    const answer = success({ text: 'made' });
    const { answer: sealed } = stored(answer);
    const read = { buffer: new Uint8Array(sealed!) } as unknown as Buffer;
    expect(textOf(replayOf(stored(answer, { answer: read }), keys))).toBe(textOf(answer));
  });

  it('lists its members, and has no list without one', () => {
    const id = newId('mem');
    expect(stored(success({ id })).subjects).toEqual([id]);
    expect(stored(success({ text: 'made' }))).not.toHaveProperty('subjects');
  });

  it('contains no plaintext, and opens neither under another key nor as that of another record or account', () => {
    const record = stored(success({ text: 'made' }));
    expect(record.answer!.includes('made')).toBe(false);
    expect(() => replayOf(record, { ...keys, clientKey: 'another' })).toThrow();
    expect(() => replayOf(record, { ...keys, key: createSecretKey(randomBytes(32)) })).toThrow();
    expect(() => replayOf({ ...record, _id: 'another' }, keys)).toThrow();
    expect(() => replayOf({ ...record, accountId: newId('acct') }, keys)).toThrow();
  });

  it('that an erasure removed is resource_not_found', () => {
    const replayed = replayOf({ ...identity, forgotten: true } as IdempotencyRecord, keys);
    expect(JSON.parse(textOf(replayed)).details.reason).toBe('resource_not_found');
  });
});
