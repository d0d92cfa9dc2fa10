import { Injectable } from '@nestjs/common';
import {
  type Environment,
  listMembers,
  memberCreated,
  memberErased,
  type Page,
  type SwimmingLevel,
} from '@swim/contracts';
import type { Call } from '@swim/messaging';
import {
  AggregateRepository,
  asSystem,
  type Changed,
  Databases,
  type Decision,
  type Filter,
  type ListRequest,
  type Managed,
  OutboxRelay,
} from '@swim/mongo';
import { AppError, CursorCodec } from '@swim/platform';
import mongoose from 'mongoose';
import { beginningWith, searchTermsOf } from '../name-search.rules.js';
import { erasedObjectOf, memberObjectOf } from './member.mapper.js';
import { NOBODY } from './member.rules.js';
import { type MemberDocument, memberSchema } from './member.schema.js';

/** What a list of members is narrowed by. */
export interface Wanted {
  search?: string | undefined;
  swimmingLevel?: SwimmingLevel | undefined;
}

@Injectable()
export class MembersRepository extends AggregateRepository<MemberDocument> {
  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('members', memberSchema), relay);
  }

  /** Stores a new member, with its event; its account is its first reader. One that an earlier run made may be erased by now. */
  async insert(call: Call, fields: Omit<MemberDocument, Managed | 'readers'>): Promise<MemberDocument> {
    const created = { type: memberCreated, object: memberObjectOf };
    const member = await this.create(call, { ...fields, readers: [fields.accountId] }, [created]);
    if (member.erasedAt) throw new AppError('resource_not_found');
    return member;
  }

  /** One that the caller may read: of its own account, or of a session with its school. */
  async getReadable({ principal }: Call, id: string): Promise<MemberDocument> {
    const member = await this.lookUp(principal, id);
    if (!member) throw new AppError('resource_not_found');
    return member;
  }

  /** Those of these that the caller may read. */
  findReadable({ principal }: Call, ids: readonly string[]): Promise<MemberDocument[]> {
    return this.lookUpAll(principal, ids);
  }

  async change(
    call: Call,
    id: string,
    decide: (now: MemberDocument) => Decision<MemberDocument> | null,
  ): Promise<Changed<MemberDocument>> {
    const changed = await this.mutate(call.principal, id, call, decide);
    if (!changed) throw new AppError('resource_not_found');
    return changed;
  }

  /** Takes everything personal out of a member, with the answers kept of its changes; nobody reads it from then on. */
  async erase(call: Call, id: string, at: Date): Promise<void> {
    await this.change(call, id, (now) => ({
      set: { ...NOBODY, readers: [], erasedAt: at },
      events: [{ type: memberErased, object: () => erasedObjectOf(now, at), audience: now.readers }],
      forgetsAnswers: true,
    }));
  }

  /** The account's own members, newest first. */
  async list(
    { principal }: Call,
    accountId: string,
    { search, swimmingLevel }: Wanted,
    asked: ListRequest,
  ): Promise<Page<MemberDocument>> {
    const bound = {
      list: listMembers.name,
      accountId: principal.accountId,
      env: principal.env,
      filters: { accountId, search, swimmingLevel },
    };
    const filter: Filter = { accountId };
    if (swimmingLevel !== undefined) filter.swimmingLevel = swimmingLevel;
    if (search !== undefined) filter.$and = beginnings(search);
    return this.page(principal, filter, {
      order: 'newest',
      asked,
      cursors: this.cursors,
      bound,
      without: ['progressNotes'],
    });
  }

  /**
   * Lets accounts read a member from now on, unless it is erased; again is the same. A change of the member that was decided
   * before is decided again: who is told of an erasure depends on who reads.
   */
  async markReadableBy(env: Environment, id: string, accountIds: readonly string[]): Promise<void> {
    const scope = asSystem(env, 'a session makes its school a reader of its member');
    const lacking = { _id: id, erasedAt: null, readers: { $not: { $all: [...accountIds] } } };
    await this.update(scope, lacking, { $addToSet: { readers: { $each: [...accountIds] } }, $inc: { rev: 1 } });
  }
}

function beginnings(search: string): Filter[] {
  const terms = searchTermsOf(search);
  if (terms.length === 0) return [{ _id: mongoose.trusted({ $in: [] }) }];
  return terms
    .map(beginningWith)
    .map(({ from, below }) => ({ searchWords: mongoose.trusted({ $elemMatch: { $gte: from, $lt: below } }) }));
}
