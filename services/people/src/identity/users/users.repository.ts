import { Injectable } from '@nestjs/common';
import type { Page } from '@swim/contracts';
import { asSystem, Databases, type Filter, type ListQuery, Repository } from '@swim/mongo';
import { CursorCodec, type RequestContext } from '@swim/platform';
import { type Membership, type UserDocument, userSchema } from './user.schema.js';

const REASON = 'a user is found by its address or its cookie, before its account is known';
const SCOPE = asSystem('live', REASON);

/** The fields of a user that change, without its memberships. */
export type UserChanges = Partial<
  Omit<UserDocument, '_id' | 'memberships' | 'membershipsRev' | 'readers' | 'removalDueAt' | 'emailToken' | 'createdAt'>
>;

/** Storage of the dashboard's users. */
@Injectable()
export class UsersRepository extends Repository<UserDocument> {
  /** Users who have no account left. */
  readonly unowned = this.work({
    name: 'users without an account',
    due: 'removalDueAt',
    reason: REASON,
    environments: ['live'],
  });

  constructor(
    private readonly databases: Databases,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.userCollection('users', userSchema));
  }

  /** Now, by the database's clock. */
  now(): Date {
    return this.databases.clock.now();
  }

  find(userId: string): Promise<UserDocument | null> {
    return this.lookUp(SCOPE, userId);
  }

  findByEmail(emailToken: string): Promise<UserDocument | null> {
    return this.findOne(SCOPE, { emailToken });
  }

  /** Stores a user; false when it, or one with its address, exists. */
  insert(user: UserDocument): Promise<boolean> {
    return this.tryInsert(SCOPE, user);
  }

  /** Changes a user that is still as `unchanged` describes; returns whether it was. */
  change(userId: string, changes: UserChanges, unchanged: Filter = {}): Promise<boolean> {
    return this.update(SCOPE, { _id: userId, ...unchanged }, { $set: { ...changes, updatedAt: this.now() } });
  }

  /**
   * Replaces, or confirms, the memberships of a user unless they have changed since it was read; returns whether they had not. Without one
   * the user is to be removed.
   */
  changeMemberships({ _id, membershipsRev }: UserDocument, memberships: readonly Membership[]): Promise<boolean> {
    const updatedAt = this.now();
    const readers = memberships.map(({ accountId }) => accountId);
    const removal = readers.length === 0 ? { removalDueAt: updatedAt } : {};
    const set = { memberships, membershipsRev: membershipsRev + 1, readers, updatedAt, ...removal };
    return this.update(SCOPE, { _id, membershipsRev }, { $set: set });
  }

  /** Counts a code that is about to be checked; false when there were `limit` before it. */
  countCode(userId: string, limit: number): Promise<boolean> {
    return this.update(SCOPE, { _id: userId, wrongCodes: { $lt: limit } }, { $inc: { wrongCodes: 1 } });
  }

  /** Takes a code back that was right. */
  async uncountCode(userId: string): Promise<void> {
    await this.update(SCOPE, { _id: userId }, { $inc: { wrongCodes: -1 } });
  }

  /** The users of the requesting account, newest first. */
  list({ principal }: RequestContext, query: ListQuery): Promise<Page<UserDocument>> {
    return this.listPage(principal, query, { name: 'users', cursors: this.cursors });
  }

  /** The users of an account, at most `limit`. */
  findAllOf(accountId: string, limit: number): Promise<UserDocument[]> {
    return this.findMany(SCOPE, { readers: accountId }, { _id: 1 }, limit);
  }

  /** Removes a user who has no account left. Idempotent. */
  async removeOne(userId: string): Promise<void> {
    await this.remove(SCOPE, { _id: userId, removalDueAt: { $ne: null } });
  }
}
