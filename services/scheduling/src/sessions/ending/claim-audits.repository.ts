import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { Schema } from 'mongoose';

/** The position of an audit. */
export interface AuditPosition {
  _id: string;
  /** Id of the last claim that was checked; empty at the start of a round. */
  afterId: string;
  /** The next batch is due then, by the database's clock. */
  nextAt: Date;
}

const positionSchema = new Schema<AuditPosition>({ _id: String, afterId: String, nextAt: Date }, { versionKey: false });
const CLAIMS = 'claims';
const EVERY_MS = 10_000;
// Longer than a batch takes.
const BATCH_MS = 30_000;

const REASON = 'an audit goes through all claims';

/** Storage of the audit's position, which replicas share and a restart resumes. */
@Injectable()
export class ClaimAuditsRepository extends Repository<AuditPosition> {
  readonly batches = this.work({ name: 'claim audit', due: 'nextAt', reason: REASON, leaseMs: BATCH_MS });

  constructor(databases: Databases) {
    super(databases.collection('claim_audits', positionSchema));
  }

  /** Begins the first round, in a new database. */
  async begin(): Promise<void> {
    await this.tryInsert(asSystem(REASON), { _id: CLAIMS, afterId: '', nextAt: new Date(0) });
  }

  /** Ends a batch; the next one resumes after this id. */
  async goOn(position: AuditPosition, afterId: string): Promise<void> {
    await this.batches.postpone(position, EVERY_MS, { afterId });
  }
}
