import type { JetStreamClient } from '@nats-io/jetstream';
import type { BusEvent, Environment, KeyInvalidation, ServiceName } from '@swim/contracts';
import { EventSink } from '@swim/platform';
import { keySubject } from './key-invalidations.js';
import { isMissing, type Streams } from './stream-keeper.js';
import { eventStream } from './streams.js';

const PUBLISH_TIMEOUT_MS = 5_000;

/** Subject of an event: `event.<env>.<service>.<type>.<object id>`. */
export const eventSubject = (service: ServiceName, event: BusEvent): string =>
  `event.${event.env}.${service}.${event.type}.${event.objectId}`;

/** Publishes events to the stream of their environment; resolves when JetStream has stored them on disk. */
export class EventPublisher extends EventSink {
  /** `streams` creates a missing stream; without it, publishing fails then. */
  constructor(
    private readonly service: ServiceName,
    private readonly jetStream: JetStreamClient,
    private readonly streams?: Streams,
  ) {
    super();
  }

  /** The event's id is its message id, so that a repeated publish within the stream's deduplication window adds nothing. */
  publish(event: BusEvent): Promise<void> {
    return this.put(eventSubject(this.service, event), event, event.id);
  }

  /**
   * Publishes the invalidation of a key to all gateways; resolves when the stream of keys has stored it on disk. `n` counts
   * the changes of this key: a repeated publish of one adds nothing.
   */
  publishKeyInvalidation(env: Environment, n: number, invalidation: KeyInvalidation): Promise<void> {
    return this.put(keySubject(env, invalidation.keyId), invalidation, `${invalidation.keyId}.${n}`);
  }

  /** The identity of an environment's event stream, which changes when it is lost and created anew: its creation time. */
  async identifyStream(env: Environment): Promise<string> {
    const { streams } = await this.jetStream.jetstreamManager(false);
    const readCreated = async () => (await streams.info(eventStream(env))).created;
    return readCreated().catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return this.afterMaking(error, readCreated);
    });
  }

  private async put(subject: string, body: object, msgID: string): Promise<void> {
    const options = { msgID, timeout: PUBLISH_TIMEOUT_MS };
    const send = async () => void (await this.jetStream.publish(subject, JSON.stringify(body), options));
    await send().catch((error: unknown) => {
      // No stream has the subject: it is missing.
      if ((error as Error).name !== 'JetStreamNotEnabled') throw error;
      return this.afterMaking(error, send);
    });
  }

  private async afterMaking<T>(error: unknown, work: () => Promise<T>): Promise<T> {
    if (!this.streams) throw error;
    await this.streams.ensure();
    return work();
  }
}
