import { type ErrorBody, type Operation, type OutputOf, type Page, type Pagination, withKinds } from '@swim/contracts';
import { AppError } from './app-error.js';

/** The serialized result of an operation: the bytes of `data`, or of `error`, which are passed on without parsing. */
export interface Answer {
  readonly body: Uint8Array;
  readonly error: boolean;
  /** JSON of the pagination block; lists only. */
  readonly pagination: string | null;
  /** JSON of the warnings for the client; absent without any. */
  readonly warnings?: string;
  /** Whether this is the stored answer of an earlier request with the same key. */
  readonly replayed: boolean;
  readonly retryAfterSeconds: number | null;
}

/** The return type of a handler of this operation. */
export type Answered<O extends Operation> = O extends { kind: 'list' } ? Page<OutputOf<O>> : OutputOf<O>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Serializes a handler's result; each object of the API in it names its kind. */
export function answerOf(operation: Operation, returned: unknown): Answer {
  const page = operation.kind === 'list' ? (returned as Page<unknown>) : null;
  const data = page
    ? page.items.map((item) => withKinds(operation.output, item))
    : withKinds(operation.output, returned);
  return {
    body: encoder.encode(JSON.stringify(data)),
    error: false,
    pagination: page ? JSON.stringify(page.pagination) : null,
    replayed: false,
    retryAfterSeconds: null,
  };
}

/** Serializes a thrown error; anything but an AppError becomes `internal` without details. */
export function errorAnswer(thrown: unknown): Answer {
  const error = thrown instanceof AppError ? thrown : new AppError('internal');
  return {
    body: encoder.encode(JSON.stringify(error.toBody())),
    error: true,
    pagination: null,
    replayed: false,
    retryAfterSeconds: error.retryAfterSeconds ?? null,
  };
}

/** The value of a success; throws the AppError of an error. */
export function resultOf<O extends Operation>(operation: O, answer: Answer): Answered<O> {
  const value = JSON.parse(decoder.decode(answer.body)) as unknown;
  if (answer.error) throw AppError.fromBody(value as ErrorBody, answer.retryAfterSeconds ?? undefined);
  if (operation.kind !== 'list') return value as Answered<O>;
  return { items: value, pagination: JSON.parse(answer.pagination!) as Pagination } as Answered<O>;
}
