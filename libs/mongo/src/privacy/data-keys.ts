import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Cipher, currentEnvironment, type WrappedKey } from '@swim/platform';
import { Schema } from 'mongoose';
import { type DataMigration, DataMigrations, type MigratedBatch } from '../databases/data-migrations.js';
import { Databases } from '../databases/databases.js';
import { asSystem } from '../guard/tenant-guard.js';
import { Repository } from '../repository/repository.js';
import { KEY_WRAPPING, type KeyOwner, type KeyWrapping } from './key-wrapping.js';

/** Size and time to live of the cache of unwrapped keys: another replica may have destroyed one meanwhile. */
const MOST_REMEMBERED = 5_000;
const REMEMBERED_MS = 30_000;
const BATCH = 100;

/** A data key. A destroyed one keeps only that fact, so that no other key is created in its place. */
interface DataKeyDocument extends Partial<WrappedKey> {
  /** The member or account. */
  _id: string;
  readers: string[];
  createdAt: Date;
  destroyedAt?: Date;
}

const dataKeySchema = new Schema<DataKeyDocument>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    wrapped: String,
    master: String,
    createdAt: { type: Date, required: true },
    destroyedAt: Date,
  },
  { versionKey: false },
);

const SCOPE = asSystem('access to the encrypted document was checked before');

const wrappedOtherwise = (master: string, after: string) => ({
  _id: { $gt: after },
  master: { $exists: true, $ne: master },
});

/**
 * One key per member (or account), created with its first text and destroyed with its erasure. The keys are in a separate
 * database, whose backups are kept for days: older backups of the data are then unreadable.
 */
@Injectable()
export class DataKeys extends Repository<DataKeyDocument> {
  private readonly remembered = new Map<string, { cipher: Cipher; untilMs: number }>();
  private readonly destroyed = new Set<string>();

  constructor(
    private readonly databases: Databases,
    migrations: DataMigrations,
    @Inject(KEY_WRAPPING) private readonly wrapping: KeyWrapping,
  ) {
    super(databases.keyCollection('personal_keys', dataKeySchema));
    if (wrapping.master !== undefined) migrations.register(this.rewrapping());
  }

  /** For reading: null when there is no key, or it was destroyed. */
  async find(owner: KeyOwner): Promise<Cipher | null> {
    return this.recall(owner) ?? this.unwrap(owner, await this.lookUp(SCOPE, owner.id));
  }

  /**
   * For writing: creates a missing key; of several concurrent calls the first wins. Null when it was destroyed: nothing may be
   * stored.
   */
  async obtain(owner: KeyOwner): Promise<Cipher | null> {
    const known = this.recall(owner);
    if (known) return known;
    const stored = (await this.lookUp(SCOPE, owner.id)) ?? (await this.insertFirst(owner));
    return this.unwrap(owner, stored);
  }

  /** Destroys the key of a member or account permanently. Idempotent. */
  async destroy(id: string): Promise<void> {
    this.forget(id);
    const now = this.databases.clock.now();
    const gone = { $set: { destroyedAt: now }, $unset: { wrapped: 1, master: 1 } };
    const isDestroyed =
      (await this.update(SCOPE, { _id: id }, gone)) ||
      (await this.tryInsert(SCOPE, { _id: id, readers: [], createdAt: now, destroyedAt: now }));
    // A concurrent call has created it.
    if (!isDestroyed) await this.update(SCOPE, { _id: id }, gone);
    this.forget(id);
  }

  /** The members among these whose key was not destroyed, including those without a key. */
  async findUndestroyed(ids: readonly string[]): Promise<string[]> {
    const of = { _id: { $in: [...ids] }, destroyedAt: { $exists: true } };
    const gone = new Set((await this.findPicked(SCOPE, of, [], { limit: ids.length })).map(({ _id }) => _id));
    return ids.filter((id) => !gone.has(id));
  }

  /** Wraps all keys with the current master key after a rotation, also of a running process, so that the old one can be removed. */
  private rewrapping(): DataMigration {
    const { wrapping } = this;
    return {
      get name() {
        return `rewrap-under-${wrapping.master}`;
      },
      migrate: (after) => this.rewrapBatch(wrapping.master!, after),
      // A key that was current before may become so again.
      hasMore: async () => (await this.findMany(SCOPE, wrappedOtherwise(wrapping.master!, ''), {}, 1)).length > 0,
    };
  }

  private async rewrapBatch(master: string, after: string): Promise<MigratedBatch> {
    const found = await this.findMany(SCOPE, wrappedOtherwise(master, after), { _id: 1 }, BATCH);
    for (const { _id, wrapped = '', master: old = '' } of found) {
      const owner = { id: _id, accountId: '' };
      const key = await this.wrapping.unwrap(owner, { wrapped, master: old });
      if (key) await this.update(SCOPE, { _id, wrapped }, { $set: await this.wrapping.wrap(owner, key) });
    }
    return { last: found.at(-1)?._id ?? null, changed: found.length };
  }

  private async insertFirst(owner: KeyOwner): Promise<DataKeyDocument | null> {
    const wrapped = await this.wrapping.wrap(owner, randomBytes(32));
    const fresh = { _id: owner.id, readers: [], ...wrapped, createdAt: this.databases.clock.now() };
    return (await this.tryInsert(SCOPE, fresh)) ? fresh : this.lookUp(SCOPE, owner.id);
  }

  private async unwrap(owner: KeyOwner, stored: DataKeyDocument | null): Promise<Cipher | null> {
    if (!stored?.wrapped) return null;
    const { wrapped, master } = stored;
    const key = await this.wrapping.unwrap(owner, { wrapped, ...(master === undefined ? {} : { master }) });
    if (key === null) return null;
    const cipher = new Cipher(key);
    this.remember(owner, cipher);
    return cipher;
  }

  private recall({ id }: KeyOwner): Cipher | null {
    const known = this.remembered.get(`${currentEnvironment()}|${id}`);
    return known && known.untilMs > performance.now() ? known.cipher : null;
  }

  private remember({ id }: KeyOwner, cipher: Cipher): void {
    const name = `${currentEnvironment()}|${id}`;
    // A key wrapped by another key is lost with that one; and one may have been read before it was destroyed here.
    if (this.wrapping.master === undefined || this.destroyed.has(name)) return;
    this.remembered.delete(name);
    this.remembered.set(name, { cipher, untilMs: performance.now() + REMEMBERED_MS });
    if (this.remembered.size > MOST_REMEMBERED) this.remembered.delete(this.remembered.keys().next().value!);
  }

  private forget(id: string): void {
    const env = currentEnvironment();
    this.remembered.delete(`${env}|${id}`);
    this.destroyed.add(`${env}|${id}`);
    if (this.destroyed.size > MOST_REMEMBERED) this.destroyed.delete(this.destroyed.values().next().value!);
  }
}
