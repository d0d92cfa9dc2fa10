import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import type { Deadline } from '@swim/platform';
import { type CalendarTokenDocument, calendarTokenSchema } from './calendar-token.schema.js';

const presented = (env: Environment) => asSystem(env, 'a token is verified before anything is read in its name');

/** Storage of the tokens of calendar feeds. */
@Injectable()
export class CalendarTokensRepository extends Repository<CalendarTokenDocument> {
  constructor(databases: Databases) {
    super(databases.collection('calendar_tokens', calendarTokenSchema));
  }

  /** The token of a feed, for any account; null without one. */
  find(env: Environment, ownerId: string): Promise<CalendarTokenDocument | null> {
    return this.lookUp(presented(env), ownerId);
  }

  /**
   * Stores a token in place of one that was made before it; returns whether it did. A run that another has superseded has an
   * earlier time, and changes nothing.
   */
  async replace(env: Environment, token: CalendarTokenDocument, deadline: Deadline): Promise<boolean> {
    const { _id, accountId, hash, createdAt } = token;
    const scope = { env, accountId };
    if (await this.tryInsert(scope, token, deadline)) return true;
    const earlier = { _id, accountId, createdAt: { $lt: createdAt } };
    return this.update(scope, earlier, { $set: { hash, createdAt } }, deadline);
  }

  /** Stores the hash of the same token under another key, unless it has changed since. */
  async rehash(env: Environment, { _id, hash: former }: CalendarTokenDocument, hash: string): Promise<void> {
    await this.update(presented(env), { _id, hash: former }, { $set: { hash } });
  }

  /** Removes the token that an account has made for a feed; returns whether there was one. */
  removeOf(env: Environment, accountId: string, ownerId: string): Promise<boolean> {
    return this.remove({ env, accountId }, { _id: ownerId, accountId });
  }

  /** Removes the token of an erased member's feed. Idempotent. */
  async removeErased(env: Environment, memberId: string): Promise<void> {
    await this.remove(asSystem(env, 'an erasure ends the feed of the member'), { _id: memberId });
  }
}
