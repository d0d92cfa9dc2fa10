import type { JetStreamClient } from '@nats-io/jetstream';
import type { BusEvent, Environment, KeyNews, ServiceName } from '@swim/contracts';
import { keySubject } from './key-news.js';

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

  /**
   * Tells all gateways that something about a key has changed; resolves when the stream of keys has it on disk. `n` counts
   * the changes of this key: the same one again adds nothing.
   */
  async publishKeyNews(env: Environment, n: number, news: KeyNews): Promise<void> {
    await this.jetStream.publish(keySubject(env, news.keyId), JSON.stringify(news), {
      msgID: `${news.keyId}.${n}`,
      timeout: PUBLISH_TIMEOUT_MS,
    });
  }
}
