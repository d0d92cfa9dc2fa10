import { Injectable } from '@nestjs/common';
import type { Page } from '@swim/contracts';
import { asSystem, Databases, type ListQuery, Repository } from '@swim/mongo';
import { CursorCodec, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { type UserLinkDocument, userLinkSchema } from './user-link.schema.js';

const MOST_DUE = 100;
const REASON = 'the token of a link names it';
const SCOPE = asSystem('live', REASON);

/** Storage of the links that are sent to users. */
@Injectable()
export class UserLinksRepository extends Repository<UserLinkDocument> {
  /** Links whose mail is to be sent. */
  readonly unsent = this.work({ name: 'links of users', due: 'mailDueAt', reason: REASON, environments: ['live'] });

  constructor(
    private readonly databases: Databases,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.userCollection('user_links', userLinkSchema));
  }

  /** Now, by the database's clock. */
  now(): Date {
    return this.databases.clock.now();
  }

  find(linkId: string): Promise<UserLinkDocument | null> {
    return this.lookUp(SCOPE, linkId);
  }

  async insert(link: UserLinkDocument): Promise<void> {
    await this.tryInsert(SCOPE, link);
  }

  /** Ends a link; false when it has ended, or was ended by a concurrent request. */
  end(linkId: string): Promise<boolean> {
    return this.update(SCOPE, { _id: linkId, endedAt: null }, { $set: { endedAt: this.now() } });
  }

  /** Ends the sign-ups of an address that were requested before this one. */
  async endSignUpsBefore(id: string, emailToken: string): Promise<void> {
    const earlier = { emailToken, purpose: 'sign_up', endedAt: null, _id: { $lt: id } };
    for (const { _id } of await this.findMany(SCOPE, earlier, { _id: -1 }, MOST_DUE)) await this.end(_id);
  }

  /** Ends the links to claim an account that were sent before this one. */
  async endClaimsBefore(id: string, accountId: string): Promise<void> {
    const earlier = { readers: accountId, purpose: 'claim', endedAt: null, _id: { $lt: id } };
    for (const { _id } of await this.findMany(SCOPE, earlier, { _id: -1 }, MOST_DUE)) await this.end(_id);
  }

  /** The open invitations of the requesting account, newest first. */
  listInvitations({ principal }: RequestContext, query: ListQuery): Promise<Page<UserLinkDocument>> {
    return this.listPage(principal, query, {
      name: 'invitations',
      filter: this.openInvitations(),
      cursors: this.cursors,
    });
  }

  /** The open invitations of an account, at most `limit`; with an id only this one. */
  findInvitations(accountId: string, limit: number, id?: string): Promise<UserLinkDocument[]> {
    const filter = { readers: accountId, ...this.openInvitations(), ...(id === undefined ? {} : { _id: id }) };
    return this.findMany(SCOPE, filter, { _id: 1 }, limit);
  }

  /** Removes the links of an account. */
  async removeAllOf(accountId: string): Promise<void> {
    await this.model(SCOPE).deleteMany({ readers: accountId }, { asSystem: 'an erasure' } as object);
  }

  private openInvitations() {
    return { purpose: 'invitation', endedAt: null, expiresAt: mongoose.trusted({ $gt: this.now() }) };
  }
}
