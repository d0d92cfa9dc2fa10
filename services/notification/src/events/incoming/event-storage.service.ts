import { Injectable } from '@nestjs/common';
import { eraseTextsOfEvents, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { currentEnvironment, Recent } from '@swim/platform';
import { type Copy, copiesOf, toUnnumberedEvent } from '../event.mapper.js';
import { areAllStored, audienceOf } from '../event.rules.js';
import { EventsRepository } from '../events.repository.js';
import type { IncomingEvent } from '../incoming-event.js';
import { NumberingService } from '../numbering.service.js';
import { PassedObjectsRepository } from '../removed/passed-objects.repository.js';
import { type AnnouncedEvent, StoredEventsService } from '../stored-events.service.js';

const REMEMBERED_OBJECTS = 4_000;

/** Stores events for their audience, and returns which events of an object have been consumed. */
@Injectable()
export class EventStorageService {
  /** Object → ordinal of the newest event that this process has stored. */
  private readonly accepted = new Recent<number>(REMEMBERED_OBJECTS);

  constructor(
    private readonly events: EventsRepository,
    private readonly passed: PassedObjectsRepository,
    private readonly numbering: NumberingService,
    private readonly stored: StoredEventsService,
  ) {}

  /** Stores a copy for each account of each event's audience. Idempotent. */
  async store(events: readonly IncomingEvent[]): Promise<void> {
    const env = currentEnvironment();
    if (events.length === 0) return;
    const copies = events.flatMap((event) => copiesOf(event, audienceOf(event)));
    const listed = new Set(copies.map(({ event }) => event));
    const dropped = new Set(await this.numbering.store(copies));
    const stored = copies.filter((copy) => !dropped.has(copy));
    await this.stored.announce(announced(stored));
    // Without the mark, the check of such an event's copies would find one missing.
    const incomplete = new Set([...dropped].map(({ event }) => event));
    const passed = events.filter((event) => !listed.has(event) || incomplete.has(event));
    if (passed.length > 0) await this.passed.mark(passed);
    for (const { objectId, n } of events) this.accepted.set(`${env}|${objectId}`, n);
  }

  /** The events among these whose predecessor, of the same object, is stored for its whole audience. */
  async findReady<E extends Place>(events: readonly E[]): Promise<Set<E>> {
    const env = currentEnvironment();
    const isKnown = ({ objectId, n }: E) => (this.accepted.get(`${env}|${objectId}`) ?? 0) >= n - 1;
    const ready = new Set(events.filter(isKnown));
    const unknown = events.filter((event) => !ready.has(event));
    if (unknown.length === 0) return ready;
    const copies = await this.events.findCopies(unknown.map(predecessorOf));
    const isStored = (event: E) =>
      areAllStored(copies.filter(({ objectId, n }) => objectId === event.objectId && n === event.n - 1));
    const absent = unknown.filter((event) => !isStored(event));
    const objectIds = absent.map(({ objectId }) => objectId);
    const passed = await this.passed.findPositions(objectIds);
    for (const event of unknown) {
      if (!absent.includes(event) || (passed.get(event.objectId) ?? 0) >= event.n - 1) ready.add(event);
    }
    return ready;
  }

  /** Removes what clients kept at payments from all copies of their events; false until those so far are stored. Idempotent. */
  @Serve(eraseTextsOfEvents)
  async eraseTexts({ payments }: ParsedOf<typeof eraseTextsOfEvents>): Promise<{ done: boolean }> {
    const next = payments.map(({ id, eventCount }) => ({ objectId: id, n: eventCount + 1 }));
    if ((await this.findReady(next)).size < next.length) return { done: false };
    await this.events.clearMetadata(payments.map(({ id }) => id));
    return { done: true };
  }
}

/** The place of an event among those of its object. */
type Place = Pick<IncomingEvent, 'objectId' | 'n'>;

/** Copies as listeners get them, each once: a batch may contain an event that was published twice. */
function announced(copies: readonly Copy[]): AnnouncedEvent[] {
  const env = currentEnvironment();
  const stored = new Map<string, AnnouncedEvent>();
  for (const copy of copies) {
    const { id, account, event } = copy;
    const isOnly = copy.copies === 1;
    const occurredAt = new Date(event.occurredAt);
    const isQuiet = event.cause.isQuiet ?? false;
    stored.set(id, {
      id,
      account,
      type: event.type,
      occurredAt,
      isQuiet,
      isOnly,
      read: () => toUnnumberedEvent(copy, env),
    });
  }
  return [...stored.values()];
}

const predecessorOf = ({ objectId, n }: Place) => ({ objectId, n: n - 1 });
