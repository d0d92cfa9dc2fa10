import { Injectable } from '@nestjs/common';
import {
  getRequest,
  listRequests,
  type Page,
  type ParsedOf,
  REQUEST_LOG_DAYS,
  type RecordedRequest,
  type RequestLogEntry,
  recordRequests,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { PeriodicPerEnvironment } from '@swim/mongo';
import { AppError, Clock, type RequestContext, timeOfId } from '@swim/platform';
import type { Config } from '../config.js';
import { StoredEventsService } from '../events/stored-events.service.js';
import { RequestLogRepository } from './request-log.repository.js';
import type { RequestLogDocument } from './request-log-entry.schema.js';

const DAY_MS = 86_400_000;
const BATCH = 500;

/** The log of the requests that gateways have answered, for seven days. */
@Injectable()
export class RequestLogService {
  constructor(
    private readonly entries: RequestLogRepository,
    private readonly events: StoredEventsService,
    private readonly clock: Clock,
  ) {}

  /** Stores entries of accounts that are not erased. Idempotent. */
  @Serve(recordRequests)
  async record({ answeredRequests }: ParsedOf<typeof recordRequests>): Promise<Record<string, never>> {
    const kept = await this.events.withoutErased(answeredRequests);
    if (kept.length > 0) await this.entries.insertAll(kept.map(toDocument));
    return {};
  }

  /** The account's entries of the last seven days, newest first. */
  @Serve(listRequests)
  async list(query: ParsedOf<typeof listRequests>, context: RequestContext): Promise<Page<RequestLogEntry>> {
    const { items, pagination } = await this.entries.list(context, query, this.start());
    return { items: items.map(toEntry), pagination };
  }

  /** One of the account's entries. */
  @Serve(getRequest)
  async get({ request_log_id: id }: ParsedOf<typeof getRequest>, context: RequestContext): Promise<RequestLogEntry> {
    const entry = timeOfId(id) < this.start() ? null : await this.entries.find(context, id);
    if (!entry) throw new AppError('resource_not_found');
    return toEntry(entry);
  }

  /** Removes entries after seven days, in both environments. Safe to run on several replicas. */
  @PeriodicPerEnvironment('request log', ({ PURGE_INTERVAL_SECONDS }: Config) => PURGE_INTERVAL_SECONDS * 1_000)
  async removeOld(): Promise<void> {
    let count: number;
    do count = await this.entries.removeBefore(this.start(), BATCH);
    while (count === BATCH);
  }

  private start(): Date {
    return new Date(this.clock.now().getTime() - REQUEST_LOG_DAYS * DAY_MS);
  }
}

const toDocument = (recorded: RecordedRequest): RequestLogDocument => {
  const { id, account_id, request_id, duration_ms, key_id, user_id, query, ...fields } = recorded;
  return {
    _id: id,
    readers: [account_id],
    requestId: request_id,
    durationMs: duration_ms,
    keyId: key_id,
    userId: user_id,
    query: JSON.stringify(query),
    ...fields,
  };
};

const toEntry = (document: RequestLogDocument): RequestLogEntry => {
  const { _id, readers: _, requestId, durationMs, keyId, userId, query, ...fields } = document;
  return {
    id: _id,
    request_id: requestId,
    ...fields,
    duration_ms: durationMs,
    key_id: keyId,
    user_id: userId,
    query: JSON.parse(query) as RequestLogEntry['query'],
    created_at: timeOfId(_id).toISOString(),
  };
};
