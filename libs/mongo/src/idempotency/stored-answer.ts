import type { KeyObject } from 'node:crypto';
import { ERASABLE_PREFIXES, type ErrorBody, REASONS, type Reason } from '@swim/contracts';
import { type Answer, AppError, Cipher, errorAnswer } from '@swim/platform';
import type { IdempotencyRecord } from './idempotency-record.schema.js';

const NEVER_STORED = new Set<string>(['AUTHENTICATION_ERROR', 'AUTHORIZATION_ERROR', 'RATE_LIMIT_EXCEEDED']);
const STORED_VALIDATION = new Set<Reason>(['card_declined', 'authentication_required']);
// A retry of the same request may succeed: something else is in progress, or the account is restored.
const isPassing = (reason: string): boolean => reason === 'account_closing' || reason.endsWith('_in_progress');
const SUBJECT_ID = new RegExp(`\\b(?:${ERASABLE_PREFIXES.join('|')})_[0-9a-z]{26}\\b`, 'g');

/** The fields of a record that contain its answer. */
export type StoredAnswer = Pick<IdempotencyRecord, 'error' | 'answer' | 'warnings' | 'subjects'>;

/** The keys that an answer is encrypted under: the master key and that of the write. */
export interface AnswerKeys {
  key: KeyObject;
  clientKey: string;
}

/** What happens to the record after a run: keep the answer, free the key, or leave the work to the next run. */
export function fateOf({ error, body }: Pick<Answer, 'error' | 'body'>): 'keep' | 'free' | 'leave' {
  if (!error) return 'keep';
  const { code, details } = JSON.parse(asBuffer(body).toString()) as ErrorBody;
  if (code === 'SERVER_ERROR' || isPassing(details.reason)) return 'leave';
  if (NEVER_STORED.has(code)) return 'free';
  const stored = code !== 'VALIDATION_ERROR' || STORED_VALIDATION.has(details.reason as Reason);
  return stored || !(details.reason in REASONS) ? 'keep' : 'free';
}

/** The same bytes, not copied. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The ids in an answer that an erasure may be about. */
export const subjectsOf = (body: Uint8Array): string[] => [
  ...new Set(asBuffer(body).toString('latin1').match(SUBJECT_ID)),
];

/** An answer as its record stores it. */
export function sealedAnswer(
  { _id, accountId }: Pick<IdempotencyRecord, '_id' | 'accountId'>,
  { key, clientKey }: AnswerKeys,
  { error, body, warnings }: Pick<Answer, 'error' | 'body' | 'warnings'>,
): StoredAnswer {
  const answer = cipherOf(key, accountId, clientKey).seal(asBuffer(body), _id);
  const subjects = subjectsOf(body);
  return {
    error,
    answer,
    ...(warnings === undefined ? {} : { warnings }),
    ...(subjects.length > 0 ? { subjects } : {}),
  };
}

/** The answer of a finished record, byte for byte; `resource_not_found` when an erasure removed it. */
export function replayOf(record: IdempotencyRecord, { key, clientKey }: AnswerKeys): Answer {
  if (record.forgotten) return errorAnswer(new AppError('resource_not_found'));
  const stored = record.answer as unknown as Buffer | { buffer: Uint8Array };
  const sealed = Buffer.isBuffer(stored) ? stored : Buffer.from(stored.buffer);
  const body = cipherOf(key, record.accountId, clientKey).open(sealed, record._id);
  const { error = false, warnings } = record;
  const replay = { body, error, pagination: null, replayed: true, retryAfterSeconds: null };
  return warnings === undefined ? replay : { ...replay, warnings };
}

const cipherOf = (key: KeyObject, accountId: string, clientKey: string): Cipher =>
  Cipher.derived(key, `idempotency|${accountId}`, clientKey);
