import { Controller } from '@nestjs/common';
import { ensureStreams } from '@swim/contracts';
import { Serve, StreamKeeper } from '@swim/messaging';

/** Operation by which other processes have missing streams created. */
@Controller()
export class StreamsController {
  constructor(private readonly streams: StreamKeeper) {}

  @Serve(ensureStreams)
  async ensure(): Promise<Record<string, never>> {
    await this.streams.ensure();
    return {};
  }
}
