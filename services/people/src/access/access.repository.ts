import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type KeyDocument, keySchema } from './key.schema.js';

const lookUp = (env: Environment) => asSystem(env, 'a key is looked up before it is known whose it is');

@Injectable()
export class AccessRepository extends Repository<KeyDocument> {
  constructor(private readonly databases: Databases) {
    super(databases.collection('api_keys', keySchema));
  }

  /** Now, by the database: no replica's clock decides whether a key has expired. */
  now(): Date {
    return this.databases.clock.now();
  }

  async findById(env: Environment, keyId: string): Promise<KeyDocument | null> {
    return this.findOne(lookUp(env), { _id: keyId });
  }

  /** Stores a key; false when its id exists. */
  async insert(env: Environment, key: KeyDocument): Promise<boolean> {
    return this.tryInsert(lookUp(env), key);
  }

  /** Replaces what a key is verified by. */
  async markRehashed(
    env: Environment,
    keyId: string,
    { hash, pepperVersion, last4 }: Pick<KeyDocument, 'hash' | 'pepperVersion' | 'last4'>,
  ): Promise<void> {
    await this.update(lookUp(env), { _id: keyId }, { $set: { hash, pepperVersion, last4 } });
  }

  /** Notes a use, unless another replica noted one meanwhile. */
  async markUsed(
    env: Environment,
    { _id, lastUsedAt }: Pick<KeyDocument, '_id' | 'lastUsedAt'>,
    usedAt: Date,
  ): Promise<void> {
    await this.update(lookUp(env), { _id, lastUsedAt }, { $set: { lastUsedAt: usedAt } });
  }
}
