import type { WebhookDelivery } from '@swim/contracts';
import { derivedId } from '@swim/platform';
import type { StoredEvent } from '../events/stored-events.service.js';
import type { StoredAttempt, WebhookDeliveryDocument } from './webhook-delivery.schema.js';

/** Decrypts the answer of a try. */
export type OpenResponse = (response: StoredAttempt['response']) => string | null;

/** Maps the delivery to the API's JSON. */
export function toWebhookDelivery(document: WebhookDeliveryDocument, open: OpenResponse): WebhookDelivery {
  const { _id, endpointId, eventId, type, status, attempts, dueAt, claim, createdAt, updatedAt } = document;
  return {
    id: _id,
    webhook_endpoint_id: endpointId,
    event_id: eventId,
    type,
    status,
    attempts: attempts.map((attempt) => ({
      at: attempt.at.toISOString(),
      status_code: attempt.statusCode ?? null,
      duration_ms: attempt.durationMs,
      error: attempt.error ?? null,
      response_body: open(attempt.response ?? null),
    })),
    // One that is claimed is being tried, and a parked one has been due since it was made.
    next_attempt_at: status === 'pending' && !claim ? (dueAt ?? createdAt).toISOString() : null,
    created_at: createdAt.toISOString(),
    updated_at: (updatedAt ?? createdAt).toISOString(),
  };
}

/** A new delivery of an event to an endpoint. Its id follows from both, so that a repetition stores it once. */
export function newDelivery(
  event: StoredEvent,
  endpointId: string,
  createdAt: Date,
): Omit<WebhookDeliveryDocument, 'dueAt' | 'parked' | 'claim' | 'replay' | 'body'> {
  return {
    _id: derivedId('dlv', event.id, endpointId),
    accountId: event.account,
    readers: [event.account],
    endpointId,
    eventId: event.id,
    type: event.type,
    status: 'pending',
    tries: 0,
    attempts: [],
    createdAt,
  };
}
