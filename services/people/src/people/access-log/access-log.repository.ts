import { Injectable } from '@nestjs/common';
import { listAccessLog, type Page, type ParsedOf } from '@swim/contracts';
import { asSystem, between, Databases, Repository } from '@swim/mongo';
import { CursorCodec, type RequestContext } from '@swim/platform';
import { type AccessEntryDocument, accessEntrySchema } from './access-entry.schema.js';

@Injectable()
export class AccessLogRepository extends Repository<AccessEntryDocument> {
  constructor(
    databases: Databases,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('access_log', accessEntrySchema));
  }

  /** Stores entries. Idempotent. */
  async insertAll(entries: AccessEntryDocument[]): Promise<void> {
    await this.tryInsertAll(asSystem('each entry names its reader itself'), entries);
  }

  /** Entries about the account's own members, newest first. */
  list({ principal }: RequestContext, query: ParsedOf<typeof listAccessLog>): Promise<Page<AccessEntryDocument>> {
    const { member_id, key_id, date_from, date_to } = query;
    const filter = {
      ...(member_id === undefined ? {} : { memberIds: member_id }),
      ...(key_id === undefined ? {} : { keyId: key_id }),
      ...between('createdAt', date_from, date_to),
    };
    return this.listPage(principal, query, { name: listAccessLog.name, filter, cursors: this.cursors });
  }
}
