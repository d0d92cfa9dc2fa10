import { Injectable } from '@nestjs/common';
import type { ImportedRow } from '@swim/contracts';
import { AppError, derivedId, type RequestContext } from '@swim/platform';
import { ActingService, actingAs } from '../../identity/accounts/acting.service.js';
import { UnclaimedAccounts } from '../../identity/accounts/unclaimed-accounts.service.js';
import { MadeConnections } from '../connections/made-connections.service.js';
import { MembersService } from '../members/members.service.js';
import { allEnded } from './all-ended.js';
import type { KnownFamily } from './family-book.js';
import type { Outcomes } from './outcomes.js';
import type { Job, RowWork } from './row-work.js';

/** Applies the rows of one family. */
@Injectable()
export class FamilyRows {
  constructor(
    private readonly acting: ActingService,
    private readonly accounts: UnclaimedAccounts,
    private readonly connections: MadeConnections,
    private readonly members: MembersService,
  ) {}

  /** Each part is idempotent, so that a run that was interrupted is completed by the next one. */
  async perform(family: KnownFamily, items: readonly RowWork[], job: Job, outcomes: Outcomes): Promise<void> {
    let isCorrected = false;
    try {
      const context = await this.contextOf(family, job);
      if (!context) return claimed(items, outcomes);
      if (!family.isNew) isCorrected = await this.correct(family, items, job);
      if (!job.context.dryRun) await this.make(family, items, job, context);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'foreign_account') return claimed(items, outcomes);
      for (const { n } of items) outcomes.failBy(n, error, 'family');
      return;
    }
    for (const item of items)
      if (item.kind === 'create') outcomes.count('created');
      else await this.update(item, isCorrected && item === items[0], job, outcomes);
  }

  /** The context of the family's account; null once somebody has claimed it. */
  private async contextOf({ accountId, isNew }: KnownFamily, { context }: Job): Promise<RequestContext | null> {
    if (!isNew) return this.acting.contextOf(accountId, context);
    return { ...context, principal: actingAs(accountId, context.principal) };
  }

  /** Corrects the account by the rows; returns whether anything differs. */
  private async correct(family: KnownFamily, items: readonly RowWork[], { context }: Job): Promise<boolean> {
    const given: Partial<ImportedRow['family']> = Object.assign({}, ...items.map(({ row }) => row.family));
    const { name = family.name, email = family.email, locale = family.locale } = given;
    const isOther = name !== family.name || email !== family.email || locale !== family.locale;
    const { accountId } = family;
    if (isOther && !context.dryRun)
      await this.accounts.correct(accountId, context.principal.accountId, { name, email, locale });
    return isOther || family.externalId !== family.storedExternalId;
  }

  private async make(
    family: KnownFamily,
    items: readonly RowWork[],
    { context, importId }: Job,
    acting: RequestContext,
  ): Promise<void> {
    const { accountId, externalId, isNew, name, email, locale } = family;
    const schoolId = context.principal.accountId;
    if (isNew) await this.accounts.open(await this.accounts.describe({ id: accountId, name, email, locale }, schoolId));
    const created = items.filter(({ kind }) => kind === 'create');
    await allEnded(created.map((item) => this.createMember(item, acting)));
    const adopted = items.filter(({ kind, isAdopted }) => kind === 'create' || isAdopted);
    const members = adopted.map(({ memberId: id, row }) => ({ id, externalId: row.external_id ?? null }));
    const [pair, made] = [
      { schoolId, accountId },
      { externalId, members, importId },
    ];
    if (isNew) await this.connections.make(pair, { id: derivedId('con', accountId, schoolId), ...made }, context);
    else if (members.length > 0 || externalId !== family.storedExternalId)
      await this.connections.adopt(pair, made, context);
  }

  private createMember({ memberId, row, family }: RowWork, acting: RequestContext) {
    const { family: _, external_id: __, swimming_level = 'beginner', ...member } = row;
    const input = { account_id: family.accountId, swimming_level, ...member };
    return this.members.create(input, { ...acting, newId: () => memberId });
  }

  private async update(item: RowWork, isOther: boolean, { context, startedAt }: Job, outcomes: Outcomes) {
    const { n, row, memberId, family, isAdopted, updatedAt } = item;
    const { family: _, external_id: __, ...changes } = row;
    try {
      const acting = await this.acting.contextOf(family.accountId, context);
      if (!acting) return claimed([item], outcomes);
      const { updated_at: at } = await this.members.update({ member_id: memberId, changes }, acting);
      const isChanged = Date.parse(at) !== updatedAt?.getTime();
      // An interrupted run of the import has changed it.
      const wasChanged = startedAt !== null && Date.parse(at) >= startedAt.getTime();
      outcomes.count(isOther || isAdopted || isChanged || wasChanged ? 'updated' : 'unchanged');
    } catch (error) {
      outcomes.failBy(n, error, 'name');
    }
  }
}

/** Rows of a family that somebody has claimed: it stays as it is. */
function claimed(items: readonly RowWork[], outcomes: Outcomes): void {
  for (const { n, kind } of items)
    if (kind === 'create') outcomes.fail(n, [{ field: 'family', reason: 'claimed' }]);
    else outcomes.count('unchanged');
}
