import {
  type AccountEvent,
  type Environment,
  EVENT_API_VERSION,
  type EventCause,
  reviewCreated,
  SYSTEM_ACTOR,
} from '@swim/contracts';
import { derivedId } from '@swim/platform';
import type { EventDocument } from './event.schema.js';
import type { IncomingEvent } from './incoming-event.js';

/** One account's copy of an event, of which there are `copies`. */
export interface Copy {
  /** Derived from the event and the account. */
  id: string;
  event: IncomingEvent;
  account: string;
  copies: number;
  /** JSON of the event's public `data`, the same for all copies. */
  data: string;
}

/** The copies of an event for these accounts. */
export function copiesOf(event: IncomingEvent, accounts: readonly string[]): Copy[] {
  const data = JSON.stringify({ object: event.object, previous_attributes: event.previous ?? null });
  const copies = accounts.length;
  return accounts.map((account) => ({ id: derivedId('evt', event.id, account), event, account, copies, data }));
}

/** A copy as it is stored, before it is numbered. */
export function toDocument({ id, event, account, copies, data }: Copy): Omit<EventDocument, 'sequence'> {
  const { type, objectId, n, occurredAt } = event;
  const { isQuiet: _, ...cause } = event.cause;
  return {
    _id: id,
    account,
    readers: [account],
    type,
    objectId,
    n,
    copies,
    timestamp: new Date(occurredAt),
    data,
    // Another account's key and idempotency key are private, and are erased with that account.
    cause: cause.accountId === account ? cause : { ...cause, idempotencyKey: null },
  };
}

/** An event as the API's JSON, without the number that it gets when it is stored. */
export type UnnumberedEvent = Omit<AccountEvent, 'sequence'>;

/** A copy as the API's JSON, before it is numbered. */
export const toUnnumberedEvent = ({ id, event, account }: Copy, env: Environment): UnnumberedEvent =>
  jsonOf(
    {
      id,
      type: event.type,
      timestamp: new Date(event.occurredAt),
      account,
      cause: event.cause,
      data: { object: event.object as EventData['object'], previous_attributes: event.previous ?? null },
    },
    env,
  );

/** Maps the event to the API's JSON. */
export function toAccountEvent(document: EventDocument, env: Environment): AccountEvent {
  const { _id, type, timestamp, account, cause } = document;
  const data = JSON.parse(document.data) as EventData;
  const { id, ...event } = jsonOf({ id: _id, type, timestamp, account, cause, data }, env);
  return { id, sequence: document.sequence, ...event };
}

/** The stored `data` of an event without what clients wrote to its object: metadata, and the reference of a payment. */
export function withoutTexts(stored: string): string {
  const { object, previous_attributes: previous } = JSON.parse(stored) as EventData;
  const cleared = (of: object) => ({
    ...of,
    ...('metadata' in of ? { metadata: {} } : {}),
    ...('reference' in of ? { reference: null } : {}),
  });
  return JSON.stringify({ object: cleared(object), previous_attributes: previous && cleared(previous) });
}

type EventData = AccountEvent['data'];

interface EventFields extends Pick<EventDocument, 'type' | 'timestamp' | 'account' | 'cause'> {
  id: string;
  data: EventData;
}

function jsonOf({ id, type, timestamp, account, cause, data }: EventFields, env: Environment): UnnumberedEvent {
  const { requestId, idempotencyKey, actor } = shownCause(type, account, cause);
  return {
    id,
    type,
    timestamp: timestamp.toISOString(),
    account_id: account,
    api_version: EVENT_API_VERSION,
    livemode: env === 'live',
    data,
    request: requestId === null ? null : { id: requestId, idempotency_key: idempotencyKey },
    actor,
  };
}

type ShownCause = Pick<EventCause, 'requestId' | 'idempotencyKey' | 'actor'>;

/** Another account's keys are private: the actor is the account instead of the key. The author of a review is hidden altogether. */
function shownCause(type: string, account: string, cause: EventCause): ShownCause {
  if (cause.accountId === account) return cause;
  if (type === reviewCreated.type) return { requestId: null, idempotencyKey: null, actor: SYSTEM_ACTOR };
  const { requestId, actor, accountId } = cause;
  return { requestId, idempotencyKey: null, actor: actor === SYSTEM_ACTOR ? actor : accountId };
}
