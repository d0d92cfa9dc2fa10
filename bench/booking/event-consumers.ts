import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';

/** The consumers of the stack's events. */
export class EventConsumers {
  readonly #connection: Promise<NatsConnection>;
  readonly #manager: Promise<JetStreamManager>;

  /** @param env - of the stack: NATS_URL. */
  constructor({ NATS_URL = '' }: Record<string, string>) {
    this.#connection = connect({ servers: NATS_URL });
    this.#manager = this.#connection.then((connection) => jetstreamManager(connection));
  }

  /** @returns whether every event that was published has been handled. */
  async areIdle(): Promise<boolean> {
    const manager = await this.#manager;
    for await (const stream of manager.streams.names()) {
      for await (const { num_pending, num_ack_pending } of manager.consumers.list(stream))
        if (num_pending + num_ack_pending > 0) return false;
    }
    return true;
  }

  async close() {
    await (await this.#connection).close();
  }
}
