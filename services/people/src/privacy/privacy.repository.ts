import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import type { WrappedKey } from '@swim/platform';
import { sharedClock } from '@swim/platform';
import { type DataKeyDocument, dataKeySchema } from './data-key.schema.js';

const ofReadable = (env: Environment) => asSystem(env, 'whoever may read a member may have its data decrypted');
const ofAll = (env: Environment) => asSystem(env, 'the key of every account is wrapped under the same master');

@Injectable()
export class PrivacyRepository extends Repository<DataKeyDocument> {
  constructor(databases: Databases) {
    super(databases.collection('data_keys', dataKeySchema));
  }

  async findWrapped(env: Environment, accountId: string): Promise<WrappedKey | null> {
    return this.lookUp(ofReadable(env), accountId);
  }

  /** Stores the first key of an account and answers the one that counts: of several racers the first. */
  async insertFirst(env: Environment, accountId: string, key: Required<WrappedKey>): Promise<WrappedKey> {
    const document = { _id: accountId, readers: [accountId], ...key, createdAt: sharedClock.now() };
    if (await this.tryInsert(ofReadable(env), document)) return key;
    const known = await this.findWrapped(env, accountId);
    if (known === null) throw new Error('A data key vanished while it was read.');
    return known;
  }

  /** Destroys the key of an account: what it encrypts can be read no more, in older backups of the data either. */
  async destroy(env: Environment, accountId: string): Promise<void> {
    await this.remove(ofReadable(env), { _id: accountId });
  }

  /** Keys that are not wrapped under this master, in the order of their accounts, from after one on. */
  findOtherwiseWrapped(env: Environment, master: string, after: string, limit: number): Promise<DataKeyDocument[]> {
    return this.findMany(ofAll(env), { master: { $ne: master }, _id: { $gt: after } }, { _id: 1 }, limit);
  }

  /** Puts the same key, wrapped anew, in the place of what was read; nothing when that is not there any more. */
  async replaceWrapping(
    env: Environment,
    { _id, wrapped }: DataKeyDocument,
    anew: Required<WrappedKey>,
  ): Promise<void> {
    await this.update(ofAll(env), { _id, wrapped }, { $set: anew });
  }
}
