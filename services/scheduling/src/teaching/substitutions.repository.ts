import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type RequestContext, timeOfId } from '@swim/platform';
import type { Taught } from './lesson-changes.js';
import { type SubstitutionDocument, substitutionSchema } from './substitution.schema.js';

// Longer than a batch of lessons may take: its changes end with their deadline of 10 s.
const LEASE_MS = 12_000;
const REASON = 'the work on a substitution is that of its school, which has asked for it';
const system = asSystem(REASON);

type NewSubstitution = Taught & Pick<SubstitutionDocument, '_id' | 'accountId' | 'substituteId' | 'left' | 'cause'>;

/** Storage of substitutions. */
@Injectable()
export class SubstitutionsRepository extends Repository<SubstitutionDocument> {
  /** Substitutions with lessons that are still to be handed over. */
  readonly unfinished = this.work({
    name: 'substitutions',
    due: 'dueAt',
    reason: REASON,
    leaseMs: LEASE_MS,
    counts: ['attempt'],
    atOnce: 4,
  });

  constructor(private readonly databases: Databases) {
    super(databases.collection('substitutions', substitutionSchema));
  }

  find(id: string): Promise<SubstitutionDocument | null> {
    return this.lookUp(system, id);
  }

  /** Stores a substitution, which this run has to itself first; null when another run of the request has stored it. */
  async insert({ deadline }: RequestContext, fields: NewSubstitution): Promise<SubstitutionDocument | null> {
    const dueAt = this.databases.clock.inMs(LEASE_MS);
    const stored = { ...fields, moved: [], skipped: [], attempt: 1, dueAt, createdAt: timeOfId(fields._id) };
    return (await this.tryInsert(system, stored, deadline)) ? stored : null;
  }
}
