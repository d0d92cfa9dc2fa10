import type { BusEvent, EventCause, EventType } from '@swim/contracts';
import { eventSubject } from '@swim/messaging';
import { newId } from '@swim/platform';
import type { TestHarness } from '../services/harness.js';

// The stream acknowledges once the event is on disk, which may be slow on a machine that is busy with other tests.
const ACKNOWLEDGED_WITHIN_MS = 20_000;

/** The fields of a published event, beside its type. */
export interface PublishedObject<T> {
  object: T & { id: string };
  /** The event's audience. */
  audience: string[];
  /** Its ordinal among the events of its object; 1 by default. */
  n?: number;
  /** Who has caused it; by default the service, in the name of the first account of the audience. */
  by?: Pick<EventCause, 'accountId' | 'actor' | 'actingSchoolId'>;
  /** Former values of the fields that changed. */
  previous?: BusEvent['previous'];
}

/** Publishes an event as a fake of its service; resolves when the stream has stored it. */
export async function publishEvent<E extends EventType>(
  { connection }: TestHarness,
  { type, service }: E,
  { object, audience, n = 1, by, previous }: PublishedObject<E['object']['_output']>,
): Promise<void> {
  const event: BusEvent = {
    id: newId('evt'),
    n,
    type,
    env: 'test',
    occurredAt: new Date().toISOString(),
    audience,
    objectId: object.id,
    object,
    ...(previous ? { previous } : {}),
    cause: { requestId: null, idempotencyKey: null, actor: 'system', accountId: audience[0]!, ...by },
  };
  // A request, so that it resolves when the stream has acknowledged it.
  await connection.request(eventSubject(service, event), JSON.stringify(event), { timeout: ACKNOWLEDGED_WITHIN_MS });
}
