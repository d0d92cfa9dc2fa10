import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import type { WrappedKey } from '@swim/platform';
import { sharedClock } from '@swim/platform';
import { type DataKeyDocument, dataKeySchema } from './data-key.schema.js';

const ofReadable = (env: Environment) => asSystem(env, 'access was checked when the member was read');
const ofAll = (env: Environment) => asSystem(env, 'the key of every account is wrapped under the same master');

@Injectable()
export class PrivacyRepository extends Repository<DataKeyDocument> {
  constructor(databases: Databases) {
    super(databases.collection('data_keys', dataKeySchema));
  }

  async findWrapped(env: Environment, accountId: string): Promise<WrappedKey | null> {
    return this.lookUp(ofReadable(env), accountId);
  }

  /** Stores the first key of an account and returns the stored one: of several concurrent calls the first wins. */
  async insertFirst(env: Environment, accountId: string, key: Required<WrappedKey>): Promise<WrappedKey> {
    const document = { _id: accountId, readers: [accountId], ...key, createdAt: sharedClock.now() };
    if (await this.tryInsert(ofReadable(env), document)) return key;
    const known = await this.findWrapped(env, accountId);
    if (known === null) throw new Error('A data key vanished while it was read.');
    return known;
  }

  /** Destroys the key of an account: data that it encrypted are unreadable, in older backups too. */
  async destroy(env: Environment, accountId: string): Promise<void> {
    await this.remove(ofReadable(env), { _id: accountId });
  }

  /** Keys that are not wrapped by this master key, in order of account, after this one. */
  findOtherwiseWrapped(env: Environment, master: string, after: string, limit: number): Promise<DataKeyDocument[]> {
    return this.findMany(ofAll(env), { master: { $ne: master }, _id: { $gt: after } }, { _id: 1 }, limit);
  }

  /** Replaces the wrapping of a key; does nothing when it has changed since it was read. */
  async replaceWrapping(
    env: Environment,
    { _id, wrapped }: DataKeyDocument,
    anew: Required<WrappedKey>,
  ): Promise<void> {
    await this.update(ofAll(env), { _id, wrapped }, { $set: anew });
  }
}
