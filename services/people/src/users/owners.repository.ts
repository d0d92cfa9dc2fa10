import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type OwnersDocument, ownersSchema } from './owners.schema.js';

const SCOPE = asSystem('live', 'an account keeps an owner while roles change');

/** The owners of each account. */
@Injectable()
export class OwnersRepository extends Repository<OwnersDocument> {
  constructor(databases: Databases) {
    super(databases.userCollection('user_owners', ownersSchema));
  }

  /** Adds an owner. Idempotent. */
  async add(accountId: string, userId: string): Promise<void> {
    const change = { $addToSet: { owners: userId } };
    if (await this.update(SCOPE, { _id: accountId }, change)) return;
    if (await this.tryInsert(SCOPE, { _id: accountId, readers: [accountId], owners: [userId] })) return;
    await this.update(SCOPE, { _id: accountId }, change);
  }

  /** Removes an owner unless it is the last one; returns whether it did. */
  async release(accountId: string, userId: string): Promise<boolean> {
    // A crash may have left out one that is.
    await this.add(accountId, userId);
    const hasAnother = { _id: accountId, owners: userId, 'owners.1': { $exists: true } };
    return this.update(SCOPE, hasAnother, { $pull: { owners: userId } });
  }

  /** Removes the owners of an erased account. Idempotent. */
  async removeAll(accountId: string): Promise<void> {
    await this.remove(SCOPE, { _id: accountId });
  }
}
