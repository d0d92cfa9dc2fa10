import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
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

const scopeOf = (env: Environment) => asSystem(env, 'an audit goes through all claims');

/** Storage of the audit's position, which replicas share and a restart resumes. */
@Injectable()
export class ClaimAuditsRepository extends Repository<AuditPosition> {
  constructor(databases: Databases) {
    super(databases.collection('claim_audits', positionSchema));
  }

  /** The position at which to check one batch; null when none is due, or another replica has taken it. */
  async takeTurn(env: Environment, everyMs: number): Promise<AuditPosition | null> {
    const scope = scopeOf(env);
    const position = await this.lookUp(scope, CLAIMS);
    if (!position) {
      await this.tryInsert(scope, { _id: CLAIMS, afterId: '', nextAt: new Date(0) });
      return null;
    }
    const { afterId } = position;
    const next = { nextAt: { $add: ['$$NOW', everyMs] } };
    return (await this.updateOncePast(scope, { _id: CLAIMS, afterId }, 'nextAt', next)) ? position : null;
  }

  /** Advances the position, unless another replica has done so. */
  async goOn(env: Environment, { afterId }: AuditPosition, nextId: string): Promise<void> {
    await this.update(scopeOf(env), { _id: CLAIMS, afterId }, { $set: { afterId: nextId } });
  }
}
