import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { Schema } from 'mongoose';

/** How far an audit has come. */
export interface AuditPosition {
  _id: string;
  /** Id of the last claim that was checked; empty at the beginning of a round. */
  afterId: string;
  /** When, by the database's clock, the next batch may be checked. */
  nextAt: Date;
}

const positionSchema = new Schema<AuditPosition>({ _id: String, afterId: String, nextAt: Date }, { versionKey: false });
const CLAIMS = 'claims';

const scopeOf = (env: Environment) => asSystem(env, 'an audit goes through all claims');

/** Remembers how far the audit of claims has come, so that replicas share it and a restart goes on with it. */
@Injectable()
export class ClaimAuditsRepository extends Repository<AuditPosition> {
  constructor(databases: Databases) {
    super(databases.collection('claim_audits', positionSchema));
  }

  /** The position from which the caller is to check one batch; null when it is not time yet, or another was first. */
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

  /** Goes on after this id with the next batch, unless somebody has done so already. */
  async goOn(env: Environment, { afterId }: AuditPosition, nextId: string): Promise<void> {
    await this.update(scopeOf(env), { _id: CLAIMS, afterId }, { $set: { afterId: nextId } });
  }
}
