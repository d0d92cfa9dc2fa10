import { Injectable } from '@nestjs/common';
import { listRequests, type Page, type ParsedOf, statusesOf } from '@swim/contracts';
import { asSystem, Databases, type Filter, oneOf, Repository } from '@swim/mongo';
import { CursorCodec, lowestIdAt, type RequestContext } from '@swim/platform';
import { type RequestLogDocument, requestLogSchema } from './request-log-entry.schema.js';

type Query = ParsedOf<typeof listRequests>;

const ENTRY = 'rlog';
const LAST_CHARACTER = '\u{10ffff}';

@Injectable()
export class RequestLogRepository extends Repository<RequestLogDocument> {
  constructor(
    databases: Databases,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('request_log', requestLogSchema));
  }

  /** Stores entries. Idempotent. */
  async insertAll(entries: RequestLogDocument[]): Promise<void> {
    await this.tryInsertAll(asSystem('each entry names its reader itself'), entries);
  }

  /** The account's entries since an instant, newest first. */
  list({ principal }: RequestContext, query: Query, since: Date): Promise<Page<RequestLogDocument>> {
    const filter = { ...conditionsOf(query), ...answeredWithin(query, since) };
    return this.listPage(principal, query, { name: listRequests.name, filter, cursors: this.cursors });
  }

  /** One of the account's entries; null without one. */
  find({ principal }: RequestContext, id: string): Promise<RequestLogDocument | null> {
    return this.lookUp(principal, id);
  }

  /** Removes entries from before an instant, at most `limit`; returns how many it removed. */
  removeBefore(instant: Date, limit: number): Promise<number> {
    return this.removeMadeBefore(asSystem('the retention covers all accounts'), ENTRY, instant, limit);
  }
}

// Ids sort by the time of the answer, so that the index of the list serves its range too.
function answeredWithin({ date_from, date_to }: Query, since: Date): Filter {
  const from = date_from === undefined ? since : new Date(Math.max(since.getTime(), Date.parse(date_from)));
  const to = date_to === undefined ? {} : { $lt: lowestIdAt(ENTRY, new Date(date_to)) };
  return { _id: { $gte: lowestIdAt(ENTRY, from), ...to } };
}

const conditionsOf = ({ status, method, path, request_id, key_id, user_id, requester }: Query): Filter => ({
  ...(status === undefined ? {} : { status: { $in: statusesOf(status) } }),
  ...oneOf('method', method),
  // A range, so that no character of it is a pattern.
  ...(path === undefined ? {} : { path: { $gte: path, $lt: path + LAST_CHARACTER } }),
  ...(request_id === undefined ? {} : { requestId: request_id }),
  // Each entry has one of both.
  ...(requester === undefined ? {} : { [requester === 'key' ? 'userId' : 'keyId']: null }),
  ...(key_id === undefined ? {} : { keyId: key_id }),
  ...(user_id === undefined ? {} : { userId: user_id }),
});
