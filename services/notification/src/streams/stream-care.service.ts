import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Periodic, StreamKeeper } from '@swim/messaging';
import { LOGGER, type Logger, streamFill } from '@swim/platform';

const INTERVAL_MS = 60_000;
const ALARM_SHARE = 0.8;

/**
 * Makes the streams of the bus, and each minute removes what all consumers have acknowledged. A stream that is nearly full
 * all the same raises an alarm: when it is full, events wait in the outboxes of their services. Replicas may do it side by side.
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

  /** Purges both environments and looks how full their streams are. */
  @Periodic('streams', INTERVAL_MS)
  async care(): Promise<void> {
    for (const { stream, bytes, share } of await this.streams.purge()) {
      streamFill.set({ stream }, share);
      if (share >= ALARM_SHARE) this.logger.error({ stream, bytes }, 'stream of events nearly full');
    }
  }
}
