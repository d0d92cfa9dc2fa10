import { Injectable } from '@nestjs/common';
import type { Page, Role } from '@swim/contracts';
import { asSystem, Databases, type Filter, type ListQuery, Repository } from '@swim/mongo';
import { CursorCodec, type RequestContext } from '@swim/platform';
import { type UserDocument, userSchema } from './user.schema.js';

const SCOPE = asSystem('live', 'a user is found by its address or its cookie, before its account is known');

/** The fields of a user that change. */
export type UserChanges = Partial<Omit<UserDocument, '_id' | 'accountId' | 'readers' | 'emailToken' | 'createdAt'>>;

/** Storage of the dashboard's users. */
@Injectable()
export class UsersRepository extends Repository<UserDocument> {
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

  /** Counts a code that is about to be checked; false when there were `limit` before it. */
  countCode(userId: string, limit: number): Promise<boolean> {
    return this.update(SCOPE, { _id: userId, wrongCodes: { $lt: limit } }, { $inc: { wrongCodes: 1 } });
  }

  /** Takes a code back that was right. */
  async uncountCode(userId: string): Promise<void> {
    await this.update(SCOPE, { _id: userId }, { $inc: { wrongCodes: -1 } });
  }

  /** Changes a role, or confirms it, unless that was done since the user was read; returns whether it was not. */
  changeRole({ _id, role: from, roleRev = 0 }: UserDocument, role: Role): Promise<boolean> {
    const unchanged = { role: from, roleRev: roleRev === 0 ? { $in: [0, null] } : roleRev };
    return this.change(_id, { role, roleRev: roleRev + 1 }, unchanged);
  }

  /** The users of the requesting account, newest first. */
  list({ principal }: RequestContext, query: ListQuery): Promise<Page<UserDocument>> {
    return this.listPage(principal, query, { name: 'users', cursors: this.cursors });
  }

  /** The users of an account, at most `limit`. */
  findAllOf(accountId: string, limit: number): Promise<UserDocument[]> {
    return this.findMany(SCOPE, { readers: accountId }, { _id: 1 }, limit);
  }

  findOwners(accountId: string): Promise<UserDocument[]> {
    return this.findMany(SCOPE, { readers: accountId, role: 'owner' });
  }

  /** Removes a user, or only one that is not an owner; returns whether it did. */
  removeOne(userId: string, which: 'any' | 'no_owner'): Promise<boolean> {
    return this.remove(SCOPE, { _id: userId, ...(which === 'any' ? {} : { role: { $ne: 'owner' } }) });
  }
}
