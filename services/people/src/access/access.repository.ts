import { Injectable } from '@nestjs/common';
import { type Environment, listKeys, type Page } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { asSystem, Databases, type ListRequest, Repository } from '@swim/mongo';
import { CursorCodec } from '@swim/platform';
import mongoose from 'mongoose';
import { type KeyDocument, keySchema, type Verifier } from './key.schema.js';

const MOST_UNTOLD = 200;

const lookUp = (env: Environment) => asSystem(env, 'a key is looked up before it is known whose it is');
const telling = (env: Environment) => asSystem(env, 'gateways hear of the keys of all accounts');

@Injectable()
export class AccessRepository extends Repository<KeyDocument> {
  constructor(
    private readonly databases: Databases,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('api_keys', keySchema));
  }

  /** Now, by the database: no replica's clock decides whether a key has expired. */
  now(): Date {
    return this.databases.clock.now();
  }

  async findById(env: Environment, keyId: string): Promise<KeyDocument | null> {
    return this.findOne(lookUp(env), { _id: keyId });
  }

  /** A key of the caller's account. */
  async findOwned({ principal }: Call, keyId: string): Promise<KeyDocument | null> {
    return this.findOne(principal, { _id: keyId, accountId: principal.accountId });
  }

  /** The account's keys, newest first. */
  async list({ principal }: Call, asked: ListRequest): Promise<Page<KeyDocument>> {
    const { accountId, env } = principal;
    const bound = { list: listKeys.name, accountId, env, filters: { accountId } };
    return this.page(principal, { accountId }, { order: 'newest', asked, cursors: this.cursors, bound });
  }

  /** How many keys of the caller's account are active, counted no further than `limit`. */
  async countActive({ principal }: Call, limit: number): Promise<number> {
    const endsLater = [{ expiresAt: null }, { expiresAt: mongoose.trusted({ $gt: this.now() }) }];
    const active = { accountId: principal.accountId, revokedAt: null, $or: endsLater };
    return (await this.findMany(principal, active, {}, limit)).length;
  }

  /** Stores a key; false when its id exists. */
  async insert(env: Environment, key: KeyDocument): Promise<boolean> {
    return this.tryInsert(lookUp(env), key);
  }

  /** Takes a key back that nobody has been told of. */
  async discard(env: Environment, keyId: string): Promise<void> {
    await this.remove(lookUp(env), { _id: keyId });
  }

  /** Replaces what a key is verified by, if that still is what was read. */
  async markRehashed(
    env: Environment,
    { _id, hash }: Pick<KeyDocument, '_id' | 'hash'>,
    verifier: Verifier,
  ): Promise<boolean> {
    return this.update(lookUp(env), { _id, hash }, { $set: verifier });
  }

  /** Notes a use, unless another replica noted one meanwhile. */
  async markUsed(
    env: Environment,
    { _id, lastUsedAt }: Pick<KeyDocument, '_id' | 'lastUsedAt'>,
    usedAt: Date,
  ): Promise<void> {
    await this.update(lookUp(env), { _id, lastUsedAt }, { $set: { lastUsedAt: usedAt } });
  }

  /** Changes a key that is not revoked, and puts the news of it into its outbox; false when it is revoked. */
  async markChanged(
    { principal }: Call,
    keyId: string,
    set: Partial<Pick<KeyDocument, 'name' | 'scopes' | 'ipAllowlist' | 'revokedAt'>>,
  ): Promise<boolean> {
    return this.update(principal, { _id: keyId, revokedAt: null }, this.withNews(set));
  }

  /** Gives a key its successor and its end, in one write with the news; false when it has another one or is revoked. */
  async markRolled({ principal }: Call, keyId: string, rolledTo: string, expiresAt: Date): Promise<boolean> {
    const unrolled = { _id: keyId, revokedAt: null, rolledTo: null };
    return this.update(principal, unrolled, this.withNews({ rolledTo, expiresAt }));
  }

  /** Keys whose latest news have waited since before this time. */
  async findUntold(env: Environment, before: Date): Promise<KeyDocument[]> {
    return this.findMany(telling(env), { untoldSince: { $lt: before } }, {}, MOST_UNTOLD);
  }

  /** Empties a key's outbox, unless there are later news. */
  async markTold(env: Environment, { _id, newsCount }: Pick<KeyDocument, '_id' | 'newsCount'>): Promise<void> {
    await this.update(telling(env), { _id, newsCount }, { $unset: { untoldSince: 1 } });
  }

  private withNews(set: Partial<KeyDocument>): object {
    return { $set: { ...set, untoldSince: this.now() }, $inc: { newsCount: 1 } };
  }
}
