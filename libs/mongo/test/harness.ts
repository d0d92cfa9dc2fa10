import { randomBytes } from 'node:crypto';
import type { BusEvent, Environment } from '@swim/contracts';
import { connectNats, eventStream, eventsIn } from '@swim/messaging';
import { createLogger } from '@swim/platform';
import mongoose, { type mongo } from 'mongoose';
import { type PublishedCopy, publishedCopies } from '../../testing/src/messages/published-copies.js';
import { startNats, type TestNats } from '../../testing/src/servers/nats-server.js';
import type { MongoConfig } from '../src/index.js';

/** An event as JetStream stored it. */
export interface StoredEvent {
  subject: string;
  event: BusEvent;
  /** The sequence of its message, which other events may share. */
  sequence: number;
}

/** A real nats-server and databases of a test file's own. */
export interface MongoHarness {
  readonly nats: TestNats;
  readonly config: MongoConfig;
  /** The database of the service `people`, accessed without our libraries. */
  database(env?: Environment): mongo.Db;
  /** Ids of all events published once this has resolved, including duplicates that the stream drops. */
  watchPublished(): Promise<string[]>;
  /** The copies of published events that are kept, each with the identity of its stream. */
  copies(): Promise<PublishedCopy[]>;
  /** All stored events of this environment, in order. */
  stored(env?: Environment): Promise<StoredEvent[]>;
  stop(): Promise<void>;
}

export const silent = createLogger('tests', 'silent');

// Hundreds of concurrent requests to a server that is busy with other tests.
const ANSWERED_WITHIN_MS = 20_000;

type Connection = Awaited<ReturnType<typeof connectNats>>;
interface Reply {
  error?: { description: string };
  state: { last_seq: number };
  message: { subject: string; data: string; seq: number };
}

async function request(connection: Connection, subject: string, body = {}): Promise<Reply> {
  const options = { timeout: ANSWERED_WITHIN_MS };
  const reply = (await connection.request(`$JS.API.STREAM.${subject}`, JSON.stringify(body), options)).json<Reply>();
  if (reply.error) throw new Error(reply.error.description);
  return reply;
}

async function readStream(connection: Connection, stream: string): Promise<StoredEvent[]> {
  const { state } = await request(connection, `INFO.${stream}`);
  const all = Array.from({ length: state.last_seq }, (_, index) =>
    request(connection, `MSG.GET.${stream}`, { seq: index + 1 }),
  );
  return (await Promise.all(all)).flatMap(({ message: { subject, data, seq: sequence } }) =>
    eventsIn(JSON.parse(Buffer.from(data, 'base64').toString())).map((event) => ({ subject, event, sequence })),
  );
}

function freshConfig(): MongoConfig {
  const uri = process.env.TEST_MONGODB_URI;
  if (!uri) throw new Error('TEST_MONGODB_URI names no database: run the tests by `npm test`.');
  return {
    MONGODB_URI: uri,
    DATABASE_PREFIX: `t${randomBytes(5).toString('hex')}`,
    DATA_KEY: randomBytes(32),
    CURSOR_SECRET: randomBytes(32),
    IDEMPOTENCY_LEASE_MS: 60_000,
  };
}

/** Starts the engines; replicas create their databases when they connect. */
export async function startHarness(): Promise<MongoHarness> {
  const [config, nats] = [freshConfig(), await startNats()];
  const connection = await connectNats(nats.url, 'tests', silent);
  const raw = await mongoose.createConnection(config.MONGODB_URI, { maxPoolSize: 4 }).asPromise();
  const database = (env: Environment = 'test') =>
    raw.useDb(`${config.DATABASE_PREFIX}_people_${env}`, { useCache: true }).db!;
  return {
    nats,
    config,
    database,
    async watchPublished() {
      const ids: string[] = [];
      const callback = (_: unknown, message: { json(): unknown }) =>
        void ids.push(...eventsIn(message.json()).map(({ id }) => id));
      connection.subscribe('event.>', { callback });
      await connection.flush();
      return ids;
    },
    copies: () => publishedCopies(database('test')),
    stored: (env = 'test') => readStream(connection, eventStream(env)),
    async stop() {
      await connection.close();
      for (const env of ['live', 'test'] as const) {
        await database(env).dropDatabase();
        await raw.useDb(`${config.DATABASE_PREFIX}_people_keys_${env}`).dropDatabase();
      }
      await raw.close();
      await nats.stop();
    },
  };
}
