import { type JetStreamManager, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ENVIRONMENTS, type Environment, ensureStreams, SUBSCRIPTIONS } from '@swim/contracts';
import { type Logger, systemContext } from '@swim/platform';
import type { RpcClient } from './rpc-client.js';
import { consumersOf, EVENT_BYTES, eventStream, STREAMS, type Subscriptions } from './streams.js';

// nats-server 2.14 stores another creation time at the first update after its restart, and reports that after the next one.
const IDENTITY = 'identity';

/**
 * The identity of a stream, which changes when it is lost and created anew: its first creation time, which `StreamKeeper` keeps
 * in its metadata.
 */
export const identityOf = ({ config, created }: StreamInfo): string => config.metadata?.[IDENTITY] ?? created;

// Streams belong to no account; the principal of their requests has this one.
const NOBODY = 'acct_system';

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
    await this.client.call(ensureStreams, {}, systemContext('live', NOBODY));
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

  constructor(
    private readonly connection: NatsConnection,
    private readonly logger: Logger,
    private readonly subscriptions: Subscriptions = SUBSCRIPTIONS,
  ) {
    super();
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
    for (const { stream, name, config } of consumersOf(this.subscriptions)) {
      if (await exists(consumers.info(stream, name))) await consumers.update(stream, name, config);
      else await consumers.add(stream, { durable_name: name, ...config });
    }
  }

  /** Purges the events that every consumer has acknowledged, in both environments; returns the fill ratios afterwards. */
  async purge(): Promise<StreamFill[]> {
    return Promise.all(ENVIRONMENTS.map((env) => this.purgeEvents(env)));
  }

  private async purgeEvents(env: Environment): Promise<StreamFill> {
    const { streams, consumers } = await this.api();
    const stream = eventStream(env);
    const own = consumersOf(this.subscriptions).filter((each) => each.env === env);
    const infos = await Promise.all(own.map(({ name }) => consumers.info(stream, name)));
    const floor = Math.min(...infos.map(({ ack_floor }) => ack_floor.stream_seq));
    const { state } = await streams.info(stream);
    if (floor >= state.first_seq) await streams.purge(stream, { seq: floor + 1 });
    const { bytes } = (await streams.info(stream)).state;
    return { stream, bytes, share: bytes / EVENT_BYTES[env] };
  }

  private async api(): Promise<JetStreamManager> {
    this.manager ??= await jetstreamManager(this.connection, { checkAPI: false });
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
