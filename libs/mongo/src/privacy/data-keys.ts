import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { Cipher, type WrappedKey } from '@swim/platform';
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

const scopeOf = (env: Environment) => asSystem(env, 'access to the encrypted document was checked before');

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
    const { master } = wrapping;
    if (master !== undefined) migrations.register(this.rewrapping(master));
  }

  /** For reading: null when there is no key, or it was destroyed. */
  async find(env: Environment, owner: KeyOwner): Promise<Cipher | null> {
    return this.recall(env, owner) ?? this.unwrap(env, owner, await this.lookUp(scopeOf(env), owner.id));
  }

  /**
   * For writing: creates a missing key; of several concurrent calls the first wins. Null when it was destroyed: nothing may be
   * stored.
   */
  async obtain(env: Environment, owner: KeyOwner): Promise<Cipher | null> {
    const known = this.recall(env, owner);
    if (known) return known;
    const stored = (await this.lookUp(scopeOf(env), owner.id)) ?? (await this.insertFirst(env, owner));
    return this.unwrap(env, owner, stored);
  }

  /** Destroys the key of a member or account permanently. Idempotent. */
  async destroy(env: Environment, id: string): Promise<void> {
    this.forget(env, id);
    const now = this.databases.clock.now();
    const gone = { $set: { destroyedAt: now }, $unset: { wrapped: 1, master: 1 } };
    const isDestroyed =
      (await this.update(scopeOf(env), { _id: id }, gone)) ||
      (await this.tryInsert(scopeOf(env), { _id: id, readers: [], createdAt: now, destroyedAt: now }));
    // A concurrent call has created it.
    if (!isDestroyed) await this.update(scopeOf(env), { _id: id }, gone);
    this.forget(env, id);
  }

  /** The members among these whose key was not destroyed, including those without a key. */
  async findUndestroyed(env: Environment, ids: readonly string[]): Promise<string[]> {
    const of = { _id: { $in: [...ids] }, destroyedAt: { $exists: true } };
    const gone = new Set((await this.findPicked(scopeOf(env), of, [], { limit: ids.length })).map(({ _id }) => _id));
    return ids.filter((id) => !gone.has(id));
  }

  /** Wraps all keys with the current master key after a rotation, so that the old one can be removed. */
  private rewrapping(master: string): DataMigration {
    return { name: `rewrap-under-${master}`, migrate: (env, after) => this.rewrapBatch(env, master, after) };
  }

  private async rewrapBatch(env: Environment, master: string, after: string): Promise<MigratedBatch> {
    const otherwise = { _id: { $gt: after }, master: { $exists: true, $ne: master } };
    const found = await this.findMany(scopeOf(env), otherwise, { _id: 1 }, BATCH);
    for (const { _id, wrapped = '', master: old = '' } of found) {
      const owner = { id: _id, accountId: '' };
      const key = await this.wrapping.unwrap(env, owner, { wrapped, master: old });
      if (key) await this.update(scopeOf(env), { _id, wrapped }, { $set: await this.wrapping.wrap(env, owner, key) });
    }
    return { last: found.at(-1)?._id ?? null, changed: found.length };
  }

  private async insertFirst(env: Environment, owner: KeyOwner): Promise<DataKeyDocument | null> {
    const wrapped = await this.wrapping.wrap(env, owner, randomBytes(32));
    const fresh = { _id: owner.id, readers: [], ...wrapped, createdAt: this.databases.clock.now() };
    return (await this.tryInsert(scopeOf(env), fresh)) ? fresh : this.lookUp(scopeOf(env), owner.id);
  }

  private async unwrap(env: Environment, owner: KeyOwner, stored: DataKeyDocument | null): Promise<Cipher | null> {
    if (!stored?.wrapped) return null;
    const { wrapped, master } = stored;
    const key = await this.wrapping.unwrap(env, owner, { wrapped, ...(master === undefined ? {} : { master }) });
    if (key === null) return null;
    const cipher = new Cipher(key);
    this.remember(env, owner, cipher);
    return cipher;
  }

  private recall(env: Environment, { id }: KeyOwner): Cipher | null {
    const known = this.remembered.get(`${env}|${id}`);
    return known && known.untilMs > performance.now() ? known.cipher : null;
  }

  private remember(env: Environment, { id }: KeyOwner, cipher: Cipher): void {
    const name = `${env}|${id}`;
    // A key wrapped by another key is lost with that one; and one may have been read before it was destroyed here.
    if (this.wrapping.master === undefined || this.destroyed.has(name)) return;
    this.remembered.delete(name);
    this.remembered.set(name, { cipher, untilMs: performance.now() + REMEMBERED_MS });
    if (this.remembered.size > MOST_REMEMBERED) this.remembered.delete(this.remembered.keys().next().value!);
  }

  private forget(env: Environment, id: string): void {
    this.remembered.delete(`${env}|${id}`);
    this.destroyed.add(`${env}|${id}`);
    if (this.destroyed.size > MOST_REMEMBERED) this.destroyed.delete(this.destroyed.values().next().value!);
  }
}
