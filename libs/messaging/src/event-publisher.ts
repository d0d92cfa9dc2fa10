import type { JetStreamClient } from '@nats-io/jetstream';
import type { BusEvent, ServiceName } from '@swim/contracts';

const PUBLISH_TIMEOUT_MS = 5_000;

/** Subject of an event: `event.<env>.<service>.<type>.<object id>`. */
export const eventSubject = (service: ServiceName, event: BusEvent): string =>
  `event.${event.env}.${service}.${event.type}.${event.objectId}`;

/** Puts events on the stream of their environment; resolves when JetStream has them on disk. */
export class EventPublisher {
  constructor(
    private readonly service: ServiceName,
    private readonly jetStream: JetStreamClient,
  ) {}

  /** The event's id is its message id, so that publishing again within the stream's window adds nothing. */
  async publish(event: BusEvent): Promise<void> {
    await this.jetStream.publish(eventSubject(this.service, event), JSON.stringify(event), {
      msgID: event.id,
      timeout: PUBLISH_TIMEOUT_MS,
    });
  }
}
