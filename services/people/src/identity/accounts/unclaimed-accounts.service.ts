import { Injectable } from '@nestjs/common';
import type { Locale } from '@swim/contracts';
import { WhenDue } from '@swim/mongo';
import { AppError } from '@swim/platform';
import type { AccountDocument } from './account.schema.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService, type NewAccount } from './accounts.service.js';

/** A repeated request completes what an interrupted one has begun: its key is valid for a day. */
const MAKING_MS = 25 * 3_600_000;

const ERASED = 'The account that this request has made was erased. Make it anew with another Idempotency-Key.';

/** Accounts that schools make for families, until somebody claims them. */
@Injectable()
export class UnclaimedAccounts {
  constructor(
    readonly repository: AccountsRepository,
    private readonly accounts: AccountsService,
  ) {}

  /** The account that a school would make: in its own zone and currency. */
  async describe(
    { id, name, email, locale }: Pick<NewAccount, 'id' | 'name' | 'email'> & { locale?: Locale | undefined },
    schoolId: string,
  ): Promise<NewAccount & { locale: Locale }> {
    const school = await this.repository.findOwn(schoolId);
    if (!school) throw new AppError('resource_not_found');
    const { timezone, currency } = school;
    const kind = 'family' as const;
    return { id, name, email, kind, timezone, currency, locale: locale ?? school.locale ?? 'en', madeBy: schoolId };
  }

  /** Stores an account, which is erased unless it is `markMade` within a day. Idempotent; once it is erased: `resource_not_found`. */
  async open(account: NewAccount): Promise<void> {
    await this.accounts.open({ ...account, makingDueAt: this.repository.inMs(MAKING_MS) });
    const stored = await this.accounts.findFacts(account.id);
    if (!stored || stored.isErased) throw new AppError('resource_not_found', { message: ERASED });
  }

  /** Corrects an account by its school; throws `foreign_account` once somebody has claimed it. */
  async correct(
    accountId: string,
    schoolId: string,
    facts: Pick<NewAccount, 'name' | 'email'> & { locale: Locale | undefined },
  ): Promise<void> {
    if (!(await this.repository.correctUnclaimed(accountId, schoolId, facts))) throw new AppError('foreign_account');
  }

  /** Records that all of an account is stored. */
  async markMade(accountId: string): Promise<void> {
    await this.repository.markMade(accountId);
  }

  /** Erases an account that a school has made, unless somebody has claimed it. Idempotent. */
  async erase(accountId: string, schoolId: string): Promise<void> {
    await this.repository.eraseUnclaimed(accountId, schoolId);
  }

  /** Erases an account of which not all is stored. Idempotent. */
  async eraseHalf(accountId: string, schoolId: string): Promise<void> {
    await this.repository.eraseUnclaimed(accountId, schoolId, { isHalf: true });
  }

  /** Erases what an interrupted request has left, which nobody has repeated. */
  @WhenDue(({ repository }: UnclaimedAccounts) => repository.halfMade)
  async undo(account: AccountDocument): Promise<void> {
    await this.repository.eraseUnclaimed(account._id, account.madeBy!);
    await this.repository.halfMade.end(account);
  }
}
