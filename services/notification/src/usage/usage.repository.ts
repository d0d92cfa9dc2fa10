import { Injectable } from '@nestjs/common';
import type { RequestCounts } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import type { HourRange } from './usage.rules.js';
import { type UsageCountDocument, usageCountSchema } from './usage-count.schema.js';

const SCOPE = asSystem('each count names its reader itself');

@Injectable()
export class UsageRepository extends Repository<UsageCountDocument> {
  constructor(databases: Databases) {
    super(databases.collection('usage_counts', usageCountSchema));
  }

  /** Stores counts: of two states of one, each number that is higher. Idempotent. */
  async raiseAll(counts: UsageCountDocument[]): Promise<void> {
    const raised = () => this.updateEach(SCOPE, counts.map(raiseOf));
    if ((await raised()) === counts.length) return;
    // One that another request has inserted meanwhile may have lower numbers.
    if (!(await this.tryInsertAll(SCOPE, counts))) await raised();
  }

  /** The sums of the account's counts by the beginning of their hour (ms), of one key or of all. */
  async sum({ principal: { env, accountId } }: RequestContext, { from, to }: HourRange, keyId?: string) {
    const sums = await this.model({ env, accountId }).aggregate<{ _id: Date } & RequestCounts>([
      { $match: { readers: accountId, hour: { $gte: from, $lt: to }, ...(keyId === undefined ? {} : { keyId }) } },
      {
        $group: {
          _id: '$hour',
          requests: { $sum: '$requests' },
          client_errors: { $sum: '$clientErrors' },
          server_errors: { $sum: '$serverErrors' },
          limited: { $sum: '$limited' },
        },
      },
    ]);
    return new Map(sums.map(({ _id, ...counts }): [number, RequestCounts] => [_id.getTime(), counts]));
  }

  /** Removes counts that were begun before an instant, at most `limit`; returns how many it removed. */
  removeBefore(instant: Date, limit: number): Promise<number> {
    return this.removeMadeBefore(asSystem('the retention covers all accounts'), 'usc', instant, limit);
  }
}

const raiseOf = ({ _id, requests, clientErrors, serverErrors, limited }: UsageCountDocument) => ({
  filter: { _id },
  update: { $max: { requests, clientErrors, serverErrors, limited } },
});
