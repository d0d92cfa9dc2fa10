import { Injectable } from '@nestjs/common';
import type { Page } from '@swim/contracts';
import { asSystem, Databases, type ListQuery, Repository } from '@swim/mongo';
import { CursorCodec, type RequestContext } from '@swim/platform';
import { type ActivityEntryDocument, activityEntrySchema } from './activity-entry.schema.js';

const WRITING = asSystem('live', 'each entry names its reader itself');

@Injectable()
export class ActivityRepository extends Repository<ActivityEntryDocument> {
  constructor(
    databases: Databases,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.userCollection('user_activity', activityEntrySchema));
  }

  /** Stores entries. Idempotent. */
  async insertAll(entries: readonly ActivityEntryDocument[]): Promise<void> {
    await this.tryInsertAll(WRITING, entries);
  }

  /** The entries of the requesting account, newest first. */
  list({ principal }: RequestContext, query: ListQuery): Promise<Page<ActivityEntryDocument>> {
    return this.listPage(principal, query, { name: 'activity', cursors: this.cursors });
  }

  /** Removes the entries of an account. */
  async removeAllOf(accountId: string): Promise<void> {
    await this.model(WRITING).deleteMany({ readers: accountId }, { asSystem: 'an erasure' } as object);
  }
}
