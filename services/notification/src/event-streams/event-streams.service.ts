import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  closeEventStreams,
  MOST_EVENT_STREAMS,
  type OutputOf,
  openEventStream,
  type ParsedOf,
  renewEventStreams,
  type StreamLease,
} from '@swim/contracts';
import { EventPublisher, Serve } from '@swim/messaging';
import { PeriodicPerEnvironment } from '@swim/mongo';
import { AppError, currentEnvironment, type RequestContext, sharedClock } from '@swim/platform';
import { StoredEventsService } from '../events/stored-events.service.js';
import type { EventStreamDocument } from './event-stream.schema.js';
import { EventStreamsRepository } from './event-streams.repository.js';

const CLEAN_UP_MS = 3_600_000;
const BATCH = 500;

/** The streams of accounts' events: who may open one, and signals to the gateways that have one open. */
@Injectable()
export class EventStreamsService implements OnModuleInit {
  constructor(
    private readonly streams: EventStreamsRepository,
    private readonly events: StoredEventsService,
    private readonly publisher: EventPublisher,
  ) {}

  onModuleInit(): void {
    this.events.listen(async (events) => {
      this.publisher.signal(currentEnvironment(), new Set(events.map(({ account }) => account)));
    });
  }

  /** Opens a stream. Throws `out_of_range` for a sequence of the future, `limit_reached` for the 21st stream. */
  @Serve(openEventStream)
  async open(
    { last_event_id: lastEventId }: ParsedOf<typeof openEventStream>,
    { principal: { accountId } }: RequestContext,
  ): Promise<OutputOf<typeof openEventStream>> {
    const newest = await this.events.findLastSequence(accountId);
    if (lastEventId !== undefined && lastEventId > newest)
      throw new AppError('out_of_range', {
        field: 'Last-Event-ID',
        message: `Last-Event-ID must be at most ${newest}, the sequence of the newest event; you sent ${lastEventId}.`,
        details: { maximum: newest },
      });
    return { lease: await this.takeSlot(accountId), position: lastEventId ?? newest };
  }

  /** Prolongs leases; returns the tokens of those that are gone. */
  @Serve(renewEventStreams)
  async renew({ streamLeases }: ParsedOf<typeof renewEventStreams>): Promise<{ lost: string[] }> {
    return { lost: await this.streams.renew(streamLeases) };
  }

  /** Releases the places of streams. */
  @Serve(closeEventStreams)
  async close({ streamLeases }: ParsedOf<typeof closeEventStreams>): Promise<Record<string, never>> {
    await this.streams.release(streamLeases);
    return {};
  }

  /** Removes what gateways that crashed have left behind; a lapsed place may be taken over long before. */
  @PeriodicPerEnvironment('lapsed streams', CLEAN_UP_MS)
  async removeLapsed(): Promise<void> {
    const before = sharedClock.inMs(-CLEAN_UP_MS);
    while ((await this.streams.removeLapsed(before, BATCH)) === BATCH);
  }

  private async takeSlot(accountId: string): Promise<StreamLease> {
    const token = randomUUID();
    for (;;) {
      const taken = new Map((await this.streams.findOf(accountId)).map((each) => [each.slot, each]));
      const slot = anyFreeSlot(taken);
      if (slot === undefined) throw tooMany();
      const lease = { accountId, slot, token };
      const former = taken.get(slot);
      const isOurs = await (former ? this.streams.takeOver(lease, former.token) : this.streams.take(lease));
      if (isOurs) return lease;
    }
  }
}

// Any of them, not the first: concurrent requests would all try the same.
function anyFreeSlot(taken: ReadonlyMap<number, EventStreamDocument>): number | undefined {
  const now = sharedClock.now();
  const all = Array.from({ length: MOST_EVENT_STREAMS }, (_, slot) => slot);
  const free = all.filter((slot) => !taken.has(slot) || taken.get(slot)!.until < now);
  return free[Math.floor(Math.random() * free.length)];
}

const tooMany = (): AppError =>
  new AppError('limit_reached', {
    field: 'account_id',
    message: `An account may have ${MOST_EVENT_STREAMS} event streams open at a time. Close one first.`,
    details: { maximum: MOST_EVENT_STREAMS },
  });
