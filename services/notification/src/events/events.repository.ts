import { Injectable } from '@nestjs/common';
import type { listEvents, Page, ParsedOf, Principal } from '@swim/contracts';
import { asSystem, Databases, executeAll, type Filter, isConflict, Repository, withinPageBytes } from '@swim/mongo';
import { CursorCodec } from '@swim/platform';
import mongoose from 'mongoose';
import { withoutTexts } from './event.mapper.js';
import { type EventDocument, type EventRange, eventSchema, type ObjectEvents } from './event.schema.js';

type Query = ParsedOf<typeof listEvents>;

/** The account that reads its events. */
type Reader = Pick<Principal, 'env' | 'accountId'>;

// Bytes of an event beside its data.
const ENVELOPE_BYTES = 512;
const MAX_COPIES = 100;
// More than the events of 500 payments.
const MOST = 60_000;
/** The most events that a stream gets with one read. */
const STREAM_PAGE = 50;
const bytesOf = ({ data }: EventDocument): number => Buffer.byteLength(data) + ENVELOPE_BYTES;

const storing = asSystem('events are stored for every account of their audience');
const purging = asSystem('the purge covers all accounts');

@Injectable()
export class EventsRepository extends Repository<EventDocument> {
  constructor(
    databases: Databases,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('events', eventSchema));
  }

  /**
   * Inserts events in order, up to the first whose id or sequence is taken, or whose insert was undone as a deadlock; returns how
   * many it stored.
   */
  async insertInOrder(documents: EventDocument[]): Promise<number> {
    const { errors } = await executeAll(this.model(storing), 'insert', documents, { ordered: true });
    const [[index, error] = [documents.length, null]] = errors;
    if (error && !isConflict(error)) throw error;
    return index;
  }

  /** The events among these that are stored. */
  findAll(ids: readonly string[]): Promise<EventDocument[]> {
    return this.lookUpAll(storing, ids);
  }

  /** How many events are in a range. */
  countIn(range: EventRange): Promise<number> {
    return this.count(storing, inRange(range));
  }

  /** The first events of a range, in ascending order. */
  findIn(range: EventRange, limit: number): Promise<Pick<EventDocument, RangeField>[]> {
    const options = { sort: { sequence: 1 as const }, limit };
    return this.findPicked(storing, inRange(range), ['account', 'type', 'sequence'], options);
  }

  /** Removes an event that was stored under this sequence. */
  async retract(id: string, sequence: number): Promise<void> {
    await this.remove(storing, { _id: id, sequence });
  }

  /** Removes events of accounts that get no more. */
  async removeClosed(ids: readonly string[]): Promise<void> {
    const options = {
      asSystem: 'a replica may have stored them late, and have ended before it removed them',
    } as object;
    await this.model(purging).deleteMany({ _id: mongoose.trusted({ $in: [...ids] }) }, options);
  }

  /** The highest sequence of the account; 0 when it has no event. */
  async findLastSequence(account: string): Promise<number> {
    const [newest] = await this.findMany(storing, { account }, { sequence: -1 }, 1);
    return newest?.sequence ?? 0;
  }

  /** The account's newest event of an object, of these types or of all; null without one. */
  findNewest({ account, objectId, types }: ObjectEvents): Promise<EventDocument | null> {
    const filter = { account, objectId, ...(types === null ? {} : { type: { $in: [...types] } }) };
    return this.findFirst(storing, filter, { sequence: -1 });
  }

  /** The accounts' copies of these events, without their data. */
  async findCopies(
    events: readonly Pick<EventDocument, 'objectId' | 'n'>[],
  ): Promise<Pick<EventDocument, 'objectId' | 'n' | 'copies'>[]> {
    // A query with `$or` takes the database twice as long.
    const queries = [...Map.groupBy(events, ({ n }) => n)].map(([n, alike]) => {
      const objectId = mongoose.trusted({ $in: alike.map((each) => each.objectId) });
      return this.findPicked(storing, { objectId, n }, ['objectId', 'n', 'copies'], {
        limit: MAX_COPIES * alike.length,
      });
    });
    return (await Promise.all(queries)).flat();
  }

  /** One page of an account's events by sequence above `through`: descending, or ascending from `after_sequence`. */
  async list({ env, accountId }: Reader, query: Query, through: number): Promise<Page<EventDocument>> {
    const { limit, offset, cursor, ...filters } = query;
    const bound = { list: 'notification.listEvents', accountId, env, filters };
    const ascending = query.after_sequence !== undefined;
    const above = { account: accountId, sequence: { $gt: Math.max(query.after_sequence ?? 0, through) } };
    return this.page(
      { env, accountId },
      { ...above, ...conditionsOf(filters) },
      {
        order: { uniqueNumber: 'sequence', ascending },
        request: { limit, offset, cursor },
        cursors: this.cursors,
        bound,
        bytesOf,
      },
    );
  }

  /** The account's first events after a sequence, oldest first, within the bytes of a page. */
  async findAfter({ env, accountId }: Reader, sequence: number): Promise<{ items: EventDocument[]; hasMore: boolean }> {
    const filter = { account: accountId, sequence: { $gt: sequence } };
    const found = await this.findMany({ env, accountId }, filter, { sequence: 1 }, STREAM_PAGE + 1);
    const items = withinPageBytes(found.slice(0, STREAM_PAGE), bytesOf);
    return { items, hasMore: items.length < found.length };
  }

  /** An event of the account above `through`; null without one. */
  async find({ env, accountId }: Reader, id: string, through: number): Promise<EventDocument | null> {
    const event = await this.lookUp({ env, accountId }, id);
    return event && event.sequence > through ? event : null;
  }

  /** The oldest event of the next account in order of id; null after the last. */
  async findOldestOfNextAccount(afterAccount: string): Promise<EventDocument | null> {
    const [oldest] = await this.findMany(purging, { account: { $gt: afterAccount } }, { account: 1, sequence: 1 }, 1);
    return oldest ?? null;
  }

  /** The lowest sequence of an account from `start` on; null when all its events are older. */
  async findFirstSince(account: string, start: Date): Promise<number | null> {
    const [first] = await this.findMany(purging, { account, timestamp: { $gte: start } }, { sequence: 1 }, 1);
    return first?.sequence ?? null;
  }

  /** The highest sequence of an account from which on all its events were before an instant; 0 without one. */
  async findLastBefore(account: string, instant: Date): Promise<number> {
    const first = await this.findFirstSince(account, instant);
    return first === null ? this.findLastSequence(account) : first - 1;
  }

  /** The account's events below a sequence, lowest first, at most `limit`. */
  async findBelow(account: string, sequence: number, limit: number): Promise<EventDocument[]> {
    return this.findMany(purging, { account, sequence: { $lt: sequence } }, { sequence: 1 }, limit);
  }

  /** Removes what clients kept at these objects from all accounts' copies of their events. Idempotent. */
  async clearMetadata(objectIds: readonly string[]): Promise<void> {
    const found = await this.findPicked(purging, { objectId: { $in: [...objectIds] } }, ['data'], { limit: MOST });
    const changed = found.map(({ _id, data }) => ({ _id, data, cleared: withoutTexts(data) }));
    const updates = changed
      .filter(({ data, cleared }) => data !== cleared)
      .map(({ _id, cleared }) => ({ filter: { _id }, update: { $set: { data: cleared } } }));
    await this.updateEach(purging, updates);
  }

  /** Removes the account's events up to and including this sequence. */
  async removeThrough(account: string, sequence: number): Promise<number> {
    const upTo = mongoose.trusted({ $lte: sequence });
    const options = { asSystem: 'the purge covers all accounts' } as object;
    return (await this.model(purging).deleteMany({ account, sequence: upTo }, options)).deletedCount;
  }
}

type RangeField = '_id' | 'account' | 'type' | 'sequence';

const inRange = ({ account, after, through, types }: EventRange): Filter => ({
  account,
  sequence: { $gt: after, $lte: through },
  ...(types === null ? {} : { type: { $in: [...types] } }),
});

function conditionsOf({ type, object_id, request_id, date_from, date_to }: Omit<Query, 'limit'>): Filter {
  const range = { ...(date_from ? { $gte: new Date(date_from) } : {}), ...(date_to ? { $lt: new Date(date_to) } : {}) };
  return {
    ...(type === undefined ? {} : { type: { $in: type } }),
    ...(object_id === undefined ? {} : { objectId: object_id }),
    ...(request_id === undefined ? {} : { 'cause.requestId': request_id }),
    ...(date_from || date_to ? { timestamp: range } : {}),
  };
}
