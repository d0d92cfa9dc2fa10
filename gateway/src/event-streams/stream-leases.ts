import {
  closeEventStreams,
  ENVIRONMENTS,
  type Environment,
  EVENT_STREAM_LEASE_MS,
  MOST_STREAM_LEASES,
  type Operation,
  type OutputOf,
  openEventStream,
  type Principal,
  renewEventStreams,
  type StreamLease,
} from '@swim/contracts';
import {
  BUDGET_MS,
  Deadline,
  type Logger,
  makeRequestContext,
  newId,
  type RequestContext,
  resultOf,
} from '@swim/platform';
import type { ServiceCalls } from '../calls/service-calls.js';

/** A lease survives two renewals that fail. */
const RENEW_EVERY_MS = EVENT_STREAM_LEASE_MS / 3;

interface Held {
  readonly lease: StreamLease;
  readonly env: Environment;
  /** Called when another stream has the place. */
  readonly onLost: () => void;
}

/** The places of this gateway's streams among those of their accounts: taken, renewed and released at notification. */
export class StreamLeases {
  private readonly held = new Map<string, Held>();
  private readonly closing: Record<Environment, StreamLease[]> = { live: [], test: [] };
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly calls: ServiceCalls,
    private readonly principals: Record<Environment, Principal>,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => void this.renewAll(), RENEW_EVERY_MS).unref();
  }

  /** Opens a stream. Throws `limit_reached`, `out_of_range`, or that the service is unavailable. */
  async open(
    lastEventId: number | undefined,
    context: RequestContext,
    onLost: () => void,
  ): Promise<OutputOf<typeof openEventStream>> {
    const input = lastEventId === undefined ? {} : { last_event_id: lastEventId };
    const opened = await this.request(openEventStream, input, context);
    this.held.set(opened.lease.token, { lease: opened.lease, env: context.principal.env, onLost });
    return opened;
  }

  /** Releases a place: at once, or when its lease ends. */
  async close({ token }: StreamLease): Promise<void> {
    const held = this.held.get(token);
    if (!held) return;
    this.held.delete(token);
    const batch = this.closing[held.env];
    batch.push(held.lease);
    // Streams that end together share a request.
    if (batch.length > 1) return;
    await new Promise(setImmediate);
    while (batch.length > 0) await this.release(held.env, batch.splice(0, MOST_STREAM_LEASES));
  }

  /** Ends the renewals. */
  stop(): void {
    clearInterval(this.timer);
  }

  private async release(env: Environment, leases: StreamLease[]): Promise<void> {
    await this.request(closeEventStreams, { streamLeases: leases }, this.ownContext(env)).catch((error: unknown) =>
      this.logger.warn({ err: error, env, count: leases.length }, 'places of streams not released'),
    );
  }

  private async renewAll(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const own = [...this.held.values()].filter((each) => each.env === env);
      for (let at = 0; at < own.length; at += MOST_STREAM_LEASES)
        await this.renew(env, own.slice(at, at + MOST_STREAM_LEASES));
    }
  }

  // A failure may pass before the leases end; a place that was taken over meanwhile is lost at the next renewal.
  private async renew(env: Environment, some: readonly Held[]): Promise<void> {
    const leases = some.map(({ lease }) => lease);
    try {
      const { lost } = await this.request(renewEventStreams, { streamLeases: leases }, this.ownContext(env));
      for (const token of lost) {
        this.held.get(token)?.onLost();
        this.held.delete(token);
      }
    } catch (error) {
      this.logger.warn({ err: error, env, count: leases.length }, 'places of streams not renewed');
    }
  }

  private ownContext(env: Environment): RequestContext {
    const deadline = new Deadline(BUDGET_MS.write);
    return makeRequestContext({ requestId: newId('req'), principal: this.principals[env], deadline });
  }

  private async request<O extends Operation>(
    operation: O,
    input: object,
    context: RequestContext,
  ): Promise<OutputOf<O>> {
    const { answer } = await this.calls.request(operation, JSON.stringify(input), context);
    return resultOf(operation, answer) as OutputOf<O>;
  }
}
