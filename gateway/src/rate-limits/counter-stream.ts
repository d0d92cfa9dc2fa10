import { Empty, headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import {
  type BusConnection,
  NoStream,
  RATE_LIMITS,
  ReplyLost,
  ReplyMux,
  untilStreamsAreMade,
} from '@swim/messaging/client';
import { AppError } from '@swim/platform';
import type { Increment } from './shared-counter.js';

const TIMEOUT_MS = 2_000;
const NO_RESPONDERS = 503;
const MOST_REMEMBERED = 1_024;

interface ApiAnswer {
  error?: { code: number; err_code: number; description: string };
}

/** Counters on JetStream. After a restart of NATS they start at zero. */
export class CounterStream {
  private readonly increments = new Map<bigint, MsgHdrs>();
  private readonly replies: ReplyMux;

  constructor(
    private readonly connection: NatsConnection,
    private readonly busConnection: BusConnection,
  ) {
    this.replies = new ReplyMux(connection, busConnection, () => new ReplyLost('No reply came in time.'));
  }

  /** Throws unless the stream is there. */
  async check(): Promise<void> {
    const info = `$JS.API.STREAM.INFO.${RATE_LIMITS}`;
    const { error } = (await this.connection.request(info, '', { timeout: TIMEOUT_MS })).json<ApiAnswer>();
    if (error) throw new Error(`The stream ${RATE_LIMITS} cannot be used: ${error.description}`);
  }

  /** Adds to a counter (or subtracts) and returns its total; rejects with `unavailable` when the total stays unknown. */
  readonly increment: Increment = async (subject, by) => {
    try {
      // Once more without a reply: a server that ends, or hands the stream over, loses the first one; at worst the request is counted twice.
      return await this.publish(subject, by).catch((error: unknown) => {
        if (!(error instanceof ReplyLost)) throw error;
        return this.publish(subject, by);
      });
    } catch (error) {
      throw new AppError('unavailable', { retryAfterSeconds: 1, cause: error });
    }
  };

  close(): Promise<void> {
    return this.replies.close();
  }

  private async publish(subject: string, by: bigint): Promise<bigint> {
    if (!this.busConnection.isUp) await this.busConnection.ready();
    return untilStreamsAreMade(() => this.send(subject, by));
  }

  private async send(subject: string, by: bigint): Promise<bigint> {
    const expected = this.replies.expect(TIMEOUT_MS);
    this.connection.publish(subject, Empty, { reply: expected.subject, headers: this.headersOf(by) });
    const reply = await expected.message;
    if (reply.headers?.code === NO_RESPONDERS) throw new NoStream();
    const { val, error } = reply.json<ApiAnswer & { val?: string }>();
    if (val === undefined) throw new Error(`The counter ${subject} was not increased: ${error?.description}`);
    return BigInt(val);
  }

  private headersOf(by: bigint): MsgHdrs {
    let known = this.increments.get(by);
    if (!known) {
      known = headers();
      known.set('Nats-Incr', by < 0n ? String(by) : `+${by}`);
      // The increments of past minutes are not needed again.
      if (this.increments.size >= MOST_REMEMBERED) this.increments.clear();
      this.increments.set(by, known);
    }
    return known;
  }
}
