import { Injectable } from '@nestjs/common';
import { asSystem, Databases, isDuplicate, Repository } from '@swim/mongo';
import { AppError } from '@swim/platform';
import { untilUndisturbed } from '../undisturbed-changes.js';
import { type FactorChange, type FactorsDocument, factorsSchema } from './factors.schema.js';

const SCOPE = asSystem('live', 'second factors are verified before a session begins');

/** Whose factors these are. */
export interface FactorOwner {
  _id: string;
}

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

  /** An addition or removal of a factor in a session, now. */
  changeIn(sessionId: string): FactorChange {
    return { at: this.now(), sessionId };
  }

  /** The factors of a user; null for one who never had any. */
  find(userId: string): Promise<FactorsDocument | null> {
    return this.lookUp(SCOPE, userId);
  }

  /**
   * Decides on the stored factors, and again if they have changed before the result was stored; returns what `decide` adds to
   * them. Throws what `decide` throws, `change_in_progress`, and `wrong_passkey` for a passkey of another user.
   */
  async change<T>(
    { _id }: FactorOwner,
    decide: (known: FactorsDocument) => Promise<[FactorsDocument, T]> | [FactorsDocument, T],
  ): Promise<T> {
    const { result } = await untilUndisturbed(async () => {
      const known = await this.find(_id);
      const none = { _id, readers: [], totp: null, passkeys: [], challenge: null };
      const [changed, result] = await decide(known ?? { ...none, recoveryCodes: [], rev: 0 });
      return (await this.store(changed, known === null)) ? { result } : null;
    });
    return result;
  }

  /** Removes the factors of a user. Idempotent. */
  async removeOne(userId: string): Promise<void> {
    await this.remove(SCOPE, { _id: userId });
  }

  /** False when the factors have changed since they were read. */
  private async store(factors: FactorsDocument, isNew: boolean): Promise<boolean> {
    if (isNew) return this.tryInsert(SCOPE, factors);
    const { _id, rev, totp, passkeys, challenge, recoveryCodes, changed } = factors;
    const set = { totp, passkeys, challenge, recoveryCodes, ...(changed ? { changed } : {}) };
    return this.update(SCOPE, { _id, rev }, { $set: set, $inc: { rev: 1 } }).catch((error: unknown) => {
      const isTaken = isDuplicate(error) || (error instanceof AppError && error.reason === 'already_exists');
      throw isTaken ? new AppError('wrong_passkey') : error;
    });
  }
}
