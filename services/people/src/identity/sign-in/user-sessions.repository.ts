import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import type { Challenge } from '../second-factors/passkeys.service.js';
import { FORMER_VALID_MS } from './session.rules.js';
import { type UserSessionDocument, userSessionSchema } from './user-session.schema.js';

const MOST_SESSIONS = 1_000;
// The change itself publishes it before.
const GRACE_MS = 2_000;
const REASON = 'a session is found by its cookie, and ended with its user';
const SCOPE = asSystem('live', REASON);

/** What a rotation changes besides the cookie. */
export interface Rotation {
  /** Whether the user was there just now. */
  isConfirmed?: boolean;
  /** The account to which the session switches. */
  accountId?: string;
}

/** Storage of the sessions of users. */
@Injectable()
export class UserSessionsRepository extends Repository<UserSessionDocument> {
  /** Sessions whose latest invalidation is not published. */
  readonly unpublished = this.work({
    name: 'session invalidations',
    due: 'unpublishedSince',
    reason: REASON,
    environments: ['live'],
    now: () => this.databases.clock.inMs(-GRACE_MS),
  });

  constructor(private readonly databases: Databases) {
    super(databases.userCollection('user_sessions', userSessionSchema));
  }

  /** Now, by the database's clock: no replica's clock decides whether a session has expired. */
  now(): Date {
    return this.databases.clock.now();
  }

  find(sessionId: string): Promise<UserSessionDocument | null> {
    return this.lookUp(SCOPE, sessionId);
  }

  async insert(session: UserSessionDocument): Promise<void> {
    await this.tryInsert(SCOPE, session);
  }

  /** Records a use, unless another replica recorded one meanwhile. */
  async markUsed({ _id, lastUsedAt }: UserSessionDocument, now: Date, expiresAt: Date): Promise<void> {
    await this.update(SCOPE, { _id, lastUsedAt, revokedAt: null }, { $set: { lastUsedAt: now, expiresAt } });
  }

  /** Replaces the hash of a cookie, if that is still its current one, and what else it sets; returns whether it was. */
  rotate({ _id, hash, accountId: former }: UserSessionDocument, next: string, how: Rotation): Promise<boolean> {
    const now = this.now();
    const formerUntil = new Date(now.getTime() + FORMER_VALID_MS);
    const { isConfirmed = false, accountId = former } = how;
    const confirmed = isConfirmed ? { confirmedAt: now } : {};
    const bound = { accountId, readers: [accountId], formerAccountId: former };
    const change = { $set: { hash: next, formerHash: hash, formerUntil, rotatedAt: now, ...bound, ...confirmed } };
    return this.update(SCOPE, { _id, hash, revokedAt: null }, change);
  }

  /** Sets what a passkey has to sign that confirms a session. */
  async setChallenge(_id: string, challenge: Challenge): Promise<void> {
    await this.update(SCOPE, { _id }, { $set: { challenge } });
  }

  /** Removes a challenge that is answered; false when another request has answered it, or it was replaced. */
  takeChallenge(_id: string, { value }: Challenge): Promise<boolean> {
    return this.update(SCOPE, { _id, 'challenge.value': value }, { $set: { challenge: null } });
  }

  /** The active sessions of a user, newest first. */
  findActive(userId: string): Promise<UserSessionDocument[]> {
    const active = { userId, revokedAt: null, expiresAt: { $gt: this.now() } };
    return this.findMany(SCOPE, active, { _id: -1 }, MOST_SESSIONS);
  }

  /** The sessions of an account that are not revoked. */
  findUnrevokedOf(accountId: string): Promise<UserSessionDocument[]> {
    return this.findMany(SCOPE, { accountId, revokedAt: null }, {}, MOST_SESSIONS);
  }

  /** Revokes a session, or with `false` only invalidates cached verdicts on it; does nothing when it is revoked. */
  async invalidate(sessionId: string, isRevoked: boolean): Promise<boolean> {
    const now = this.now();
    const change = {
      $set: { ...(isRevoked ? { revokedAt: now } : {}), unpublishedSince: now },
      $inc: { invalidations: 1 },
    };
    return this.update(SCOPE, { _id: sessionId, revokedAt: null }, change);
  }

  /** Has a session get another cookie with the next page of its user. */
  async markRotationDue(sessionId: string): Promise<void> {
    await this.update(SCOPE, { _id: sessionId, revokedAt: null }, { $set: { rotatedAt: new Date(0) } });
  }

  /** Empties a session's outbox, unless there is a later invalidation. */
  async markPublished({ _id, invalidations }: UserSessionDocument): Promise<void> {
    await this.update(SCOPE, { _id, invalidations }, { $unset: { unpublishedSince: 1 } });
  }

  /** Removes the sessions of a user, of an account, or of a user in an account. */
  async removeAllOf(of: { userId?: string; accountId?: string }): Promise<void> {
    await this.model(SCOPE).deleteMany(of, { asSystem: 'a user is removed' } as object);
  }
}
