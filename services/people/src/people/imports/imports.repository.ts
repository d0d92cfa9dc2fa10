import { Injectable } from '@nestjs/common';
import { type DataImport, type listImports, MOST_LISTED_ERRORS, type Page, type ParsedOf } from '@swim/contracts';
import { AggregateRepository, asSystem, type Changed, Databases, type Filter, OutboxRelay, oneOf } from '@swim/mongo';
import { AppError, CursorCodec, causeOf, invalidState, type RequestContext } from '@swim/platform';
import { rowsOf } from './import.mapper.js';
import { type ImportDocument, importSchema, NO_COUNTS } from './import.schema.js';

const LEASE_MS = 60_000;
const UNUSED_MS = 7 * 86_400_000;
const REASON = 'the work on an import is that of its school, which has run it';
const system = asSystem(REASON);

/** The first steps of the work on an import that was run, and on one that was not. */
export const FIRST_STEP = 'turn';
export const UNUSED_STEP = 'unused';

/** Storage of imports. */
@Injectable()
export class ImportsRepository extends AggregateRepository<ImportDocument> {
  /** Imports that run, and those that nobody has run in time. */
  readonly unfinished = this.work({ name: 'imports', due: 'dueAt', reason: REASON, leaseMs: LEASE_MS });

  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('imports', importSchema), relay);
  }

  /** Stores an import that is open. Idempotent. */
  insert(context: RequestContext, id: string, kind: DataImport['kind']): Promise<ImportDocument> {
    return this.create(context, this.fieldsOf(context, id, kind));
  }

  /** An import as it would be stored. */
  preview(context: RequestContext, id: string, kind: DataImport['kind'], at: Date): ImportDocument {
    return { ...this.fieldsOf(context, id, kind), createdAt: at, updatedAt: at } as unknown as ImportDocument;
  }

  async isStored(id: string): Promise<boolean> {
    return (await this.lookUp(system, id)) !== null;
  }

  /** Throws `resource_not_found`. */
  async getVisible({ principal }: RequestContext, id: string): Promise<ImportDocument> {
    const found = await this.lookUp(principal, id);
    if (!found) throw new AppError('resource_not_found');
    return found;
  }

  listVisible({ principal }: RequestContext, query: ParsedOf<typeof listImports>): Promise<Page<ImportDocument>> {
    const filter = oneOf('status', query.status);
    const firstOf = { 'counts.errors': MOST_LISTED_ERRORS };
    return this.listPage(principal, query, { name: 'imports', filter, firstOf, cursors: this.cursors });
  }

  /** How many imports of the account are not done. */
  countOpen({ principal }: RequestContext): Promise<number> {
    return this.count(principal, oneOf('status', ['open', 'running']));
  }

  /** Appends rows that are stored; `mostRows` in all. Throws `invalid_state`, `limit_reached`. */
  addBatch(
    context: RequestContext,
    id: string,
    batch: ImportDocument['batches'][number],
    mostRows: number,
  ): Promise<ImportDocument> {
    return this.change(context, id, (now) => {
      requireOpen(now);
      const batches = [...now.batches, batch];
      requireRows(rowsOf({ batches }), mostRows);
      return { batches };
    });
  }

  /** open → running. One that was run stays as it is. */
  markRunning(context: RequestContext, id: string): Promise<ImportDocument> {
    const { clock } = this.databases;
    return this.change(context, id, ({ status }) =>
      status === 'open'
        ? { status: 'running', startedAt: clock.now(), cause: causeOf(context), step: FIRST_STEP, dueAt: clock.now() }
        : null,
    );
  }

  /** Hides an import that nobody has run from its school, so that none is run without its rows. Idempotent; false for one that is run. */
  withdrawUnused(id: string): Promise<boolean> {
    return this.hide({ _id: id });
  }

  /** Has the account's oldest import removed that it has not run; false without one. A dry run removes none. */
  async replaceOldest({ principal, dryRun }: RequestContext): Promise<boolean> {
    for (;;) {
      const [oldest] = await this.findMany(principal, { status: 'open' }, { _id: 1 }, 1);
      if (!oldest || dryRun) return oldest !== undefined;
      // Another request may have run it, or replaced it, meanwhile.
      if (await this.hide({ _id: oldest._id, readers: principal.accountId }, { dueAt: this.databases.clock.now() }))
        return true;
    }
  }

  /** Removes an import that nobody has run. */
  async removeUnused(id: string): Promise<void> {
    await this.removeForGood(system, { _id: id, status: 'open' });
  }

  private hide(which: Filter, set: Partial<ImportDocument> = {}): Promise<boolean> {
    return this.update(system, { ...which, status: 'open' }, { $set: { readers: [], ...set }, $inc: { rev: 1 } });
  }

  private async change(
    context: RequestContext,
    id: string,
    decide: (now: ImportDocument) => Partial<ImportDocument> | null,
  ): Promise<ImportDocument> {
    const changed: Changed<ImportDocument> | null = await this.mutate(context.principal, id, context, (now) => {
      const set = decide(now);
      return set && { set, answer: () => null };
    });
    if (!changed) throw new AppError('resource_not_found');
    return changed.document;
  }

  private fieldsOf({ principal: { accountId } }: RequestContext, _id: string, kind: DataImport['kind']) {
    return {
      _id,
      readers: [accountId],
      accountId,
      kind,
      status: 'open' as const,
      batches: [],
      counts: NO_COUNTS,
      step: UNUSED_STEP,
      dueAt: this.databases.clock.inMs(UNUSED_MS),
    };
  }
}

/** Throws `invalid_state` for an import that takes no rows. */
export function requireOpen({ status }: Pick<ImportDocument, 'status'>): void {
  if (status !== 'open') throw invalidState('Only an import that is open takes rows', status);
}

/** Throws `limit_reached`. */
export function requireRows(rows: number, most: number): void {
  if (rows <= most) return;
  throw new AppError('limit_reached', {
    field: 'rows',
    message: `An import has at most ${most} rows. Create another one for the rest.`,
    details: { limit: most },
  });
}
