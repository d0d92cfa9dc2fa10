import type { BusyElement } from '../calendar/calendar.service.js';
import { closedSpansOf, fullSpans } from '../calendar/claim.rules.js';
import { freeSlots, type SlotQuery } from '../calendar/hours/availability.rules.js';
import { DAY_MS } from '../calendar/hours/local-time.rules.js';
import { clipSpans, keepFree, type Span } from '../calendar/hours/span.rules.js';

/** The fields of a day document that describe taken time. */
export interface TakenDay {
  _id: string;
  busy: readonly Pick<BusyElement, 's' | 'e'>[];
  closed?: { from: Date; to: Date }[];
}

/** The input of `freeSlotsInPool`. */
export interface PoolSlotQuery extends SlotQuery {
  /** The time at which the instructor's default pool is full, at least all that touches the range. */
  full: readonly Span[];
}

const DATE_LENGTH = 10;

/** The time on one day of a pool at which it is closed, or all of its lanes are taken. */
export function fullOn({ _id, busy, closed = [] }: TakenDay, lanes: number): Span[] {
  const startMs = Date.parse(_id.slice(-DATE_LENGTH));
  const taken = busy.map(({ s, e }) => ({ startMs: s.getTime(), endMs: e.getTime() }));
  // A lesson that crosses midnight UTC is on both days, and would count twice.
  return [...fullSpans(clipSpans(taken, startMs, startMs + DAY_MS), lanes), ...closedSpansOf([{ closed }])];
}

/** The free slots of an instructor at which the default pool has a lane: lanes have no buffers (contract, Sessions). */
export const freeSlotsInPool = (query: PoolSlotQuery): Span[] => keepFree(freeSlots(query), query.full, 0, 0);
