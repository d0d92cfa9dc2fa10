import { Injectable } from '@nestjs/common';
import { type Environment, listKeys, type Page } from '@swim/contracts';
import { asSystem, Databases, type ListRequest, Repository } from '@swim/mongo';
import { CursorCodec, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { type KeyDocument, type KeyRights, keySchema, type Verifier } from './key.schema.js';

const MOST_UNPUBLISHED = 200;

const lookUp = (env: Environment) => asSystem(env, 'a key is looked up before it is known whose it is');
const publishing = (env: Environment) => asSystem(env, 'gateways hear of the keys of all accounts');

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
  async findOwned({ principal }: RequestContext, keyId: string): Promise<KeyDocument | null> {
    return this.findOne(principal, { _id: keyId, accountId: principal.accountId });
  }

  /** The account's keys, newest first. */
  async list({ principal }: RequestContext, request: ListRequest): Promise<Page<KeyDocument>> {
    const { accountId, env } = principal;
    const bound = { list: listKeys.name, accountId, env, filters: { accountId } };
    return this.page(principal, { accountId }, { order: 'newest', request, cursors: this.cursors, bound });
  }

  /** How many keys of the caller's account are active, counted no further than `limit`. */
  async countActive({ principal }: RequestContext, limit: number): Promise<number> {
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
    verifier: Verifier & Partial<KeyRights>,
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
  async markChanged({ principal }: RequestContext, read: Revision, set: Partial<KeyRights>): Promise<boolean> {
    return this.update(principal, unmoved(read), this.withInvalidation(set));
  }

  /** Gives a key back what it had, of what was set, with the news; what has been set otherwise meanwhile stays. */
  async markRestored({ principal }: RequestContext, former: KeyDocument, set: Partial<KeyRights>): Promise<void> {
    for (const field of Object.keys(set) as (keyof KeyRights)[]) {
      const asSet = { _id: former._id, revokedAt: null, [field]: { $eq: set[field] } };
      await this.update(principal, asSet, this.withInvalidation({ [field]: former[field] }));
    }
  }

  /** Ends a key, whatever has become of it, with the news; nothing when it is revoked. */
  async markRevoked({ principal }: RequestContext, keyId: string, revokedAt: Date): Promise<void> {
    await this.update(principal, { _id: keyId, revokedAt: null }, this.withInvalidation({ revokedAt }));
  }

  /**
   * Gives a key its successor and its end, in one write with the news; false when it has another one, is revoked, or is not
   * what was read any more.
   */
  async markRolled({ principal }: RequestContext, read: Revision, rolledTo: string, expiresAt: Date): Promise<boolean> {
    return this.update(principal, { ...unmoved(read), rolledTo: null }, this.withInvalidation({ rolledTo, expiresAt }));
  }

  /** The account's keys that nobody has ended. */
  findUnrevoked(env: Environment, accountId: string): Promise<KeyDocument[]> {
    return this.findMany(publishing(env), { accountId, revokedAt: null });
  }

  /** The account's keys of which gateways have yet to be told. */
  findUnpublishedOf(env: Environment, accountId: string): Promise<KeyDocument[]> {
    return this.findMany(publishing(env), { accountId, untoldSince: { $ne: null } });
  }

  /** Changes one of an account's keys together with all others, with the news; nothing when it is revoked. */
  async markEach(env: Environment, keyId: string, set: { revokedAt?: Date }): Promise<void> {
    await this.update(publishing(env), { _id: keyId, revokedAt: null }, this.withInvalidation(set));
  }

  /** Keys whose latest news have waited since before this time. */
  async findUnpublished(env: Environment, before: Date): Promise<KeyDocument[]> {
    return this.findMany(publishing(env), { untoldSince: { $lt: before } }, { untoldSince: 1 }, MOST_UNPUBLISHED);
  }

  /** Puts off telling a key's news again, unless there are later news. */
  async postponeInvalidation(env: Environment, { _id, newsCount }: KeyDocument, delayMs: number): Promise<void> {
    const untoldSince = new Date(this.now().getTime() + delayMs);
    await this.update(publishing(env), { _id, newsCount, untoldSince: { $ne: null } }, { $set: { untoldSince } });
  }

  /** Empties a key's outbox, unless there are later news. */
  async markPublished(env: Environment, { _id, newsCount }: Pick<KeyDocument, '_id' | 'newsCount'>): Promise<void> {
    await this.update(publishing(env), { _id, newsCount }, { $unset: { untoldSince: 1 } });
  }

  private withInvalidation(set: Partial<KeyDocument>): object {
    return { $set: { ...set, untoldSince: this.now() }, $inc: { newsCount: 1 } };
  }
}
