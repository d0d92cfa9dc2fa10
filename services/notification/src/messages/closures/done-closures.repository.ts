import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { sharedClock } from '@swim/platform';
import { type DoneClosure, doneClosureSchema } from './done-closure.schema.js';

const REASON = 'messages about closures of all schools are made together';

/** Storage of the closures about which messages are made. */
@Injectable()
export class DoneClosuresRepository extends Repository<DoneClosure> {
  readonly unwritten = this.work({ name: 'closure messages', due: 'dueAt', reason: REASON, leaseMs: 120_000 });

  constructor(databases: Databases) {
    super(databases.collection('done_closures', doneClosureSchema));
  }

  /** Stores a closure. Idempotent. */
  async add(_id: string, accountId: string): Promise<void> {
    const now = sharedClock.now();
    await this.tryInsert(asSystem(REASON), { _id, accountId, readers: [], dueAt: now, createdAt: now });
  }
}
