import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { AppError } from '@swim/platform';
import type { BusLink } from '../calls/bus-link.js';
import { NobodyThere, ReplyBox } from './reply-box.js';
import type { Increment } from './shared-counter.js';

const TIMEOUT_MS = 2_000;
const NS_PER_MS = 1_000_000;
const MOST_REMEMBERED = 1_024;

/** The stream whose subjects are counters (NATS ADR-49, server 2.12 and later). Kept in memory: a window is short. */
const STREAM = {
  name: 'RATE_LIMITS',
  subjects: ['limits.>'],
  storage: 'memory',
  retention: 'limits',
  discard: 'old',
  allow_msg_counter: true,
  max_msgs_per_subject: 1,
  max_age: 2 * 3_600_000 * NS_PER_MS,
  num_replicas: 1,
};

interface ApiAnswer {
  error?: { code: number; description: string };
}

/** Counters on JetStream. After a restart of NATS they begin again, and the stream is made again by whoever misses it. */
export class CounterStream {
  private readonly increments = new Map<number, MsgHdrs>();
  private readonly box: ReplyBox;

  constructor(
    private readonly connection: NatsConnection,
    private readonly link: BusLink,
  ) {
    this.box = new ReplyBox(connection, TIMEOUT_MS);
  }

  /** Makes the stream unless it is there. Throws when JetStream refuses, for instance because the server is too old. */
  async ensure(): Promise<void> {
    const reply = await this.connection.request(`$JS.API.STREAM.CREATE.${STREAM.name}`, JSON.stringify(STREAM), {
      timeout: TIMEOUT_MS,
    });
    const { error } = reply.json<ApiAnswer>();
    if (error) throw new Error(`The stream ${STREAM.name} cannot be made: ${error.description}`);
  }

  /** Adds to a counter and answers its total; rejects with `unavailable` when that can't be known. */
  readonly increment: Increment = async (subject, by) => {
    if (!this.link.isUp) await this.link.ready();
    try {
      return await this.publish(subject, by);
    } catch (error) {
      throw error instanceof AppError ? error : new AppError('unavailable', { retryAfterSeconds: 1, cause: error });
    }
  };

  close(): void {
    this.box.close();
  }

  private async publish(subject: string, by: number): Promise<number> {
    try {
      return await this.send(subject, by);
    } catch (error) {
      if (!(error instanceof NobodyThere)) throw error;
      await this.ensure();
      return this.send(subject, by);
    }
  }

  private async send(subject: string, by: number): Promise<number> {
    const reply = await this.box.request(subject, this.headersOf(by));
    const { val, error } = reply.json<ApiAnswer & { val?: string }>();
    if (val === undefined) throw new Error(`The counter ${subject} was not increased: ${error?.description}`);
    return Number(val);
  }

  private headersOf(by: number): MsgHdrs {
    let known = this.increments.get(by);
    if (!known) {
      known = headers();
      known.set('Nats-Incr', `+${by}`);
      if (this.increments.size < MOST_REMEMBERED) this.increments.set(by, known);
    }
    return known;
  }
}
