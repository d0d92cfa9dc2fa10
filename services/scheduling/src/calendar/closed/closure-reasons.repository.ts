import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type ClosureDocument, closureSchema } from './closure.schema.js';

/** Why time is closed, for those whose request it stands in the way of. Days have the id of the closure alone. */
@Injectable()
export class ClosureReasonsRepository extends Repository<ClosureDocument> {
  constructor(databases: Databases) {
    super(databases.collection('closures', closureSchema));
  }

  /** Empty for a closure that has just been removed. */
  async find(closureId: string): Promise<string> {
    const closure = await this.lookUp(asSystem('everyone may know why time is closed'), closureId);
    return closure?.reason ?? '';
  }
}
