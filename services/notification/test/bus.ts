import { jetstream } from '@nats-io/jetstream';
import type { BusEvent, ServiceName } from '@swim/contracts';
import { EventPublisher, eventSubject } from '@swim/messaging';
import { newId } from '@swim/platform';
import type { TestHarness } from '@swim/testing';

/** What a test says of an event; the rest is filled in. */
type EventSeed = Partial<BusEvent> & { audience: string[] };

/** An event as a service would publish it: the first of an object of its own, unless told otherwise. */
export function anEvent(seed: EventSeed): BusEvent {
  const objectId = seed.objectId ?? newId('bkg');
  return {
    id: newId('evt'),
    n: 1,
    type: 'booking.created',
    env: 'test',
    occurredAt: new Date().toISOString(),
    objectId,
    object: { id: objectId, n: seed.n ?? 1 },
    cause: { requestId: newId('req'), idempotencyKey: null, actor: newId('key'), accountId: newId('acct') },
    ...seed,
  };
}

/** The events 1 to `count` of one object. */
export function aHistory(count: number, seed: EventSeed): BusEvent[] {
  const objectId = seed.objectId ?? newId('bkg');
  return Array.from({ length: count }, (_, index) =>
    anEvent({ ...seed, objectId, n: index + 1, object: { id: objectId, n: index + 1 } }),
  );
}

/** Publishes events, one after the other, as the service that owns them. */
export async function publish(
  harness: TestHarness,
  events: BusEvent[],
  service: ServiceName = 'booking',
): Promise<void> {
  const publisher = new EventPublisher(service, jetstream(harness.connection));
  for (const event of events) await publisher.publish(event);
}

/** Puts an event on the stream once more, past the stream's own deduplication. */
export async function publishTwin(harness: TestHarness, event: BusEvent): Promise<void> {
  await jetstream(harness.connection).publish(eventSubject('booking', event), JSON.stringify(event));
}
