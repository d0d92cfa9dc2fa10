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
import {
  consumersOf,
  type DurableConsumer,
  EVENT_BYTES,
  eventStream,
  KEY_CONSUMERS,
  STREAMS,
  type Subscriptions,
} from './streams.js';

// nats-server 2.14 stores another creation time at the first update after its restart, and reports that after the next one.
const IDENTITY = 'identity';

/**
 * The identity of a stream, which changes when it is lost and created anew: its first creation time, which `StreamKeeper` keeps
 * in its metadata.
 */
export const identityOf = ({ config, created }: StreamInfo): string => config.metadata?.[IDENTITY] ?? created;

// A lost store stops every write: it has to be found soon.
const KEEP_MS = 500;
const RETRY_MS = 100;
const MADE_WITHIN_MS = 3_000;

/** No stream has the subject: nothing was stored. */
export class NoStream extends Error {}

/** Repeats what failed for want of a stream, until the process `bus-setup` has made it; after three seconds it throws the error. */
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

/** Fill ratio of the stream of an environment's events, from 0 to 1. */
export interface StreamFill {
  readonly stream: string;
  readonly bytes: number;
  readonly share: number;
}

/** Makes streams and consumers, which only the process `bus-setup` may, and purges streams of events, which only notification may. */
export class StreamKeeper {
  private manager: JetStreamManager | undefined;
  private isUpdated = false;
  private readonly bus: BusConnection;

  constructor(
    private readonly connection: NatsConnection,
    private readonly logger: Logger,
    private readonly subscriptions: Subscriptions = SUBSCRIPTIONS,
  ) {
    this.bus = new BusConnection(connection);
  }

  /** Makes what is missing, twice a second, until the connection is closed. `ready` is called each time all is there. */
  async keep(ready: () => void = () => undefined): Promise<void> {
    while (!this.connection.isClosed()) {
      await this.ensure().then(ready, (error) => this.logger.warn({ err: error }, 'streams not made yet'));
      await pause(KEEP_MS);
    }
  }

  /**
   * Makes every stream and consumer that is missing; those that are there get the definitions of this release, at first and
   * after a failure.
   */
  async ensure(): Promise<void> {
    const { isUpdated } = this;
    // An attempt that fails half-way may have left a definition without its identity.
    this.isUpdated = false;
    const { streams, consumers } = await this.api();
    for (const config of STREAMS) {
      const isThere = await exists(streams.info(config.name));
      if (isThere && isUpdated) continue;
      if (!isThere) {
        await streams.add(config);
        this.logger.warn({ stream: config.name }, 'stream made');
      }
      const metadata = { [IDENTITY]: identityOf(await streams.info(config.name)) };
      await streams.update(config.name, { ...config, metadata });
    }
    for (const { stream, name, config } of [...consumersOf(this.subscriptions), ...KEY_CONSUMERS]) {
      if (!(await exists(consumers.info(stream, name)))) await consumers.add(stream, { durable_name: name, ...config });
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
    // NATS may have lost its data since: the new stream has other events under these sequences.
    const isSame = identityOf(now) === identityOf(before);
    if (isSame && through >= now.state.first_seq) await streams.purge(stream, { seq: through + 1 });
    const { bytes } = (await streams.info(stream)).state;
    return { stream, bytes, share: bytes / EVENT_BYTES[env] };
  }

  /**
   * The sequence, at most `last`, through which a consumer has acknowledged all that it wants. Its own floor is that of the last message
   * that it has got, and stays there while others follow that it does not want. Its count of pending messages is not enough: it grows a
   * moment after a message is stored.
   */
  private async consumedThrough({ stream, name, config }: DurableConsumer, last: number): Promise<number> {
    const { streams, consumers } = await this.api();
    const from = (await consumers.info(stream, name)).ack_floor.stream_seq + 1;
    if (from > last) return last;
    const wanted = await Promise.all(
      config.filter_subjects!.map((next_by_subj) => {
        // The type lacks what the server takes: the first message of a subject from a sequence on.
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

// A stream with unknown state is not created anew: only a missing one.
async function exists(info: Promise<unknown>): Promise<boolean> {
  try {
    await info;
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const MISSING = new Set<unknown>([10_014, 10_059]);

/** Whether JetStream reports a missing stream or consumer. */
const isMissing = (error: unknown): boolean => MISSING.has((error as { code?: unknown } | null)?.code);
