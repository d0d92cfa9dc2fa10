import {
  createInbox,
  Empty,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';

const SWEEP_MS = 100;
const NO_RESPONDERS = 503;

/** Nobody listens to the subject: nothing was done. */
export class NobodyThere extends Error {}

interface Pending {
  resolve: (reply: Msg) => void;
  reject: (error: Error) => void;
  endsAtMs: number;
}

/** Requests with headers and no body. One subscription takes all replies, one sweep all time-outs. */
export class ReplyBox {
  private readonly prefix = `${createInbox()}.`;
  private readonly pending = new Map<string, Pending>();
  private readonly subscription: Subscription;
  private readonly sweeper: NodeJS.Timeout;
  private lastToken = 0;

  constructor(
    private readonly connection: NatsConnection,
    private readonly timeoutMs: number,
  ) {
    this.subscription = connection.subscribe(`${this.prefix}*`, { callback: (_, reply) => this.settle(reply) });
    this.sweeper = setInterval(() => this.expire(), SWEEP_MS).unref();
  }

  /** Answers the reply; rejects with NobodyThere, or with an Error when none comes in time. */
  request(subject: string, headers: MsgHdrs): Promise<Msg> {
    const token = (++this.lastToken).toString(36);
    return new Promise((resolve, reject) => {
      this.pending.set(token, { resolve, reject, endsAtMs: performance.now() + this.timeoutMs });
      this.connection.publish(subject, Empty, { reply: this.prefix + token, headers });
    });
  }

  close(): void {
    clearInterval(this.sweeper);
    this.subscription.unsubscribe();
  }

  private settle(reply: Msg): void {
    const token = reply.subject.slice(this.prefix.length);
    const pending = this.pending.get(token);
    this.pending.delete(token);
    if (reply.headers?.code === NO_RESPONDERS) pending?.reject(new NobodyThere());
    else pending?.resolve(reply);
  }

  private expire(): void {
    const now = performance.now();
    for (const [token, { endsAtMs, reject }] of this.pending) {
      if (endsAtMs > now) continue;
      this.pending.delete(token);
      reject(new Error('No reply came in time.'));
    }
  }
}
