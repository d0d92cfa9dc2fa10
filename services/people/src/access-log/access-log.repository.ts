import { Injectable } from '@nestjs/common';
import { type Environment, listAccessLog, type Page, type ParsedOf } from '@swim/contracts';
import { asSystem, Databases, type Filter, Repository } from '@swim/mongo';
import { CursorCodec, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
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
  async insertAll(env: Environment, entries: AccessEntryDocument[]): Promise<void> {
    await this.tryInsertAll(asSystem(env, 'each entry names its reader itself'), entries);
  }

  /** Entries about the account's own members, newest first. */
  list({ principal }: RequestContext, request: ParsedOf<typeof listAccessLog>): Promise<Page<AccessEntryDocument>> {
    const { accountId, env } = principal;
    const { member_id, key_id, date_from, date_to } = request;
    const filters = { member_id, key_id, date_from, date_to };
    const filter: Filter = {};
    if (member_id !== undefined) filter.memberIds = member_id;
    if (key_id !== undefined) filter.keyId = key_id;
    if (date_from !== undefined || date_to !== undefined) {
      filter.createdAt = mongoose.trusted({
        ...(date_from === undefined ? {} : { $gte: new Date(date_from) }),
        ...(date_to === undefined ? {} : { $lt: new Date(date_to) }),
      });
    }
    const bound = { list: listAccessLog.name, accountId, env, filters };
    return this.page(principal, filter, { order: 'newest', request, cursors: this.cursors, bound });
  }
}
