import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type Collection, MongoClient } from 'mongodb';
import { SERVICES } from '../../deploy/local/stack/product-processes.ts';
import { waitUntil } from '../../deploy/system/processes/ports.ts';

const QUIET_WITHIN_MS = 120_000;
// Each service has databases with these suffixes: keys of members and users of the dashboard have databases of their
// own.
const DATABASES = ['live', 'test', 'keys_live', 'keys_test', 'users'];
// This condition finds every document that a sweep would process. With `$type` alone, the offline engine reads the
// whole collection.
const DUE = { $type: 'date', $lte: new Date('9999-12-31') } as const;

interface Stored {
  _id: string;
  // biome-ignore lint/suspicious/noExplicitAny: each collection has documents of its own.
  [field: string]: any;
}

/** Reads and writes the databases of the stack directly. */
export class BenchDatabase {
  readonly #client: MongoClient;
  readonly #prefix: string;
  readonly #connection: Promise<NatsConnection>;
  readonly #streams: Promise<JetStreamManager>;

  /** @param env - the environment of the stack with MONGODB_URI, DATABASE_PREFIX and NATS_URL. */
  constructor({ MONGODB_URI = '', DATABASE_PREFIX = '', NATS_URL = '' }: Record<string, string>) {
    this.#client = new MongoClient(MONGODB_URI);
    this.#prefix = DATABASE_PREFIX;
    this.#connection = connect({ servers: NATS_URL });
    this.#streams = this.#connection.then((connection) => jetstreamManager(connection));
  }

  collection(service: string, name: string, env: 'live' | 'test' = 'test'): Collection<Stored> {
    return this.#client.db(`${this.#prefix}_${service}_${env}`).collection<Stored>(name);
  }

  /**
   * Waits until the services have done all background work.
   * @throws after two minutes.
   */
  async untilQuiet() {
    const isQuiet = async () => (await this.#isSettled()) && (await this.#eventsAreHandled());
    if (await waitUntil(isQuiet, QUIET_WITHIN_MS)) return;
    throw new Error(`the stack did not finish what its requests cause within ${QUIET_WITHIN_MS / 1_000} s`);
  }

  async removeAll() {
    for (const service of SERVICES) {
      for (const name of DATABASES) await this.#client.db(`${this.#prefix}_${service}_${name}`).dropDatabase();
    }
    await this.#client.close();
    await (await this.#connection).close();
  }

  /** Reads by indexes only, because the cost of these queries counts as the stack's. */
  async #isSettled() {
    if (await this.collection('booking', 'drafts').findOne({ nextAt: DUE })) return false;
    // The fence of a superseded attempt has no time; it becomes due for removal after a day.
    const unsettled = { dueAt: DUE, 'elements.0': { $exists: true } };
    if (await this.collection('scheduling', 'claims').findOne(unsettled)) return false;
    const relayed = { booking: 'bookings', scheduling: 'sessions', payment: 'payments' };
    for (const [service, name] of Object.entries(relayed)) {
      if (await this.collection(service, name).findOne({ relayAt: DUE })) return false;
    }
    return (await this.collection('notification', 'waiting_events').findOne({})) === null;
  }

  async #eventsAreHandled() {
    const { streams, consumers } = await this.#streams;
    for await (const stream of streams.names()) {
      for await (const { num_pending, num_ack_pending } of consumers.list(stream))
        if (num_pending + num_ack_pending > 0) return false;
    }
    return true;
  }
}
