import { Injectable } from '@nestjs/common';
import { type Environment, listKeys, type Page } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { asSystem, Databases, type ListRequest, Repository } from '@swim/mongo';
import { CursorCodec } from '@swim/platform';
import mongoose from 'mongoose';
import { type KeyDocument, type KeyRights, keySchema, type Verifier } from './key.schema.js';

const MOST_UNTOLD = 200;

const lookUp = (env: Environment) => asSystem(env, 'a key is looked up before it is known whose it is');
const telling = (env: Environment) => asSystem(env, 'gateways hear of the keys of all accounts');

/** What tells a key that was read from the same one changed. */
type Revision = Pick<KeyDocument, '_id' | 'newsCount'>;

// Null is found where there is none, as well.
const unmoved = ({ _id, newsCount }: Revision) => ({ _id, newsCount: newsCount ?? null, revokedAt: null });

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
    return this.lookUp(lookUp(env), keyId);
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

  /** Takes a key back whose text nobody has been told: not one that another run of the same work has given its own. */
  async discard(env: Environment, { _id, hash }: Pick<KeyDocument, '_id' | 'hash'>): Promise<void> {
    await this.remove(lookUp(env), { _id, hash });
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

  /** Changes a key, and puts the news of it into its outbox; false when it is revoked, or not what was read any more. */
  async markChanged({ principal }: Call, read: Revision, set: Partial<KeyRights>): Promise<boolean> {
    return this.update(principal, unmoved(read), this.withNews(set));
  }

  /** Gives a key back what it had, of what was set, with the news; what has been set otherwise meanwhile stays. */
  async markRestored({ principal }: Call, former: KeyDocument, set: Partial<KeyRights>): Promise<void> {
    for (const field of Object.keys(set) as (keyof KeyRights)[]) {
      const asSet = { _id: former._id, revokedAt: null, [field]: { $eq: set[field] } };
      await this.update(principal, asSet, this.withNews({ [field]: former[field] }));
    }
  }

  /** Ends a key, whatever has become of it, with the news; nothing when it is revoked. */
  async markRevoked({ principal }: Call, keyId: string, revokedAt: Date): Promise<void> {
    await this.update(principal, { _id: keyId, revokedAt: null }, this.withNews({ revokedAt }));
  }

  /**
   * Gives a key its successor and its end, in one write with the news; false when it has another one, is revoked, or is not
   * what was read any more.
   */
  async markRolled({ principal }: Call, read: Revision, rolledTo: string, expiresAt: Date): Promise<boolean> {
    return this.update(principal, { ...unmoved(read), rolledTo: null }, this.withNews({ rolledTo, expiresAt }));
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
