import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import type { WrappedKey } from '@swim/platform';
import { sharedClock } from '@swim/platform';
import { type DataKeyDocument, dataKeySchema } from './data-key.schema.js';

const ofReadable = asSystem('access was checked when the member was read');
const ofAll = asSystem('the key of every account is wrapped under the same master');

@Injectable()
export class PrivacyRepository extends Repository<DataKeyDocument> {
  constructor(databases: Databases) {
    super(databases.collection('data_keys', dataKeySchema));
  }

  async findWrapped(accountId: string): Promise<WrappedKey | null> {
    return this.lookUp(ofReadable, accountId);
  }

  /** Stores the first key of an account and returns the stored one: of several concurrent calls the first wins. */
  async insertFirst(accountId: string, key: Required<WrappedKey>): Promise<WrappedKey> {
    const document = { _id: accountId, readers: [accountId], ...key, createdAt: sharedClock.now() };
    if (await this.tryInsert(ofReadable, document)) return key;
    const known = await this.findWrapped(accountId);
    if (known === null) throw new Error('A data key vanished while it was read.');
    return known;
  }

  /** Destroys the key of an account: data that it encrypted are unreadable, in older backups too. */
  async destroy(accountId: string): Promise<void> {
    await this.remove(ofReadable, { _id: accountId });
  }

  /** Keys that are not wrapped by this master key, in order of account, after this one. */
  findOtherwiseWrapped(master: string, after: string, limit: number): Promise<DataKeyDocument[]> {
    return this.findMany(ofAll, { master: { $ne: master }, _id: { $gt: after } }, { _id: 1 }, limit);
  }

  /** Replaces the wrapping of a key; does nothing when it has changed since it was read. */
  async replaceWrapping({ _id, wrapped }: DataKeyDocument, anew: Required<WrappedKey>): Promise<void> {
    await this.update(ofAll, { _id, wrapped }, { $set: anew });
  }
}
