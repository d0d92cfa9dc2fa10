import { Injectable } from '@nestjs/common';
import type { Account } from '@swim/contracts';
import { answerIn } from '@swim/mongo';
import { AppError, Clock, type RequestContext } from '@swim/platform';
import { accountOf } from '../../identity/accounts/account.mapper.js';
import type { AccountDocument } from '../../identity/accounts/account.schema.js';
import { AccountsRepository } from '../../identity/accounts/accounts.repository.js';
import { requireOwnAccount } from '../../identity/accounts/accounts.service.js';
import { ActingService } from '../../identity/accounts/acting.service.js';
import { PrivacyService } from '../../identity/privacy/privacy.service.js';

const CLOSING_MS = 7 * 86_400_000;

/** The states of an account's life: open, closing (live only), erasing, erased. */
@Injectable()
export class AccountLifeService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly acting: ActingService,
    private readonly privacy: PrivacyService,
    private readonly clock: Clock,
  ) {}

  /** When the erasure of the account would begin, if it were requested now. */
  async endOf(id: string, context: RequestContext): Promise<Date> {
    return this.endIn(await this.getOwn(id, context), context);
  }

  /** Closes the account; returns when its erasure begins, which an earlier request may have set. */
  async close(id: string, context: RequestContext): Promise<Date> {
    const known = await this.getOwn(id, context);
    const closed = endStoredIn(known, context);
    if (closed) return closed;
    const erasesAt = this.endIn(known, context);
    if (await this.accounts.markClosing(context, erasesAt)) return erasesAt;
    await this.acting.requireUnclaimed(context);
    return endStoredIn(await this.getOwn(id, context), context) ?? erasesAt;
  }

  /** Reopens a closing account, otherwise `invalid_state`; a dry run only returns the result. */
  async reopen(id: string, context: RequestContext): Promise<Account> {
    const known = await this.getOwn(id, context);
    const earlier = answerIn(known, context);
    if (earlier !== undefined) return earlier as Account;
    const now = this.clock.now();
    if (known.state !== 'closing' || !known.erasesAt || known.erasesAt <= now) throw notClosing();
    const reopened = accountOf(known);
    if (context.dryRun || (await this.accounts.markReopened(context, now, reopened))) return reopened;
    // Another run of this request may have reopened it.
    const done = answerIn(await this.getOwn(id, context), context);
    if (done === undefined) throw notClosing();
    return done as Account;
  }

  /** From here on the erasure cannot be undone. */
  async beginErasing(context: RequestContext): Promise<void> {
    if (!(await this.accounts.markErasing(context))) await this.acting.requireUnclaimed(context);
  }

  /** Accounts whose erasure is due or has begun: they can no longer be reopened. */
  findEnding(): Promise<AccountDocument[]> {
    return this.accounts.findEnding(this.clock.now());
  }

  /** Begins the erasure of an account whose period for a restore is over; returns whether it has begun. Idempotent. */
  async beginDueErasing({ _id, state }: AccountDocument): Promise<boolean> {
    return state === 'erasing' || this.accounts.markDueErasing(_id, this.clock.now());
  }

  /** Destroys the key of the account's data, and removes the account's personal data. Idempotent. */
  async empty(id: string): Promise<void> {
    await this.privacy.forgetAccount(id);
    await this.accounts.empty(id);
  }

  private endIn({ erasesAt }: AccountDocument, { principal }: RequestContext): Date {
    return erasesAt ?? new Date(this.clock.now().getTime() + (principal.env === 'live' ? CLOSING_MS : 0));
  }

  private async getOwn(id: string, context: RequestContext): Promise<AccountDocument> {
    requireOwnAccount(id, context);
    const account = await this.accounts.findOwn(id);
    if (!account) throw new AppError('resource_not_found');
    return account;
  }
}

/** When the erasure begins by this request's earlier run, or by another request. */
function endStoredIn(account: AccountDocument, context: RequestContext): Date | undefined {
  const earlier = answerIn(account, context) as string | undefined;
  return earlier === undefined ? account.erasesAt : new Date(earlier);
}

const notClosing = (): AppError =>
  new AppError('invalid_state', {
    message: 'Only an account that is about to be erased can be restored; this one is not.',
  });
