import { jetstream } from '@nats-io/jetstream';
import { type BusEvent, objectKindOf, type ServiceName } from '@swim/contracts';
import { EventPublisher, eventSubject } from '@swim/messaging';
import { newId } from '@swim/platform';
import { type TestHarness, until } from '@swim/testing';

/** The fields of an event that a test sets; the rest has defaults. */
type EventSeed = Partial<BusEvent> & { audience: string[] };

/** An event as a service publishes it: by default the first of a new object. */
export function anEvent(seed: EventSeed): BusEvent {
  const objectId = seed.objectId ?? newId('bkg');
  const type = seed.type ?? 'booking.created';
  const object = (seed.object as object | undefined) ?? { id: objectId, n: seed.n ?? 1 };
  return {
    id: newId('evt'),
    n: 1,
    type,
    env: 'test',
    occurredAt: new Date().toISOString(),
    objectId,
    cause: { requestId: newId('req'), idempotencyKey: null, actor: newId('key'), accountId: newId('acct') },
    ...seed,
    object: { object: objectKindOf(type), ...object },
  };
}

/** The events 1 to `count` of one object. */
export function aHistory(count: number, seed: EventSeed): BusEvent[] {
  const objectId = seed.objectId ?? newId('bkg');
  return Array.from({ length: count }, (_, index) =>
    anEvent({ ...seed, objectId, n: index + 1, object: { id: objectId, n: index + 1 } }),
  );
}

/** Publishes events in order, as the service that owns them. */
export async function publish(
  harness: TestHarness,
  events: BusEvent[],
  service: ServiceName = 'booking',
): Promise<void> {
  const publisher = new EventPublisher(service, harness.connection);
  // Repeated where a busy machine acknowledges late: the stream drops what it has already.
  const isStored = (event: BusEvent) =>
    publisher.publish(event).then(
      () => true,
      () => false,
    );
  for (const event of events) await until(() => isStored(event), `event ${event.id} is stored`);
}

/** Publishes an event once more, without the stream's deduplication. */
export async function publishTwin(harness: TestHarness, event: BusEvent): Promise<void> {
  // A busy machine may acknowledge late.
  const options = { timeout: 20_000 };
  await jetstream(harness.connection).publish(eventSubject('booking', event), JSON.stringify(event), options);
}
