import { Injectable } from '@nestjs/common';
import { listKeys, type Page } from '@swim/contracts';
import { asSystem, Databases, type ListQuery, onceFor, Repository } from '@swim/mongo';
import { CursorCodec, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { type KeyDocument, type KeyRights, keySchema, type Verifier } from './key.schema.js';

// The change itself publishes it before.
const GRACE_MS = 2_000;

const lookUp = asSystem('a key is looked up before its account is known');
const PUBLISHING = 'gateways consume key invalidations of all accounts';
const publishing = asSystem(PUBLISHING);

/** The fields that identify a revision of a key. */
type Revision = Pick<KeyDocument, '_id' | 'invalidations'>;

// In a query null also matches a missing field.
const unmoved = ({ _id, invalidations }: Revision) => ({ _id, invalidations: invalidations ?? null, revokedAt: null });

@Injectable()
export class AccessRepository extends Repository<KeyDocument> {
  /** Keys whose latest invalidation is not published. */
  readonly unpublished = this.work({
    name: 'key invalidations',
    due: 'unpublishedSince',
    reason: PUBLISHING,
    now: () => this.databases.clock.inMs(-GRACE_MS),
  });

  constructor(
    private readonly databases: Databases,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('api_keys', keySchema));
  }

  /** Now, by the database's clock: no replica's clock decides whether a key has expired. */
  now(): Date {
    return this.databases.clock.now();
  }

  async findById(keyId: string): Promise<KeyDocument | null> {
    return this.lookUp(lookUp, keyId);
  }

  /** A key of the requesting account. */
  async findOwned({ principal }: RequestContext, keyId: string): Promise<KeyDocument | null> {
    const key = await this.lookUp(principal, keyId);
    return key?.accountId === principal.accountId ? key : null;
  }

  /** The account's keys, newest first. */
  async list({ principal }: RequestContext, query: ListQuery): Promise<Page<KeyDocument>> {
    const filter = { accountId: principal.accountId };
    return this.listPage(principal, query, {
      name: listKeys.name,
      filter,
      mayLackUpdatedAt: true,
      cursors: this.cursors,
    });
  }

  /** How many keys of the requesting account are active, counted up to `limit`. */
  async countActive({ principal }: RequestContext, limit: number): Promise<number> {
    const endsLater = [{ expiresAt: null }, { expiresAt: mongoose.trusted({ $gt: this.now() }) }];
    const active = { accountId: principal.accountId, revokedAt: null, $or: endsLater };
    return (await this.findMany(principal, active, {}, limit)).length;
  }

  /** Stores a key; false when its id exists. */
  async insert(key: KeyDocument): Promise<boolean> {
    return this.tryInsert(lookUp, key);
  }

  /** Removes a key whose text was never returned, unless another run of the same request has stored its own text. */
  async discard({ _id, hash }: Pick<KeyDocument, '_id' | 'hash'>): Promise<void> {
    await this.remove(lookUp, { _id, hash });
  }

  /** Replaces the verifier of a key, if it is still the one that was read. */
  async markRehashed(
    { _id, hash }: Pick<KeyDocument, '_id' | 'hash'>,
    verifier: Verifier & Partial<KeyRights>,
  ): Promise<boolean> {
    return this.update(lookUp, { _id, hash }, { $set: verifier });
  }

  /** Records a use, unless another replica recorded one meanwhile. */
  async markUsed({ _id, lastUsedAt }: Pick<KeyDocument, '_id' | 'lastUsedAt'>, usedAt: Date): Promise<void> {
    await this.update(lookUp, { _id, lastUsedAt }, { $set: { lastUsedAt: usedAt } });
  }

  /**
   * Changes a key with its key invalidation in its outbox, once for the request; false when it is revoked, or has changed since it was
   * read.
   */
  async markChanged(context: RequestContext, read: Revision, set: Partial<KeyRights>): Promise<boolean> {
    const { filter, update } = onceFor(context, { filter: unmoved(read), update: this.withInvalidation(set) });
    return this.update(context.principal, filter, update);
  }

  /**
   * Restores the former values of the set fields, with a key invalidation, and that the request has not changed the key; fields that were
   * changed since stay.
   */
  async markRestored(
    { principal, opId, opSeed }: RequestContext,
    former: KeyDocument,
    set: Partial<KeyRights>,
  ): Promise<void> {
    for (const field of Object.keys(set) as (keyof KeyRights)[]) {
      const asSet = { _id: former._id, revokedAt: null, [field]: { $eq: set[field] } };
      const restored = this.withInvalidation({ [field]: former[field] });
      await this.update(principal, asSet, { ...restored, $pull: { ops: { id: opId, seed: opSeed } } });
    }
  }

  /** Revokes a key, whatever its revision, with a key invalidation; does nothing when it is revoked. */
  async markRevoked({ principal }: RequestContext, keyId: string, revokedAt: Date): Promise<void> {
    await this.update(principal, { _id: keyId, revokedAt: null }, this.withInvalidation({ revokedAt }));
  }

  /**
   * Sets the successor and the end of a key, in one write with the key invalidation; false when it has another successor, is
   * revoked, or has changed since it was read.
   */
  async markRolled({ principal }: RequestContext, read: Revision, rolledTo: string, expiresAt: Date): Promise<boolean> {
    return this.update(principal, { ...unmoved(read), rolledTo: null }, this.withInvalidation({ rolledTo, expiresAt }));
  }

  /** The account's keys that are not revoked. */
  findUnrevoked(accountId: string): Promise<KeyDocument[]> {
    return this.findMany(publishing, { accountId, revokedAt: null });
  }

  /** The account's keys that a user has made, and that are not revoked. */
  findMadeBy(accountId: string, madeBy: string): Promise<KeyDocument[]> {
    return this.findMany(publishing, { accountId, madeBy, revokedAt: null });
  }

  /** The account's keys with an unpublished key invalidation. */
  findUnpublishedOf(accountId: string): Promise<KeyDocument[]> {
    return this.findMany(publishing, { accountId, unpublishedSince: { $ne: null } });
  }

  /** Changes one of an account's keys together with all others, with a key invalidation; does nothing when it is revoked. */
  async markEach(keyId: string, set: { revokedAt?: Date }): Promise<void> {
    await this.update(publishing, { _id: keyId, revokedAt: null }, this.withInvalidation(set));
  }

  /** Empties a key's outbox, unless there is a later key invalidation. */
  async markPublished({ _id, invalidations }: Pick<KeyDocument, '_id' | 'invalidations'>): Promise<void> {
    await this.update(publishing, { _id, invalidations }, { $unset: { unpublishedSince: 1 } });
  }

  private withInvalidation(set: Partial<KeyDocument>): object {
    const now = this.now();
    return { $set: { ...set, updatedAt: now, unpublishedSince: now }, $inc: { invalidations: 1 } };
  }
}
