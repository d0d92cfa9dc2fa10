import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { ErrorBody, Operation, OutputOf, Page, Pagination } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { HEADER } from './wire.js';

/** What crosses the bus back: the bytes of `data`, or of `error`. They are passed through, never parsed again. */
export interface Answer {
  readonly body: Uint8Array;
  readonly error: boolean;
  /** JSON of the pagination block; lists only. */
  readonly pagination: string | null;
  /** Whether this is the stored answer of an earlier request with the same key. */
  readonly replayed: boolean;
  readonly retryAfterSeconds: number | null;
}

/** What a handler of this operation returns. */
export type Answered<O extends Operation> = O extends { kind: 'list' } ? Page<OutputOf<O>> : OutputOf<O>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes what a handler returned. */
export function answerOf(operation: Operation, returned: unknown): Answer {
  const page = operation.kind === 'list' ? (returned as Page<unknown>) : null;
  return {
    body: encoder.encode(JSON.stringify(page ? page.items : returned)),
    error: false,
    pagination: page ? JSON.stringify(page.pagination) : null,
    replayed: false,
    retryAfterSeconds: null,
  };
}

/** Writes what a handler threw; anything but an AppError is told as `internal` and nothing more. */
export function refusalAnswer(thrown: unknown): Answer {
  const error = thrown instanceof AppError ? thrown : new AppError('internal');
  return {
    body: encoder.encode(JSON.stringify(error.toBody())),
    error: true,
    pagination: null,
    replayed: false,
    retryAfterSeconds: error.retryAfterSeconds ?? null,
  };
}

/** Headers of an answer; undefined when it has none, the common case. */
export function answerHeaders(answer: Answer): MsgHdrs | undefined {
  if (!answer.error && !answer.pagination && !answer.replayed) return undefined;
  const out = headers();
  if (answer.error) out.set(HEADER.error, '1');
  if (answer.pagination) out.set(HEADER.pagination, answer.pagination);
  if (answer.replayed) out.set(HEADER.replayed, '1');
  if (answer.retryAfterSeconds !== null) out.set(HEADER.retryAfter, String(answer.retryAfterSeconds));
  return out;
}

/** Reads an answer off a reply. */
export function readAnswer(body: Uint8Array, from: MsgHdrs | undefined): Answer {
  if (!from) return { body, error: false, pagination: null, replayed: false, retryAfterSeconds: null };
  return {
    body,
    error: from.has(HEADER.error),
    pagination: from.get(HEADER.pagination) || null,
    replayed: from.has(HEADER.replayed),
    retryAfterSeconds: from.has(HEADER.retryAfter) ? Number(from.get(HEADER.retryAfter)) : null,
  };
}

/** The value of a good answer; throws what a bad one says. */
export function resultOf<O extends Operation>(operation: O, answer: Answer): Answered<O> {
  const value = JSON.parse(decoder.decode(answer.body)) as unknown;
  if (answer.error) throw AppError.fromBody(value as ErrorBody, answer.retryAfterSeconds ?? undefined);
  if (operation.kind !== 'list') return value as Answered<O>;
  return { items: value, pagination: JSON.parse(answer.pagination!) as Pagination } as Answered<O>;
}
