import { Controller } from '@nestjs/common';
import { closeEventStreams, type OutputOf, openEventStream, type ParsedOf, renewEventStreams } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { EventStreamsService } from './event-streams.service.js';

/** Operations by which gateways open, renew and close streams. */
@Controller()
export class EventStreamsController {
  constructor(private readonly streams: EventStreamsService) {}

  @Serve(openEventStream)
  open(
    { last_event_id }: ParsedOf<typeof openEventStream>,
    context: RequestContext,
  ): Promise<OutputOf<typeof openEventStream>> {
    return this.streams.open(last_event_id, context);
  }

  @Serve(renewEventStreams)
  async renew(
    { streamLeases }: ParsedOf<typeof renewEventStreams>,
    { principal }: RequestContext,
  ): Promise<{ lost: string[] }> {
    return { lost: await this.streams.renew(principal.env, streamLeases) };
  }

  @Serve(closeEventStreams)
  async close(
    { streamLeases }: ParsedOf<typeof closeEventStreams>,
    { principal }: RequestContext,
  ): Promise<Record<string, never>> {
    await this.streams.close(principal.env, streamLeases);
    return {};
  }
}
