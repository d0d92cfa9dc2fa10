import { Injectable } from '@nestjs/common';
import { getUsage, type ParsedOf, recordUsage, type Usage, type UsageCount } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { PeriodicPerEnvironment } from '@swim/mongo';
import { Clock, type RequestContext } from '@swim/platform';
import type { Config } from '../config.js';
import { StoredEventsService } from '../events/stored-events.service.js';
import { UsageRepository } from './usage.repository.js';
import { everyHour, keptHours, requestedHours, totalsOf } from './usage.rules.js';
import type { UsageCountDocument } from './usage-count.schema.js';

const BATCH = 500;

/** The use that accounts make of the API, as gateways have counted it, for seven days. */
@Injectable()
export class UsageService {
  constructor(
    private readonly counts: UsageRepository,
    private readonly events: StoredEventsService,
    private readonly clock: Clock,
  ) {}

  /** Stores counts of accounts that are not erased. Idempotent. */
  @Serve(recordUsage)
  async record({ usageCounts }: ParsedOf<typeof recordUsage>): Promise<Record<string, never>> {
    const kept = await this.events.withoutErased(usageCounts);
    if (kept.length > 0) await this.counts.raiseAll(kept.map(toDocument));
    return {};
  }

  /** The account's usage by clock hour, without the limits. */
  @Serve(getUsage)
  async get({ key_id, ...range }: ParsedOf<typeof getUsage>, context: RequestContext): Promise<Usage> {
    const requested = requestedHours(range, this.clock.now());
    const hours = everyHour(requested, await this.counts.sum(context, requested, key_id));
    const { from, to } = requested;
    return { date_from: from.toISOString(), date_to: to.toISOString(), totals: totalsOf(hours), hours };
  }

  /** Removes counts of hours that are no longer kept, in both environments. Safe to run on several replicas. */
  @PeriodicPerEnvironment('usage', ({ PURGE_INTERVAL_SECONDS }: Config) => PURGE_INTERVAL_SECONDS * 1_000)
  async removeOld(): Promise<void> {
    const { from } = keptHours(this.clock.now());
    let count: number;
    do count = await this.counts.removeBefore(from, BATCH);
    while (count === BATCH);
  }
}

const toDocument = (count: UsageCount): UsageCountDocument => ({
  _id: count.id,
  readers: [count.account_id],
  keyId: count.key_id,
  hour: new Date(count.hour),
  requests: count.requests,
  clientErrors: count.client_errors,
  serverErrors: count.server_errors,
  limited: count.limited,
});
