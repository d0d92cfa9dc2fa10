import type { ListFilters } from '@swim/contracts';
import type { CursorCodec, CursorScope } from '@swim/platform';
import mongoose, { type SortOrder } from 'mongoose';

/** How a list is ordered: newest first by id, by a date field and then id, or by a number that is unique in it. */
export type ListOrder = 'newest' | { date: string; ascending: boolean } | { uniqueNumber: string; ascending: boolean };

/** The request for a page. */
export interface ListRequest {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
}

/** A list as a client requests it: filters of its own beside those that lists have in common, and the page. */
export type ListQuery = ListRequest & ListFilters;

/** A list: its name and the condition of the filters of its own. */
export interface ListOf<D> extends Pick<PageOf<D>, 'cursors' | 'findsFew' | 'without' | 'firstOf' | 'bytesOf'> {
  /** Binds its cursors. */
  name: string;
  filter?: Record<string, unknown>;
  /** Whether stored documents may have no `updatedAt`: those count as changed when they were made. */
  mayLackUpdatedAt?: boolean;
  /** The order of the list; by default newest first. */
  order?: ListOrder;
}

/** The page of a list: its order, the request, and the scope of its cursors. */
export interface PageOf<D = never> {
  order: ListOrder;
  request: ListRequest;
  cursors: CursorCodec;
  bound: CursorScope;
  /** Whether an index of a field in the filter finds few documents. */
  findsFew?: boolean;
  /** Fields that the list omits. */
  without?: readonly string[];
  /** Arrays that the list cuts to their first elements, by name, with how many stay. */
  firstOf?: Readonly<Record<string, number>>;
  /** The bytes of an item in the response; by default those of its JSON. */
  bytesOf?: (item: D) => number;
}

const SAFE_COUNT = 4;
const MAX_PAGE_BYTES = 512 * 1024;

/** The order as the database takes it. */
export function sortOf(order: ListOrder): Record<string, SortOrder> {
  if (order === 'newest') return { _id: -1 };
  const direction = order.ascending ? 1 : -1;
  return 'uniqueNumber' in order ? { [order.uniqueNumber]: direction } : { [order.date]: direction, _id: direction };
}

/** The position after an item, for a cursor. */
export function positionOf(order: ListOrder, last: { _id: string }): (string | number)[] {
  if (order === 'newest') return [last._id];
  const fields = last as unknown as Record<string, never>;
  if ('uniqueNumber' in order) return [fields[order.uniqueNumber]!];
  return [(fields[order.date]! as Date).toISOString(), last._id];
}

/** The filter for the items after a position. */
export function after(order: ListOrder, position: (string | number)[]): Record<string, unknown> {
  if (order === 'newest') return { _id: { $lt: position[0] } };
  const beyond = (value: unknown) => ({ [order.ascending ? '$gt' : '$lt']: value });
  if ('uniqueNumber' in order) return { [order.uniqueNumber]: beyond(Number(position[0])) };
  const value = new Date(position[0]!);
  return {
    $or: [
      { [order.date]: mongoose.trusted(beyond(value)) },
      { [order.date]: value, _id: mongoose.trusted(beyond(position[1])) },
    ],
  };
}

/** The items of a page up to the bound in bytes, at least one (contract, Lists: a page may end early). */
// Where no sizes are given, four items of the largest kind, bookings of 520 sessions, stay below the bound: only longer pages
// are measured.
export function withinPageBytes<D>(items: D[], givenBytesOf?: (item: D) => number): D[] {
  if (!givenBytesOf && items.length <= SAFE_COUNT) return items;
  const bytesOf = givenBytesOf ?? bytesOfJson;
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += bytesOf(item);
    return bytes > MAX_PAGE_BYTES;
  });
  return end === -1 ? items : items.slice(0, Math.max(end, 1));
}

const bytesOfJson = (item: unknown): number => Buffer.byteLength(JSON.stringify(item));
