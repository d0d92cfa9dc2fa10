import { Injectable } from '@nestjs/common';
import { cancelUnconnected, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { ConnectionsService } from '../participants/connections.service.js';
import { UnconnectedSessions } from '../sessions/cancelling/unconnected-sessions.service.js';
import { LineErasure } from '../waitlist/line-erasure.service.js';

/** Ends what an account has with a school once they are not connected any more. */
@Injectable()
export class ConnectionEndService {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly lines: LineErasure,
    private readonly sessions: UnconnectedSessions,
  ) {}

  /** Marked first: what is stored later is found by who stores it. The lines come before the places that become free. */
  @Serve(cancelUnconnected)
  async cancel(input: ParsedOf<typeof cancelUnconnected>, context: RequestContext): Promise<{ done: boolean }> {
    const ended = await this.connections.mark(input);
    const done = (await this.lines.leaveUnconnected(ended, context)) && (await this.sessions.cancel(ended, context));
    return { done };
  }
}
