import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type SignInCountDocument, signInCountSchema } from './sign-in-count.schema.js';

const SCOPE = asSystem('live', 'attempts are counted before anybody is authenticated');

/** Counts of attempts. */
@Injectable()
export class SignInCountsRepository extends Repository<SignInCountDocument> {
  constructor(private readonly databases: Databases) {
    super(databases.userCollection('sign_in_counts', signInCountSchema));
  }

  /** Now, by the database's clock. */
  now(): Date {
    return this.databases.clock.now();
  }

  /** Counts an attempt; false when there were `limit` before it. */
  async take(id: string, limit: number, expiresAt: Date): Promise<boolean> {
    if (await this.increment(id, limit)) return true;
    if (await this.tryInsert(SCOPE, { _id: id, readers: [], count: 1, expiresAt })) return true;
    // Counted to the limit, or inserted by a concurrent attempt.
    return this.increment(id, limit);
  }

  async countOf(id: string): Promise<number> {
    return (await this.lookUp(SCOPE, id))?.count ?? 0;
  }

  private increment(id: string, limit: number): Promise<boolean> {
    return this.update(SCOPE, { _id: id, count: { $lt: limit } }, { $inc: { count: 1 } });
  }
}
