import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type DataKeyDocument, dataKeySchema } from './data-key.schema.js';

const ofReadable = (env: Environment) => asSystem(env, 'whoever may read a member may have its data decrypted');

@Injectable()
export class PrivacyRepository extends Repository<DataKeyDocument> {
  constructor(databases: Databases) {
    super(databases.collection('data_keys', dataKeySchema));
  }

  async findWrapped(env: Environment, accountId: string): Promise<string | null> {
    return (await this.findOne(ofReadable(env), { _id: accountId }))?.wrapped ?? null;
  }

  /** Stores the first key of an account and answers the one that counts: of several racers the first. */
  async insertFirst(env: Environment, accountId: string, wrapped: string): Promise<string> {
    const document = { _id: accountId, readers: [accountId], wrapped, createdAt: new Date() };
    if (await this.tryInsert(ofReadable(env), document)) return wrapped;
    const known = await this.findWrapped(env, accountId);
    if (known === null) throw new Error('A data key vanished while it was read.');
    return known;
  }
}
