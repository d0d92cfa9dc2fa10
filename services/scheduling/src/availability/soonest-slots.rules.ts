import type { Span } from '../calendar/hours/span.rules.js';

/** A slot of an instructor; start and end are epoch milliseconds. */
export interface InstructorSlot extends Span {
  instructorId: string;
}

/** The place of a slot in the list: its start in epoch milliseconds, then its instructor. */
export type SlotPosition = Pick<InstructorSlot, 'startMs' | 'instructorId'>;

/** The requested part of the list: `limit` slots after a position, or after a number of slots. */
export interface SlotPageRequest {
  after: SlotPosition | null;
  offset: number;
  limit: number;
}

const bySoonest = (one: SlotPosition, other: SlotPosition): number =>
  one.startMs - other.startMs ||
  (one.instructorId < other.instructorId ? -1 : one.instructorId > other.instructorId ? 1 : 0);

/**
 * One page of the slots of many instructors, soonest first. However many are added, it keeps only those that the page and what
 * comes before it may need, and counts the rest.
 */
export class SoonestSlots {
  private kept: InstructorSlot[] = [];
  private following = 0;
  private total = 0;
  private readonly needed: number;

  constructor(private readonly request: SlotPageRequest) {
    this.needed = request.offset + request.limit;
  }

  /** Adds slots of an instructor, ascending by start. */
  add(instructorId: string, spans: readonly Span[]): void {
    this.total += spans.length;
    const { after } = this.request;
    let added = 0;
    for (const { startMs, endMs } of spans) {
      const slot = { startMs, endMs, instructorId };
      if (after && bySoonest(slot, after) <= 0) continue;
      this.following += 1;
      added += 1;
      // Later slots of the same instructor cannot be on the page.
      if (added <= this.needed) this.kept.push(slot);
    }
    if (this.kept.length > 4 * this.needed) this.discard();
  }

  /** The page; `total` counts all slots that were added. */
  page(): { slots: InstructorSlot[]; hasMore: boolean; total: number } {
    this.discard();
    return { slots: this.kept.slice(this.request.offset), hasMore: this.following > this.needed, total: this.total };
  }

  private discard(): void {
    this.kept = this.kept.sort(bySoonest).slice(0, this.needed);
  }
}
