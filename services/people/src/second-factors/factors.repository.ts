import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type FactorsDocument, factorsSchema } from './factors.schema.js';

const SCOPE = asSystem('live', 'second factors are verified before a session begins');

/** Storage of the second factors of users. */
@Injectable()
export class FactorsRepository extends Repository<FactorsDocument> {
  constructor(private readonly databases: Databases) {
    super(databases.userCollection('second_factors', factorsSchema));
  }

  /** Now, by the database's clock. */
  now(): Date {
    return this.databases.clock.now();
  }

  find(userId: string): Promise<FactorsDocument | null> {
    return this.lookUp(SCOPE, userId);
  }

  /** Stores factors as they are after a change; false when they have changed since they were read. */
  async store(factors: FactorsDocument, isNew: boolean): Promise<boolean> {
    if (isNew) return this.tryInsert(SCOPE, factors);
    const { _id, rev, totp, recoveryCodes } = factors;
    return this.update(SCOPE, { _id, rev }, { $set: { totp, recoveryCodes }, $inc: { rev: 1 } });
  }

  /** Removes the factors of a user. Idempotent. */
  async removeOne(userId: string): Promise<void> {
    await this.remove(SCOPE, { _id: userId });
  }
}
