import { Injectable } from '@nestjs/common';
import {
  beginningWith,
  listMembers,
  memberCreated,
  memberErased,
  type Page,
  type SwimmingLevel,
  searchTermsOf,
} from '@swim/contracts';
import {
  AggregateRepository,
  asSystem,
  type Changed,
  commonFilter,
  Databases,
  type Decision,
  type Filter,
  type ListQuery,
  type Managed,
  OutboxRelay,
  ownOpIn,
} from '@swim/mongo';
import { AppError, CursorCodec, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { erasedObjectOf, memberObjectOf } from './member.mapper.js';
import { NOBODY } from './member.rules.js';
import { type MemberDocument, memberSchema } from './member.schema.js';
import { everyReader, readersOf, type SchoolRight, withRight } from './member-readers.rules.js';

const byRights = asSystem('schools read the members that their connections name');

/** A list of members, as a client requests it. */
export interface MembersQuery extends ListQuery {
  search?: string | undefined;
  swimming_level?: SwimmingLevel | undefined;
  /** The tokens of `metadata`, which only the account's own members have. */
  metadataTokens?: string[] | undefined;
}

/** What tells members of an account apart. */
export type MemberIdentity = Pick<MemberDocument, '_id' | 'accountId' | 'name' | 'dateOfBirth' | 'updatedAt'>;

const MOST_TRIES = 12;
// More than any account has, and the maximum of one query.
const MOST_MEMBERS = 60_000;

/** A member in the exported list of erasures. */
interface ErasedEarlier {
  id: string;
  accountId: string;
  at: Date;
}

const erasing = asSystem('an erasure reaches all members of the account');

@Injectable()
export class MembersRepository extends AggregateRepository<MemberDocument> {
  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('members', memberSchema), relay);
  }

  /** Stores a new member with its event; its account is its reader. A member from an earlier run may be erased already. */
  async insert(
    context: RequestContext,
    fields: Omit<MemberDocument, Managed | 'readers' | 'schools'>,
  ): Promise<MemberDocument> {
    const created = { type: memberCreated, object: memberObjectOf };
    const member = await this.create(context, { ...fields, readers: [fields.accountId], schools: [] }, [created]);
    if (member.erasedAt) throw new AppError('resource_not_found');
    return member;
  }

  /** The members among these that the account may read: its own, and those that a connection with it names. */
  async findReadable({ principal }: RequestContext, ids: readonly string[]): Promise<MemberDocument[]> {
    const found = await this.lookUpAll(byRights, ids);
    return found.filter((member) => readersOf(member).includes(principal.accountId));
  }

  /** Throws `resource_not_found` for a member that the account may not read. */
  async getReadable(context: RequestContext, id: string): Promise<MemberDocument> {
    const [member] = await this.findReadable(context, [id]);
    if (!member) throw new AppError('resource_not_found');
    return member;
  }

  /** A member, regardless of its readers; null when there is none. */
  findAny(id: string): Promise<MemberDocument | null> {
    return this.lookUp(byRights, id);
  }

  /** Changes a member that the account could read when it was looked up; an erased one is `resource_not_found`. */
  async change(
    context: RequestContext,
    id: string,
    decide: (now: MemberDocument) => Decision<MemberDocument> | null,
  ): Promise<Changed<MemberDocument>> {
    const changed = await this.mutate(byRights, id, context, (now) => {
      if (now.erasedAt) throw new AppError('resource_not_found');
      return decide(now);
    });
    if (!changed) throw new AppError('resource_not_found');
    return changed;
  }

  /** Removes all personal data of a member, with the stored answers of its changes; it has no readers from then on. */
  async erase(context: RequestContext, id: string, at: Date): Promise<void> {
    await this.change(context, id, (now) => ({
      set: { ...NOBODY, readers: [], schools: [], erasedAt: at },
      events: [{ type: memberErased, object: () => erasedObjectOf(now, at), audience: everyReader(now) }],
      forgetsAnswers: true,
      answer: () => null,
    }));
  }

  /** Whether an earlier run of the request has erased this member. */
  async hasErased(context: RequestContext, id: string): Promise<boolean> {
    const member = await this.lookUp(erasing, id);
    return member !== null && ownOpIn(member, context) !== undefined;
  }

  /** Who the members of these accounts are. */
  findOfAccounts(accountIds: readonly string[]): Promise<MemberIdentity[]> {
    const left = { accountId: mongoose.trusted({ $in: [...accountIds] }), erasedAt: null };
    return this.findPicked(byRights, left, ['accountId', 'name', 'dateOfBirth', 'updatedAt'], { limit: MOST_MEMBERS });
  }

  /** Ids of the account's members that are not erased, or of those made before an instant. */
  async findIdsOf(accountId: string, limit: number, before?: Date): Promise<string[]> {
    const made = before ? { createdAt: { $lt: before } } : {};
    const left = { accountId, erasedAt: null, ...made };
    return (await this.findPicked(erasing, left, [], { limit })).map(({ _id }) => _id);
  }

  /**
   * Repeats the erasure of a member after a backup was restored, and publishes its event again. A member missing from the
   * backup is stored as erased, so that the event is published.
   */
  async eraseAgain(context: RequestContext, { id, accountId, at }: ErasedEarlier): Promise<void> {
    const published = (audience: string[]) => ({
      type: memberErased,
      object: () => erasedObjectOf({ _id: id, accountId }, at),
      audience,
    });
    const gone = { ...NOBODY, readers: [], schools: [], erasedAt: at };
    const repeated = (now: MemberDocument) => ({
      set: gone,
      events: [published(everyReader(now))],
      forgetsAnswers: true,
    });
    if (await this.mutate(erasing, id, { ...context, opId: null }, repeated)) return;
    const blank = { _id: id, accountId, swimmingLevel: 'beginner' as const, skills: [], levelHistory: [] };
    await this.create(context, { ...blank, ...gone }, [published([])]);
  }

  /** Removes an erased school's texts and rights from other accounts' members. Idempotent. */
  async forgetSchool(schoolId: string): Promise<void> {
    const reading = [{ readers: schoolId }, { 'schools.id': schoolId }, { 'progressNotes.by': schoolId }];
    const theirs = { $or: reading, accountId: mongoose.trusted({ $ne: schoolId }) };
    const change = {
      $pull: { readers: schoolId, schools: { id: schoolId }, progressNotes: { by: schoolId } },
      $inc: { rev: 1 },
      $set: { ops: [] },
    };
    await this.model(erasing).updateMany(theirs, change, { asSystem: 'an erasure' } as object);
  }

  /** Ids, after this one, of other accounts' members that a school may read or once could. */
  async findIdsOfPupils(schoolId: string, after: string, limit: number): Promise<string[]> {
    const pupils = { 'schools.id': schoolId, _id: { $gt: after }, erasedAt: null };
    return (await this.findPicked(byRights, pupils, [], { sort: { _id: 1 }, limit })).map(({ _id }) => _id);
  }

  /** Removes the notes of a school about members from before an instant, and the stored answers with them. Idempotent. */
  async dropNotes(ids: string[], schoolId: string, before: Date): Promise<void> {
    const theirs = { by: schoolId, at: mongoose.trusted({ $lt: before }) };
    const noted = { _id: mongoose.trusted({ $in: ids }), progressNotes: mongoose.trusted({ $elemMatch: theirs }) };
    const change = { $pull: { progressNotes: theirs }, $inc: { rev: 1 }, $set: { ops: [] } };
    await this.model(byRights).updateMany(noted as object, change, { asSystem: 'an erasure' } as object);
  }

  /** The members that the account may read, newest first: its own, and a school's pupils. */
  listReadable(context: RequestContext, query: MembersQuery): Promise<Page<MemberDocument>> {
    const { accountId } = context.principal;
    const pupils = { schools: mongoose.trusted({ $elemMatch: { id: accountId, isActive: true } }) };
    return this.listMatching(context, query, { $or: [{ accountId }, pupils] });
  }

  /** The account's own members, newest first. */
  listOwn(context: RequestContext, query: ListQuery): Promise<Page<MemberDocument>> {
    return this.listMatching(context, query, { accountId: context.principal.accountId });
  }

  private listMatching(
    { principal: { env, accountId } }: RequestContext,
    { limit, offset, cursor, metadataTokens, ...filters }: MembersQuery,
    whose: Filter,
  ): Promise<Page<MemberDocument>> {
    const { search, swimming_level: swimmingLevel, metadata: _, ...common } = filters;
    const all = [whose, ...(search === undefined ? [] : beginnings(search))];
    const filter = {
      ...commonFilter(common),
      ...(metadataTokens === undefined
        ? {}
        : { accountId, metadataTokens: mongoose.trusted({ $all: metadataTokens }) }),
      ...(swimmingLevel === undefined ? {} : { swimmingLevel }),
      erasedAt: null,
      $and: all,
    };
    return this.page(byRights, filter, {
      order: 'newest',
      request: { limit, offset, cursor },
      cursors: this.cursors,
      bound: { list: listMembers.name, accountId, env, filters },
      without: ['progressNotes'],
    });
  }

  /**
   * Ids of an account's members whose right differs from what a connection says in this generation, among those whom it names, has named
   * before, or who have a right. A right of the same generation that agrees needs no later revision: within a generation, members are
   * only added.
   */
  async findIdsOfOtherRight(
    accountId: string,
    { id, generation }: Pick<SchoolRight, 'id' | 'generation'>,
    named: readonly string[],
    unnamed: readonly string[],
  ): Promise<string[]> {
    const lacks = (isActive: boolean) => mongoose.trusted({ $not: { $elemMatch: { id, isActive, generation } } });
    const toGain = { _id: mongoose.trusted({ $in: named }), schools: lacks(true) };
    const once = [{ 'schools.id': id }, { _id: mongoose.trusted({ $in: unnamed }) }];
    const toLose = { _id: mongoose.trusted({ $nin: named }), schools: lacks(false), $or: once };
    const differing = { accountId, erasedAt: null, $or: [toGain, toLose] };
    return (await this.findPicked(byRights, differing, [], { limit: MOST_MEMBERS })).map(({ _id }) => _id);
  }

  /**
   * Stores what a connection says of a member, unless that of a later revision is stored. A concurrent change of the member decides
   * again: the audience of its event depends on the readers. Idempotent.
   */
  async setRight(id: string, right: SchoolRight): Promise<void> {
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const now = await this.findAny(id);
      const schools = now && !now.erasedAt ? withRight(now.schools, right) : null;
      if (!schools) return;
      const unchanged = { _id: id, rev: now!.rev, erasedAt: null };
      if (await this.update(byRights, unchanged, { $set: { schools }, $inc: { rev: 1 } })) return;
    }
    throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
  }
}

function beginnings(search: string): Filter[] {
  const terms = searchTermsOf(search);
  if (terms.length === 0) return [{ _id: mongoose.trusted({ $in: [] }) }];
  return terms
    .map(beginningWith)
    .map(({ from, below }) => ({ searchWords: mongoose.trusted({ $elemMatch: { $gte: from, $lt: below } }) }));
}
