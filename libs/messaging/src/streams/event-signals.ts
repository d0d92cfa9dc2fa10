import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Environment } from '@swim/contracts';

/** First token of all signals' subjects. */
export const SIGNALS = 'signals';

const signalSubject = (env: Environment, accountId: string): string => `${SIGNALS}.${env}.${accountId}`;

/** Signals that an account has new events: without content and without a guarantee, for the gateways with a stream of them. */
export function signalEvents(connection: NatsConnection, env: Environment, accountId: string): void {
  connection.publish(signalSubject(env, accountId));
}

/** Waits for the signals of one account. */
export interface SignalWatch {
  /** Counts the signals, and what may have been one: what was read at an earlier count may be obsolete. */
  readonly count: number;
  close(): void;
}

interface Watched {
  readonly subscription: Subscription;
  readonly listeners: Set<() => void>;
  count: number;
}

/** Receives the signals of accounts, with one subscription for each. After a reconnection all count as signalled. */
export class EventSignals {
  private readonly watched = new Map<string, Watched>();

  constructor(private readonly connection: NatsConnection) {
    void this.followConnection();
  }

  /** Calls `listener` at each signal of an account until the watch is closed. */
  watch(env: Environment, accountId: string, listener: () => void): SignalWatch {
    const subject = signalSubject(env, accountId);
    const watched = this.watched.get(subject) ?? this.subscribe(subject);
    watched.listeners.add(listener);
    return {
      get count() {
        return watched.count;
      },
      close: () => {
        watched.listeners.delete(listener);
        if (watched.listeners.size > 0 || this.watched.get(subject) !== watched) return;
        this.watched.delete(subject);
        watched.subscription.unsubscribe();
      },
    };
  }

  private subscribe(subject: string): Watched {
    const subscription = this.connection.subscribe(subject, { callback: () => signal(watched) });
    const watched: Watched = { subscription, listeners: new Set(), count: 0 };
    this.watched.set(subject, watched);
    return watched;
  }

  private async followConnection(): Promise<void> {
    for await (const { type } of this.connection.status())
      if (type === 'reconnect') for (const watched of this.watched.values()) signal(watched);
  }
}

function signal(watched: Watched): void {
  watched.count++;
  for (const listener of watched.listeners) listener();
}
