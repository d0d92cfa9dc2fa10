import {
  type AvailabilitySchedule,
  foldText,
  type ListFilters,
  MOST_IN_BATCH,
  type SearchPlace,
  WEEKDAYS,
} from '@swim/contracts';
import type { HeldCertification } from '../instructor.schema.js';
import { nearestKm } from './geo.rules.js';

const DAY_MS = 86_400_000;
const DATE_LENGTH = 10;
const MOST_BATCH_BYTES = 2 * 1024 * 1024;

/** The day (YYYY-MM-DD) to whose end a certification must be valid, and later days for schools whose clock is ahead. */
export interface HeldOn {
  day: string;
  later: { day: string; schoolIds: string[] }[];
}

/** The filters of a list of instructors. */
export interface Criteria {
  /** The schools of the instructors. */
  accountIds?: readonly string[] | undefined;
  search?: string | undefined;
  certification?: string | undefined;
  place?: SearchPlace | undefined;
  /** When the instructor must be free: a date in the instructor's zone, or an instant (ISO 8601 UTC). */
  available?: string | undefined;
  heldOn: HeldOn;
  /** The filters that lists have in common. */
  common: ListFilters;
  /** Whether the list contains reviews. */
  withReviews: boolean;
}

/** The filters of a search for hours: only active instructors. */
export type HoursCriteria = Omit<Criteria, 'available' | 'withReviews'>;

/** A matching instructor; `km` from the requested place, null without one. */
export interface Candidate {
  id: string;
  km: number | null;
}

/** Published hours, the zone in which they are written, and the pools in which they are taught. */
interface Hours {
  timezone: string;
  schedule: AvailabilitySchedule;
  /** The instructor's pools in their order, whether or not they exist. */
  poolIds: string[];
}

/** An instructor that matches all but the time, and the published hours around it. */
export interface HourlyCandidate extends Candidate, Hours {
  schoolId: string;
}

/** An active instructor that matches a search, the school, and the hours on the requested dates. */
export interface Teacher extends Hours {
  id: string;
  schoolId: string;
}

/** Nearest first where a place is given; newest first among equals. */
export const bySearchOrder = (a: Candidate, b: Candidate): number =>
  (a.km ?? 0) - (b.km ?? 0) || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/** The index of the first element after this position, whether or not the list still contains the position. */
export function indexAfter(all: readonly Candidate[], position: Candidate): number {
  const index = all.findIndex((candidate) => bySearchOrder(candidate, position) > 0);
  return index === -1 ? all.length : index;
}

/** The later of today and the requested day: the certification must be valid on that day. */
function lastDayToHold(todayUtc: string, available: string | undefined): string {
  const day = available?.slice(0, DATE_LENGTH) ?? todayUtc;
  return day > todayUtc ? day : todayUtc;
}

/** The later of today and the requested day, and of each school's own today where that is later still. */
export function heldOnBy(now: Date, nows: ReadonlyMap<string, Date>, available: string | undefined): HeldOn {
  const dayOf = (at: Date) => lastDayToHold(at.toISOString().slice(0, DATE_LENGTH), available);
  const day = dayOf(now);
  const later = Map.groupBy([...nows.keys()], (schoolId) => dayOf(nows.get(schoolId)!));
  return {
    day,
    later: [...later].filter(([other]) => other > day).map(([other, schoolIds]) => ({ day: other, schoolIds })),
  };
}

/** The instructor as a candidate; none where the place is too far: the database filters by a box only. */
export function candidatesOf(
  { _id: id, serviceAreas }: { _id: string; serviceAreas: Parameters<typeof nearestKm>[1] },
  { place }: Pick<Criteria, 'place'>,
): Candidate[] {
  if (!place) return [{ id, km: null }];
  const km = nearestKm(place, serviceAreas);
  return km === null ? [] : [{ id, km }];
}

/** The content of a search's cursor. */
export const positionOf = ({ km, id }: Candidate): (string | number)[] => [km ?? 0, id];

/** The dates that matter for a time: a date itself; around an instant three, since the zone decides on which of them it falls. */
export function datesAround(at: string): string[] {
  const midnight = Date.parse(at.slice(0, DATE_LENGTH));
  const days = at.length === DATE_LENGTH ? [0] : [-1, 0, 1];
  return days.map((count) => new Date(midnight + count * DAY_MS).toISOString().slice(0, DATE_LENGTH));
}

/** Reduces a schedule to its rules for these dates (YYYY-MM-DD); null when it has no hours on any of them. */
export function hoursOn(days: readonly string[]): (schedule: AvailabilitySchedule) => AvailabilitySchedule | null {
  const dates = new Set(days);
  const weekdays = new Set(days.map((day) => WEEKDAYS[(new Date(day).getUTCDay() + 6) % 7]));
  return (schedule) => {
    const weekly = schedule.weekly.filter(({ day }) => weekdays.has(day));
    const overrides = schedule.overrides.filter(({ date }) => dates.has(date));
    const hasHours = weekly.length > 0 || overrides.some(({ windows }) => (windows ?? []).length > 0);
    return hasHours ? { ...schedule, weekly, overrides } : null;
  };
}

/** The last day (YYYY-MM-DD) on which one of the certifications asked for is valid; null: for ever, or none was asked for. */
export function lastDayCertified(
  held: readonly Pick<HeldCertification, 'typeKey' | 'expiresAt'>[],
  requested: string | undefined,
): string | null {
  if (requested === undefined) return null;
  const typeKey = foldText(requested);
  const ends = held.filter((one) => one.typeKey === typeKey).map(({ expiresAt }) => expiresAt);
  return ends.includes(null) ? null : (ends.sort().at(-1) ?? null);
}

/** Closes those of these dates that are after a day; no others, so that no other part of the schedule matters. */
export function closedAfter(
  schedule: AvailabilitySchedule,
  lastDay: string | null,
  dates: readonly string[],
): AvailabilitySchedule {
  const closed = lastDay === null ? [] : dates.filter((date) => date > lastDay);
  if (closed.length === 0) return schedule;
  const others = schedule.overrides.filter(({ date }) => !closed.includes(date));
  return { ...schedule, overrides: [...others, ...closed.map((date) => ({ date, unavailable: true }))] };
}

/** An upper bound of the schedule's bytes as JSON; in memory it takes about as many. */
export const bytesOf = ({ weekly, overrides }: AvailabilitySchedule): number =>
  300 + 50 * weekly.length + overrides.reduce((sum, { windows }) => sum + 60 + 40 * (windows ?? []).length, 0);

const POOL_ID_BYTES = 34;

const bytesOnBus = ({ timezone, schedule, poolIds }: Hours): number =>
  120 + timezone.length + bytesOf(schedule) + POOL_ID_BYTES * poolIds.length;

/** The candidates in as few messages as their number and the size of their schedules permit; usually one. */
export function inBatches<C extends Hours>(candidates: readonly C[]): C[][] {
  const batches: C[][] = [];
  let bytes = 0;
  for (const candidate of candidates) {
    bytes += bytesOnBus(candidate);
    const batch = batches.at(-1);
    if (batch && batch.length < MOST_IN_BATCH && bytes <= MOST_BATCH_BYTES) {
      batch.push(candidate);
    } else {
      batches.push([candidate]);
      bytes = bytesOnBus(candidate);
    }
  }
  return batches;
}
