import {
  type JetStreamManager,
  jetstreamManager,
  type MsgRequest,
  type NextMsgRequest,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ENVIRONMENTS, type Environment, ensureStreams, SUBSCRIPTIONS } from '@swim/contracts';
import { type Logger, systemContext } from '@swim/platform';
import { BusConnection } from './bus-connection.js';
import { JETSTREAM } from './connection.js';
import type { RpcClient } from './rpc-client.js';
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

// Streams belong to no account; the principal of their requests has this one.
const NOBODY = 'acct_system';
// Every request waits for it after a restart of NATS: one that is lost must soon be followed by another.
const ENSURE_MS = 3_000;

/** How a process gets a missing stream or consumer. */
export abstract class Streams {
  private ensuring: Promise<void> | null = null;

  /** Resolves when every stream and consumer is there. Concurrent callers share one attempt. */
  ensure(): Promise<void> {
    this.ensuring ??= this.make().finally(() => (this.ensuring = null));
    return this.ensuring;
  }

  protected abstract make(): Promise<void>;
}

/** Requests them from notification, which alone may create them. */
export class RemoteStreams extends Streams {
  constructor(private readonly client: RpcClient) {
    super();
  }

  protected async make(): Promise<void> {
    await this.client.call(ensureStreams, {}, systemContext('live', NOBODY, ENSURE_MS));
  }
}

/** Fill ratio of the stream of an environment's events, from 0 to 1. */
export interface StreamFill {
  readonly stream: string;
  readonly bytes: number;
  readonly share: number;
}

/** Creates and purges streams and consumers; only notification may. */
export class StreamKeeper extends Streams {
  private manager: JetStreamManager | undefined;
  private readonly bus: BusConnection;

  constructor(
    private readonly connection: NatsConnection,
    private readonly logger: Logger,
    private readonly subscriptions: Subscriptions = SUBSCRIPTIONS,
  ) {
    super();
    this.bus = new BusConnection(connection);
  }

  protected async make(): Promise<void> {
    const { streams, consumers } = await this.api();
    for (const config of STREAMS) {
      if (!(await exists(streams.info(config.name)))) {
        await streams.add(config);
        this.logger.warn({ stream: config.name }, 'stream made');
      }
      const metadata = { [IDENTITY]: identityOf(await streams.info(config.name)) };
      await streams.update(config.name, { ...config, metadata });
    }
    for (const { stream, name, config } of [...consumersOf(this.subscriptions), ...KEY_CONSUMERS]) {
      if (await exists(consumers.info(stream, name))) await consumers.update(stream, name, config);
      else await consumers.add(stream, { durable_name: name, ...config });
    }
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
export const isMissing = (error: unknown): boolean => MISSING.has((error as { code?: unknown } | null)?.code);
