import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Environment } from '@swim/contracts';

/** Every subject of a signal begins with this token. */
export const SIGNALS = 'signals';

const signalSubject = (env: Environment, accountId: string): string => `${SIGNALS}.${env}.${accountId}`;

/**
 * Notifies the gateways with an open stream of the account that it has new events. A signal has no content, and may be
 * lost.
 */
export function signalEvents(connection: NatsConnection, env: Environment, accountId: string): void {
  connection.publish(signalSubject(env, accountId));
}

export interface SignalWatch {
  /**
   * The number of signals, including possible ones after a reconnection. Data that was read at a lower count may be
   * obsolete.
   */
  readonly count: number;
  close(): void;
}

interface Watched {
  readonly subscription: Subscription;
  readonly listeners: Set<() => void>;
  count: number;
}

/**
 * Receives the signals of accounts, with one subscription for each account. After a reconnection every account counts
 * as signalled, since signals may have been lost.
 */
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
