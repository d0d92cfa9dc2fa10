import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Periodic, StreamKeeper } from '@swim/messaging';
import { LOGGER, type Logger, streamFill } from '@swim/platform';

const INTERVAL_MS = 60_000;
const ALARM_SHARE = 0.8;

/**
 * Creates the NATS streams, and each minute purges the events that all consumers have acknowledged. An almost full stream
 * raises an alarm: once it is full, events stay in the outboxes of their services. Safe to run on several replicas.
 */
@Injectable()
export class StreamCareService implements OnApplicationBootstrap {
  constructor(
    private readonly streams: StreamKeeper,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.streams.ensure();
  }

  /** Purges the streams of both environments and checks how full they are. */
  @Periodic('streams', INTERVAL_MS)
  async care(): Promise<void> {
    for (const { stream, bytes, share } of await this.streams.purge()) {
      streamFill.set({ stream }, share);
      if (share >= ALARM_SHARE) this.logger.error({ stream, bytes }, 'stream of events nearly full');
    }
  }
}
