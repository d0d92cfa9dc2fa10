import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { BusConnection } from './bus-connection.js';
import { newInbox } from './connection.js';

const SWEEP_MS = 50;

interface Pending {
  resolve: (reply: Msg) => void;
  reject: (error: Error) => void;
  endsAtMs: number;
}

export interface ExpectedReply {
  /** The `reply` subject of the request. */
  readonly subject: string;
  readonly message: Promise<Msg>;
  /** Stops waiting, for a request that could not be sent. */
  abandon(error: Error): void;
}

/** No reply will come, as after the loss of the connection: the request may have been received or not. */
export class ReplyLost extends Error {}

/**
 * Matches replies to requests. One wildcard inbox receives all replies and one timer handles all time-outs: a subscription or
 * a timer per request costs more than the request itself. A lost connection ends all waits with `ReplyLost`.
 */
export class ReplyMux {
  private readonly prefix: string;
  private readonly pending = new Map<string, Pending>();
  private readonly subscription: Subscription;
  private sweeper: NodeJS.Timeout | undefined;
  private lastToken = 0;

  /** `timeoutError` creates the error of a request whose reply does not arrive in time. */
  constructor(
    connection: NatsConnection,
    private readonly bus: BusConnection,
    private readonly timeoutError: () => Error,
  ) {
    this.prefix = `${newInbox(connection)}.`;
    this.subscription = connection.subscribe(`${this.prefix}*`, { callback: (_, reply) => this.receive(reply) });
    bus.whenLost(() =>
      this.rejectWhere(
        () => true,
        () => new ReplyLost('The connection broke before the reply.'),
      ),
    );
  }

  /** Expects a reply within `timeoutMs` of now. */
  expect(timeoutMs: number): ExpectedReply {
    const token = (++this.lastToken).toString(36);
    this.sweeper ??= setInterval(() => this.expire(), SWEEP_MS).unref();
    let abandon = (_error: Error): void => undefined;
    const message = new Promise<Msg>((resolve, reject) => {
      this.pending.set(token, { resolve, reject, endsAtMs: performance.now() + timeoutMs });
      abandon = (error) => {
        this.pending.delete(token);
        reject(error);
      };
    });
    if (!this.bus.isUp) abandon(new ReplyLost('There is no connection.'));
    return { subject: this.prefix + token, message, abandon };
  }

  /** Ends the subscription once the replies that have arrived are handled. */
  async close(): Promise<void> {
    this.stopSweeping();
    await this.subscription.drain();
  }

  private receive(reply: Msg): void {
    const token = reply.subject.slice(this.prefix.length);
    const pending = this.pending.get(token);
    this.pending.delete(token);
    pending?.resolve(reply);
  }

  private expire(): void {
    const now = performance.now();
    this.rejectWhere(({ endsAtMs }) => endsAtMs <= now, this.timeoutError);
    if (this.pending.size === 0) this.stopSweeping();
  }

  private rejectWhere(isMeant: (pending: Pending) => boolean, error: () => Error): void {
    for (const [token, pending] of this.pending) {
      if (!isMeant(pending)) continue;
      this.pending.delete(token);
      pending.reject(error());
    }
  }

  private stopSweeping(): void {
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}
