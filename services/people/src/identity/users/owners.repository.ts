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

  /** The owners of an account. */
  async get(accountId: string): Promise<Required<OwnersDocument>> {
    const none = { _id: accountId, readers: [accountId], owners: [], rev: 0 };
    const known = await this.lookUp(SCOPE, accountId);
    if (known) return { ...none, ...known };
    return (await this.tryInsert(SCOPE, none)) ? none : this.get(accountId);
  }

  /** Adds an owner unless there was a release since the owners were read; returns whether there was none. */
  add({ _id, rev }: Required<OwnersDocument>, userId: string): Promise<boolean> {
    const unchanged = { _id, rev: rev === 0 ? { $in: [0, null] } : rev };
    return this.update(SCOPE, unchanged, { $addToSet: { owners: userId } });
  }

  /** Removes an owner, also one that was left out, unless there is no other; returns whether there is one. */
  release(accountId: string, userId: string): Promise<boolean> {
    const hasAnother = { _id: accountId, owners: { $elemMatch: { $ne: userId } } };
    return this.update(SCOPE, hasAnother, { $pull: { owners: userId }, $inc: { rev: 1 } });
  }

  /** Removes the owners of an erased account. Idempotent. */
  async removeAll(accountId: string): Promise<void> {
    await this.remove(SCOPE, { _id: accountId });
  }
}
