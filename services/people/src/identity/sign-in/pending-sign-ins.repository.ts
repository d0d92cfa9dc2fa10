import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import type { Challenge } from '../second-factors/passkeys.service.js';
import { type PendingSignInDocument, pendingSignInSchema } from './pending-sign-in.schema.js';

const SCOPE = asSystem('live', 'a sign-in is found by its cookie');

/** Storage of sign-ins that wait for a second factor. */
@Injectable()
export class PendingSignInsRepository extends Repository<PendingSignInDocument> {
  constructor(private readonly databases: Databases) {
    super(databases.userCollection('pending_sign_ins', pendingSignInSchema));
  }

  /** Now, by the database's clock. */
  now(): Date {
    return this.databases.clock.now();
  }

  find(id: string): Promise<PendingSignInDocument | null> {
    return this.lookUp(SCOPE, id);
  }

  async insert(pending: PendingSignInDocument): Promise<void> {
    await this.tryInsert(SCOPE, pending);
  }

  /** Counts a try; false when there were `limit` before it. */
  countTry(id: string, limit: number): Promise<boolean> {
    return this.update(SCOPE, { _id: id, tries: { $lt: limit } }, { $inc: { tries: 1 } });
  }

  /** Sets what a passkey has to sign; false when the sign-in has ended. */
  setChallenge(id: string, challenge: Challenge): Promise<boolean> {
    return this.update(SCOPE, { _id: id }, { $set: { challenge } });
  }

  /** Removes a challenge that is answered; false when another request has answered it, or it was replaced. */
  takeChallenge(id: string, { value }: Challenge): Promise<boolean> {
    return this.update(SCOPE, { _id: id, 'challenge.value': value }, { $set: { challenge: null } });
  }

  /** Ends a sign-in; false when another request has ended it. */
  end(id: string): Promise<boolean> {
    return this.remove(SCOPE, { _id: id });
  }
}
