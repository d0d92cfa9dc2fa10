import { randomUUID } from 'node:crypto';
import {
  type AccountEvent,
  closeEventStreams,
  openEventStream,
  readEvents,
  renewEventStreams,
  type StreamLease,
} from '@swim/contracts';
import type { FakeServices } from './fake-services.js';

interface Leases {
  streamLeases: StreamLease[];
}

/** Serves streams in the place of notification, with as many events as a test adds. */
export class FakeStreams {
  readonly events: AccountEvent[] = [];
  /** The sequences after which events were read. */
  readonly reads: number[] = [];
  readonly closed = new Set<string>();
  /** Tokens of leases that another stream has taken. */
  readonly lost = new Set<string>();
  readonly opened: string[] = [];
  /** Streams are opened once this has resolved. */
  mayOpen: Promise<void> = Promise.resolve();
  private pageOf = 50;

  constructor(private readonly services: FakeServices) {
    services.answer(openEventStream, ({ input, context }) => this.open(input, context.principal.accountId));
    services.answer(renewEventStreams, ({ input }) => ({
      lost: (input as unknown as Leases).streamLeases.map(({ token }) => token).filter((token) => this.lost.has(token)),
    }));
    services.answer(closeEventStreams, ({ input }) => {
      for (const { token } of (input as unknown as Leases).streamLeases) this.closed.add(token);
      return {};
    });
    this.resumeReading();
  }

  /** Adds an event, of some bytes, and signals it. */
  add(accountId: string, { bytes = 0, signals = true } = {}): void {
    const sequence = this.events.length + 1;
    this.events.push({ id: `evt_${sequence}`, sequence, type: 'x'.repeat(bytes) } as AccountEvent);
    if (signals) this.services.connection.publish(`signals.test.${accountId}`);
  }

  /** Answers reads as at first, after a test let them fail; `pageOf` events at a time. */
  resumeReading(pageOf = 50): void {
    this.pageOf = pageOf;
    this.services.answer(readEvents, ({ input }) => {
      const after = Number(input.afterSequence);
      this.reads.push(after);
      const rest = this.events.filter(({ sequence }) => sequence > after);
      return { events: rest.slice(0, this.pageOf), hasMore: rest.length > this.pageOf };
    });
  }

  private async open({ last_event_id }: Record<string, unknown>, accountId: string) {
    await this.mayOpen;
    const lease: StreamLease = { accountId, slot: 0, token: randomUUID() };
    this.opened.push(lease.token);
    return { lease, position: Number(last_event_id ?? this.events.length) };
  }
}
