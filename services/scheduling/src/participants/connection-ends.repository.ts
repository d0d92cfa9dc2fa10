import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type ConnectionEnd, connectionEndSchema } from './connection-end.schema.js';

const SCOPE = asSystem('work of any account may have begun before the end');

/** Storage of the ends of connections. */
@Injectable()
export class ConnectionEndsRepository extends Repository<ConnectionEnd> {
  constructor(databases: Databases) {
    super(databases.collection('connection_ends', connectionEndSchema));
  }

  /** Stores an end, unless that of a later generation is stored; returns the stored one. Idempotent. */
  async keepLatest(end: ConnectionEnd): Promise<ConnectionEnd> {
    if (!(await this.tryInsert(SCOPE, end))) {
      const { _id, ...fields } = end;
      await this.update(SCOPE, { _id, generation: { $lt: end.generation } }, { $set: fields });
    }
    return (await this.lookUp(SCOPE, end._id)) ?? end;
  }

  findAll(ids: Iterable<string>): Promise<ConnectionEnd[]> {
    return this.lookUpAll(SCOPE, ids);
  }
}
