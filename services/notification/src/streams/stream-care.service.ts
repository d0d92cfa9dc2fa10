import { Inject, Injectable } from '@nestjs/common';
import { StreamKeeper } from '@swim/messaging';
import { Periodic } from '@swim/mongo';
import { LOGGER, type Logger, streamFill } from '@swim/platform';

const INTERVAL_MS = 60_000;
const ALARM_SHARE = 0.8;

/**
 * Each minute purges the events that all consumers have acknowledged from their streams. An almost full stream
 * raises an alarm: once it is full, events stay in the outboxes of their services. Safe to run on several replicas.
 */
@Injectable()
export class StreamCareService {
  constructor(
    private readonly streams: StreamKeeper,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Purges the streams of both environments and checks how full they are. */
  @Periodic('streams', INTERVAL_MS)
  async care(): Promise<void> {
    for (const { stream, bytes, share } of await this.streams.purge()) {
      streamFill.set({ stream }, share);
      if (share >= ALARM_SHARE) this.logger.error({ stream, bytes }, 'stream of events nearly full');
    }
  }
}
