import type { ClaimElement } from './claim.schema.js';
import type { BusyElement, Day } from './day.schema.js';

const DAY_MS = 86_400_000;

/** Ids of the day documents that a stretch of a resource's time lies on; it may cross midnight UTC. */
export function dayIdsOf(resource: string, startMs: number, endMs: number): string[] {
  const first = Math.floor(startMs / DAY_MS);
  const last = Math.floor((endMs - 1) / DAY_MS);
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => dayId(resource, first + index));
}

const dayId = (resource: string, epochDay: number): string =>
  `${resource}:${new Date(epochDay * DAY_MS).toISOString().slice(0, 10)}`;

/** The elements to put on each day document, in the order in which the documents are locked. */
export function elementsByDay(elements: ClaimElement[]): [string, ClaimElement[]][] {
  const byDay = new Map<string, ClaimElement[]>();
  for (const element of elements) {
    for (const id of dayIdsOf(element.resource, element.startMs, element.endMs)) {
      byDay.set(id, [...(byDay.get(id) ?? []), element]);
    }
  }
  return [...byDay].sort(([a], [b]) => (a < b ? -1 : 1));
}

const overlap = (a: ClaimElement, b: { startMs: number; endMs: number }): boolean => a.startMs < b.endMs && b.startMs < a.endMs;

/** Whether two sets of holders are the same: a session never stands in its own way. */
const sameHolders = (a: string[], b: string[]): boolean => a.length === b.length && a.every((holder) => b.includes(holder));

/** What stands in an element's way on the days that were read. */
export interface Blocker {
  element: ClaimElement;
  dayId: string;
  claimId: string;
}

/** Everything on these days that overlaps an element and is held by others. */
export function blockersOf(days: Day[], elements: ClaimElement[]): Blocker[] {
  const byId = new Map(days.map((day) => [day._id, day]));
  return elementsByDay(elements).flatMap(([dayId, onDay]) =>
    (byId.get(dayId)?.busy ?? []).flatMap((busy) =>
      onDay
        .filter((element) => overlap(element, spanOf(busy)) && !sameHolders(element.holders, busy.h))
        .map((element) => ({ element, dayId, claimId: busy.c })),
    ),
  );
}

/** A busy element as epoch milliseconds. */
export const spanOf = (busy: BusyElement) => ({ startMs: busy.s.getTime(), endMs: busy.e.getTime() });

/** Elements that overlap an earlier one of the same resource: within one claim buffers count as between two. */
export function selfOverlaps(elements: ClaimElement[]): ClaimElement[] {
  return elements.filter((element, index) =>
    elements.slice(0, index).some((earlier) => earlier.resource === element.resource && overlap(earlier, element)),
  );
}
