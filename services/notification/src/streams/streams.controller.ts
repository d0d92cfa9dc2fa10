import { Controller } from '@nestjs/common';
import { ensureStreams } from '@swim/contracts';
import { Serve, StreamKeeper } from '@swim/messaging';

/** Endpoint by which other processes have streams made that they miss. */
@Controller()
export class StreamsController {
  constructor(private readonly streams: StreamKeeper) {}

  @Serve(ensureStreams)
  async ensure(): Promise<Record<string, never>> {
    await this.streams.ensure();
    return {};
  }
}
