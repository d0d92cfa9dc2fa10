import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '@swim/contracts';
import { isDuplicate, Saga, type Step, WhenDue } from '@swim/mongo';
import { Clock, contextOfCause, Deadline, type RequestContext } from '@swim/platform';
import { AccountsService, isEnding } from '../../identity/accounts/accounts.service.js';
import { UnclaimedAccounts } from '../../identity/accounts/unclaimed-accounts.service.js';
import { FamilyBook } from './family-book.js';
import { firstOf } from './import.mapper.js';
import { type ImportCounts, type ImportDocument, NO_COUNTS } from './import.schema.js';
import { ImportRowsRepository, partsOf } from './import-rows.repository.js';
import { FIRST_STEP, ImportsRepository, UNUSED_STEP } from './imports.repository.js';
import { RowValues } from './row-values.rules.js';
import { familyIdOf, RowsService } from './rows.service.js';

// Less than the lease of the work.
const TURN_MS = 30_000;
const PART_MS = 30_000;
const MOST_ERROR_BYTES = 750_000;
// The medical notes were added by a key that may write them.
const SCOPES: Scope[] = ['members:write', 'members:medical'];

/**
 * The work on imports: one of a school at a time, part by part. A part that was interrupted is processed once more: what its rows have
 * made has ids that follow from the import, and is found again.
 */
@Injectable()
export class ImportSaga {
  @Inject(Clock) private readonly clock!: Clock;
  private readonly running: Saga<ImportDocument>;
  private readonly unused: Saga<ImportDocument>;

  constructor(
    readonly imports: ImportsRepository,
    private readonly stored: ImportRowsRepository,
    private readonly rows: RowsService,
    private readonly accounts: AccountsService,
    private readonly unclaimed: UnclaimedAccounts,
  ) {
    const clear = async (item: ImportDocument) => {
      await this.stored.clear(item);
      return true;
    };
    const steps: Step<ImportDocument>[] = [
      { name: FIRST_STEP, run: (item) => this.takeTurn(item) },
      { name: 'rows', run: (item) => this.process(item) },
      { name: 'clear', run: clear },
      { name: 'done', run: (item) => this.markDone(item) },
    ];
    this.running = new Saga(imports.unfinished, steps);
    this.unused = new Saga(imports.unfinished, [
      { name: UNUSED_STEP, run: ({ _id }) => this.imports.withdrawUnused(_id) },
      { name: 'clear', run: clear },
      { name: 'remove', run: async ({ _id }) => this.imports.removeUnused(_id).then(() => true) },
    ]);
  }

  @WhenDue(({ imports }: ImportSaga) => imports.unfinished)
  goOn(item: ImportDocument): Promise<void> {
    return (item.status === 'open' ? this.unused : this.running).goOn(item);
  }

  /** How an import would end if it ran now. Stores nothing. */
  async preview(item: ImportDocument, context: RequestContext): Promise<ImportCounts> {
    const [tokens, book] = [await this.stored.tokens(item), new FamilyBook()];
    const values = new RowValues(tokens ?? ((text) => text));
    const asRun = withScopes(context);
    let counts = NO_COUNTS;
    for (const { id, from } of partsOf(item)) {
      context.deadline.check();
      const rows = (await this.stored.findRows(item, id)) ?? [];
      const job = { importId: item._id, from, book, values, startedAt: null, context: asRun };
      counts = sumOf(counts, await this.rows.process(rows, job));
    }
    return counts;
  }

  private async takeTurn(item: ImportDocument): Promise<boolean> {
    try {
      return await this.imports.unfinished.renew(item, { turnOf: item.accountId });
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  /** Processes parts for a time; returns whether none is left. */
  private async process(item: ImportDocument): Promise<boolean> {
    const tokens = await this.stored.tokens(item);
    // Without its key nothing is left of its rows.
    if (!tokens) return true;
    if (await this.isEnding(item)) return false;
    const [values, results] = [new RowValues(tokens), await this.stored.findResults(item)];
    const endsAtMs = performance.now() + TURN_MS;
    let counts = NO_COUNTS;
    for (const { id, from } of partsOf(item)) {
      let result = results.get(id) ?? null;
      if (result) values.recall(result);
      else {
        if (performance.now() > endsAtMs || (await this.isEnding(item))) return false;
        const rows = await this.stored.findRows(item, id);
        if (!rows) return false;
        result = { ...(await this.processPart(rows, from, item, values)), ...values.takeFresh() };
        if (!(await this.stored.store(id, result))) return this.undoIfGone(item, from, rows.length);
      }
      counts = sumOf(counts, result);
      if (!results.get(id) && !(await this.renew(item, { counts }))) return false;
    }
    // A run may have been killed between its last result and the counts.
    return this.renew(item, { counts });
  }

  private renew(item: ImportDocument, set: Partial<ImportDocument>): Promise<boolean> {
    return this.imports.unfinished.renew(item, { ...set, updatedAt: this.clock.now() });
  }

  private processPart(rows: object[], from: number, item: ImportDocument, values: RowValues): Promise<ImportCounts> {
    const [book, context] = [new FamilyBook(), contextOf(item)];
    return this.rows.process(rows, { importId: item._id, from, book, values, startedAt: item.startedAt!, context });
  }

  private async markDone(item: ImportDocument): Promise<boolean> {
    return this.renew(item, { status: 'done', turnOf: null });
  }

  /** While the school is closing, its import waits: it may be restored. */
  private async isEnding({ accountId }: ImportDocument): Promise<boolean> {
    const school = await this.accounts.findFacts(accountId);
    return !school || isEnding(school);
  }

  /** A reset or an erasure has removed the import during a part of it: what that has made since is erased. */
  private async undoIfGone({ _id, accountId }: ImportDocument, from: number, rows: number): Promise<false> {
    if (await this.imports.isStored(_id)) return false;
    for (let n = from; n < from + rows; n++) await this.unclaimed.erase(familyIdOf(_id, n), accountId);
    return false;
  }
}

/** The context in which rows are processed: that of the request that ran the import. */
const contextOf = ({ cause }: ImportDocument): RequestContext =>
  withScopes(contextOfCause(cause!, new Deadline(PART_MS), 'school'));

const withScopes = (context: RequestContext): RequestContext => ({
  ...context,
  principal: { ...context.principal, scopes: SCOPES },
});

const sumOf = (a: ImportCounts, b: ImportCounts): ImportCounts => ({
  created: a.created + b.created,
  updated: a.updated + b.updated,
  unchanged: a.unchanged + b.unchanged,
  failed: a.failed + b.failed,
  errors: firstOf([...a.errors, ...b.errors], MOST_ERROR_BYTES),
});
