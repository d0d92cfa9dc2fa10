import { Injectable } from '@nestjs/common';
import { asSystem, Databases, doneOp, onceFor, Repository } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { type CalendarTokenDocument, calendarTokenSchema } from './calendar-token.schema.js';

const presented = asSystem('a token is verified before anything is read in its name');

/** Storage of the tokens of calendar feeds. */
@Injectable()
export class CalendarTokensRepository extends Repository<CalendarTokenDocument> {
  constructor(databases: Databases) {
    super(databases.collection('calendar_tokens', calendarTokenSchema));
  }

  /** The token of a feed, for any account; null without one. */
  find(ownerId: string): Promise<CalendarTokenDocument | null> {
    return this.lookUp(presented, ownerId);
  }

  /** Stores a token in place of the one before it, once for the request; false when another account has one. */
  async replace(context: RequestContext, token: CalendarTokenDocument): Promise<boolean> {
    const { hash, createdAt, actingSchoolId } = token;
    const update = { $set: { hash, createdAt, actingSchoolId } };
    if (await this.changeOwn(context, token._id, { update }, createdAt)) return true;
    const first = { ...token, ops: doneOp(context, createdAt) };
    return this.tryInsert(context.principal, first, context.deadline);
  }

  /** Stores the hash of the same token under another key, unless it has changed since. */
  async rehash({ _id, hash: former }: CalendarTokenDocument, hash: string): Promise<void> {
    await this.update(presented, { _id, hash: former }, { $set: { hash } });
  }

  /** Ends the token that the account has made for a feed, once for the request; returns whether there was one. */
  endOf(context: RequestContext, ownerId: string): Promise<boolean> {
    const valid = { hash: { $ne: null } };
    return this.changeOwn(context, ownerId, { filter: valid, update: { $set: { hash: null } } });
  }

  /** Removes the token of an erased member's feed. Idempotent. */
  async removeErased(memberId: string): Promise<void> {
    await this.remove(asSystem('an erasure ends the feed of the member'), { _id: memberId });
  }

  private changeOwn(
    context: RequestContext,
    _id: string,
    { filter: asRead = {}, update: change }: { filter?: object; update: { $set: object } },
    answer: unknown = null,
  ): Promise<boolean> {
    const { accountId, actingSchoolId } = context.principal;
    // A late request of the school changes no token that the account has made since.
    const own = { _id, accountId, ...(actingSchoolId && { actingSchoolId }), ...asRead };
    const { filter, update } = onceFor(context, { filter: own, update: change }, answer);
    return this.update({ accountId }, filter, update, context.deadline);
  }
}
