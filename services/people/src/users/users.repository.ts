import { Injectable } from '@nestjs/common';
import { asSystem, Databases, type Filter, Repository } from '@swim/mongo';
import { type UserDocument, userSchema } from './user.schema.js';

const SCOPE = asSystem('live', 'a user is found by its address or its cookie, before its account is known');

/** The fields of a user that change. */
export type UserChanges = Partial<Omit<UserDocument, '_id' | 'accountId' | 'readers' | 'emailToken' | 'createdAt'>>;

/** Storage of the dashboard's users. */
@Injectable()
export class UsersRepository extends Repository<UserDocument> {
  constructor(private readonly databases: Databases) {
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
}
