import type { ClaimElement, ExcludedClaim } from './claim.schema.js';
import type { BusyElement, ClosedTime, Day } from './day.schema.js';

const DAY_MS = 86_400_000;

/** How many of the claims that were released there a lock remembers: a late push of one of them misses. */
export const GONE_KEPT = 64;

/** What a lock remembers (`gone`) after a release of these claims, as an expression; a repeated release is no later one. */
export const goneWith = (claimIds: readonly string[]) => {
  const others = { $filter: { input: '$gone', as: 'g', cond: { $not: [{ $in: ['$$g', { $literal: claimIds }] }] } } };
  return { $slice: [{ $concatArrays: [others, { $literal: claimIds }] }, -GONE_KEPT] };
};

/** Whether an id, of a lock, a resource or a holder, is that of a lesson. */
export const isLesson = (id: string): boolean => id.startsWith('lsn_');

/** Ids of the locks of a span of a resource's time: the days that it touches, as it may cross midnight UTC; or the lesson. */
export function dayIdsOf(resource: string, startMs: number, endMs: number): string[] {
  if (isLesson(resource)) return [resource];
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

/** Ids of the day documents of these elements, in the order in which they are locked. */
export const dayIdsOn = (elements: ClaimElement[]): string[] => elementsByDay(elements).map(([dayId]) => dayId);

const overlap = (a: ClaimElement, b: { startMs: number; endMs: number }): boolean =>
  a.startMs < b.endMs && b.startMs < a.endMs;

/** Whether an element of a day belongs to the excluded claim. */
export const isExcluded = ({ c, h }: BusyElement, excluded: ExcludedClaim | undefined): boolean =>
  excluded !== undefined && c === excluded.claimId && h === excluded.holder;

/** The time in which nothing may be closed: the lesson's own, without buffers. */
export const taughtSpan = ({ taught, startMs, endMs }: ClaimElement) => taught ?? { startMs, endMs };

/** The condition of a lock that none of these elements lies in closed time. */
export const notClosed = (elements: ClaimElement[]) => ({
  $not: {
    $elemMatch: {
      $or: elements.map(taughtSpan).map(({ startMs, endMs }) => ({
        from: { $lt: new Date(endMs) },
        to: { $gt: new Date(startMs) },
      })),
    },
  },
});

/** The elements that lie in closed time of these days, each with its first closure, and the places that are kept for others. */
export const barredAmong = (days: Day[], elements: ClaimElement[]): TakenElement[] => [
  ...closedAmong(days, elements),
  ...keptAmong(days, elements),
];

function closedAmong(days: Day[], elements: ClaimElement[]): TakenElement[] {
  const byId = new Map(days.map((day) => [day._id, day.closed ?? []]));
  return elements.flatMap((element) => {
    const span = taughtSpan(element);
    const closures = dayIdsOf(element.resource, span.startMs, span.endMs)
      .flatMap((dayId) => byId.get(dayId) ?? [])
      .filter(({ from, to }) => from.getTime() < span.endMs && to.getTime() > span.startMs);
    const [first] = closures.sort((a, b) => a.from.getTime() - b.from.getTime());
    return first ? [{ ...element, closedBy: first }] : [];
  });
}

function keptAmong(days: Day[], elements: ClaimElement[]): TakenElement[] {
  const kept = new Set(days.flatMap(({ _id, keptAt }) => (keptAt ? _id : [])));
  return elements.filter(({ resource, place }) => kept.has(resource) && !place?.asOffer);
}

/** The closed time of these days. */
export const closedSpansOf = (days: readonly { closed?: Pick<ClosedTime, 'from' | 'to'>[] }[]) =>
  days.flatMap(({ closed = [] }) => closed.map(({ from, to }) => ({ startMs: from.getTime(), endMs: to.getTime() })));

/** An element whose time cannot be taken, and the closure that is the cause. */
export type TakenElement = ClaimElement & { closedBy?: ClosedTime };

/** An element that blocks another on the days that were read. */
export interface Blocker {
  element: ClaimElement;
  dayId: string;
  claimId: string;
}

/** The elements on these days that overlap an element and belong to other holders; for a pool only when its lanes are full. */
export function blockersOf(
  days: Day[],
  elements: ClaimElement[],
  counts: (busy: BusyElement) => boolean = () => true,
): Blocker[] {
  const byId = new Map(days.map((day) => [day._id, day]));
  return elementsByDay(elements).flatMap(([dayId, onDay]) => {
    const busy = (byId.get(dayId)?.busy ?? []).filter(counts);
    return onDay.flatMap((element) => {
      const others = busy.filter(
        // Neither a lesson nor a session blocks itself.
        (other) => other.h !== element.holder && overlap(element, spanOf(other)),
      );
      const beside = onDay.filter(
        (own) => own !== element && own.resource === element.resource && overlap(own, element),
      );
      return mostAtOnce(element, others) + beside.length < (element.lanes ?? 1)
        ? []
        : others.map(({ c }) => ({ element, dayId, claimId: c }));
    });
  });
}

/** The highest number of these that overlap the element at one instant: counted at its start and at each of their starts. */
function mostAtOnce(element: ClaimElement, busy: BusyElement[]): number {
  const spans = busy.map(spanOf);
  const instants = [
    element.startMs,
    ...spans.map(({ startMs }) => startMs).filter((startMs) => startMs > element.startMs),
  ];
  return Math.max(...instants.map((at) => spans.filter(({ startMs, endMs }) => startMs <= at && at < endMs).length));
}

/** The spans in which as many of the given spans overlap as there are lanes. */
export function fullSpans(
  spans: { startMs: number; endMs: number }[],
  lanes: number,
): { startMs: number; endMs: number }[] {
  const turns = spans
    .flatMap(({ startMs, endMs }) => [
      { at: startMs, by: 1 },
      { at: endMs, by: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by);
  const full: { startMs: number; endMs: number }[] = [];
  let taken = 0;
  for (const { at, by } of turns) {
    if (by === 1 && taken === lanes - 1) full.push({ startMs: at, endMs: at });
    if (by === -1 && taken === lanes) full.at(-1)!.endMs = at;
    taken += by;
  }
  return full;
}

/** Busy time of a resource in epoch milliseconds, and what holds it. */
export interface BusySpan {
  startMs: number;
  endMs: number;
  holder: string;
}

/** Busy time of one resource on these days; an element that lies on several days counts once. */
export function busySpansOf(days: Day[], counts: (busy: BusyElement) => boolean = () => true): BusySpan[] {
  const elements = days.flatMap((day) => day.busy).filter(counts);
  const once = new Map(elements.map((element) => [`${element.c}/${element.s.getTime()}`, element]));
  return [...once.values()].map((element) => ({ ...spanOf(element), holder: element.h }));
}

/** A busy element as epoch milliseconds. */
const spanOf = (busy: BusyElement) => ({ startMs: busy.s.getTime(), endMs: busy.e.getTime() });

/** The elements that overlap one of the others on the same resource: buffers count within one claim as they do between two. */
export function overlapping(elements: ClaimElement[], others: ClaimElement[]): ClaimElement[] {
  return elements.filter(
    (element) =>
      element.lanes === undefined &&
      others.some((other) => other.resource === element.resource && overlap(other, element)),
  );
}
