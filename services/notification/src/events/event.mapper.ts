import { type AccountEvent, type Environment, EVENT_API_VERSION, objectKindOf } from '@swim/contracts';
import { derivedId } from '@swim/platform';
import type { EventDocument } from './event.schema.js';
import type { IncomingEvent } from './incoming-event.js';

/** The id of an account's copy of an event. */
export const copyIdOf = ({ id }: Pick<IncomingEvent, 'id'>, account: string): string => derivedId('evt', id, account);

/** One account's copy of an event, of which there are `copies`. */
export function toDocument(event: IncomingEvent, account: string, copies: number): Omit<EventDocument, 'sequence'> {
  const { id, type, objectId, n, occurredAt, object, previous, cause } = event;
  return {
    _id: copyIdOf({ id }, account),
    account,
    readers: [account],
    type,
    objectId,
    n,
    copies,
    timestamp: new Date(occurredAt),
    data: JSON.stringify({ object, previous_attributes: previous ?? null }),
    // Another account's key and idempotency key are private, and are erased with that account.
    cause: cause.accountId === account ? cause : { ...cause, idempotencyKey: null },
  };
}

/** Maps the event to the API's JSON. */
export function toAccountEvent(document: EventDocument, env: Environment): AccountEvent {
  const { requestId, idempotencyKey, actor, accountId } = document.cause;
  const isOwn = accountId === document.account;
  const data = JSON.parse(document.data) as Omit<AccountEvent['data'], 'object'> & { object: object };
  return {
    id: document._id,
    type: document.type,
    timestamp: document.timestamp.toISOString(),
    sequence: document.sequence,
    account_id: document.account,
    api_version: EVENT_API_VERSION,
    livemode: env === 'live',
    // An object that was published before objects named their kinds has none.
    data: { ...data, object: { object: objectKindOf(document.type), ...data.object } },
    request: requestId === null ? null : { id: requestId, idempotency_key: isOwn ? idempotencyKey : null },
    // Another account's keys are private: the actor is the account instead of the key.
    actor: isOwn || actor === 'system' ? actor : accountId,
  };
}
