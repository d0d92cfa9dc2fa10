import { setTimeout as pause } from 'node:timers/promises';
import {
  type JetStreamManager,
  jetstreamManager,
  type MsgRequest,
  type NextMsgRequest,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ENVIRONMENTS, type Environment, SUBSCRIPTIONS } from '@swim/contracts';
import type { Logger } from '@swim/platform';
import { BusConnection } from '../connection/bus-connection.js';
import { JETSTREAM } from '../connection/connection.js';
import { measureConsumer, measureStream } from './stream-metrics.js';
import {
  consumersOf,
  type DurableConsumer,
  EVENT_BYTES,
  eventStream,
  KEY_CONSUMERS,
  STREAMS,
  type Subscriptions,
} from './streams.js';

// nats-server 2.14 changes a stream's creation time at the first update after a restart, so the identity is kept in the
// metadata.
const IDENTITY = 'identity';

/**
 * The identity of a stream, which changes when it is lost and created anew: its first creation time, which `StreamKeeper` keeps
 * in its metadata.
 */
export const identityOf = ({ config, created }: StreamInfo): string => config.metadata?.[IDENTITY] ?? created;

// A lost stream stops every write, so it must be found soon.
const KEEP_MS = 500;
const RETRY_MS = 100;
const MADE_WITHIN_MS = 3_000;

/** No stream has the subject, so nothing was stored. */
export class NoStream extends Error {}

/**
 * Retries work that failed because a stream is missing, until the process `bus-setup` has made it; throws the error
 * after three seconds.
 */
export async function untilStreamsAreMade<T>(work: () => Promise<T>): Promise<T> {
  const lastAtMs = performance.now() + MADE_WITHIN_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NoStream || isMissing(error)) || performance.now() >= lastAtMs) throw error;
      await pause(RETRY_MS);
    }
  }
}

/** The fill ratio of the event stream of an environment, from 0 to 1. */
export interface StreamFill {
  readonly stream: string;
  readonly bytes: number;
  readonly share: number;
}

/**
 * Makes streams and consumers, which only the process `bus-setup` may do, and purges event streams, which only
 * notification may do.
 */
export class StreamKeeper {
  private manager: JetStreamManager | undefined;
  private isUpdated = false;
  private readonly bus: BusConnection;

  /** @param replicas - how many servers of a cluster store each stream; one that more of them store keeps these. */
  constructor(
    private readonly connection: NatsConnection,
    private readonly logger: Logger,
    private readonly subscriptions: Subscriptions = SUBSCRIPTIONS,
    private readonly replicas = 1,
  ) {
    this.bus = new BusConnection(connection);
  }

  /**
   * Makes what is missing, twice a second, until the connection is closed. `ready` is called each time everything
   * exists.
   */
  async keep(ready: () => void = () => undefined): Promise<void> {
    while (!this.connection.isClosed()) {
      await this.ensure().then(ready, (error) => this.logger.warn({ err: error }, 'streams not made yet'));
      await pause(KEEP_MS);
    }
  }

  /**
   * Makes every missing stream and consumer. Existing ones get the definitions of this release at the first call and
   * after a failure.
   */
  async ensure(): Promise<void> {
    const { isUpdated } = this;
    // An attempt that failed half-way may have left a definition without its identity.
    this.isUpdated = false;
    const { streams, consumers } = await this.api();
    for (const definition of STREAMS) {
      const found = await existing(streams.info(definition.name));
      if (found) measureStream(found);
      if (found && isUpdated) continue;
      // An operator may have raised them by hand.
      const replicas = Math.max(this.replicas, found?.config.num_replicas ?? 1);
      const config = { ...definition, num_replicas: replicas };
      if (!found) {
        await streams.add(config);
        this.logger.warn({ stream: config.name }, 'stream made');
      }
      const metadata = { [IDENTITY]: identityOf(await streams.info(config.name)) };
      await streams.update(config.name, { ...config, metadata });
    }
    for (const { stream, name, config } of [...consumersOf(this.subscriptions), ...KEY_CONSUMERS]) {
      const found = await existing(consumers.info(stream, name));
      if (found) measureConsumer(found);
      if (!found) await consumers.add(stream, { durable_name: name, ...config });
      else if (!isUpdated) await consumers.update(stream, name, config);
    }
    this.isUpdated = true;
  }

  /** Purges the events that every consumer has acknowledged, in both environments; returns the fill ratios afterwards. */
  async purge(): Promise<StreamFill[]> {
    return Promise.all(ENVIRONMENTS.map((env) => this.purgeEvents(env)));
  }

  private async purgeEvents(env: Environment): Promise<StreamFill> {
    const { streams } = await this.api();
    const stream = eventStream(env);
    const before = await streams.info(stream);
    const own = consumersOf(this.subscriptions).filter((each) => each.env === env);
    const ends = await Promise.all(own.map((each) => this.consumedThrough(each, before.state.last_seq)));
    const through = Math.min(...ends);
    const now = await streams.info(stream);
    // NATS may have lost its data meanwhile: the new stream has other events under these sequences.
    const isSame = identityOf(now) === identityOf(before);
    if (isSame && through >= now.state.first_seq) await streams.purge(stream, { seq: through + 1 });
    const { bytes } = (await streams.info(stream)).state;
    return { stream, bytes, share: bytes / EVENT_BYTES[env] };
  }

  /**
   * Returns the sequence, at most `last`, up to which a consumer needs no more messages. The consumer's own ack floor
   * stays at the last message that matched its filter, even when later messages do not match. Its count of pending
   * messages is updated only after a message is stored, so it does not suffice either.
   */
  private async consumedThrough({ stream, name, config }: DurableConsumer, last: number): Promise<number> {
    const { streams, consumers } = await this.api();
    const from = (await consumers.info(stream, name)).ack_floor.stream_seq + 1;
    if (from > last) return last;
    const wanted = await Promise.all(
      config.filter_subjects!.map((next_by_subj) => {
        // The type of the client lacks this option of the server: it reads the first message of a subject from a
        // sequence on.
        const next: NextMsgRequest = { seq: from, next_by_subj };
        return streams.getMessage(stream, next as unknown as MsgRequest);
      }),
    );
    return Math.min(last, ...wanted.flatMap((message) => (message ? message.seq - 1 : [])));
  }

  private async api(): Promise<JetStreamManager> {
    await this.bus.ready();
    this.manager ??= await jetstreamManager(this.connection, JETSTREAM);
    return this.manager;
  }
}

// Only a missing stream is created anew, never one with an unknown state.
async function existing<Info>(info: Promise<Info>): Promise<Info | undefined> {
  try {
    return await info;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const MISSING = new Set<unknown>([10_014, 10_059]);

const isMissing = (error: unknown): boolean => MISSING.has((error as { code?: unknown } | null)?.code);
