import { Injectable } from '@nestjs/common';
import type { AccountKind } from '@swim/contracts';
import { answerIn } from '@swim/mongo';
import { AppError, type RequestContext } from '@swim/platform';
import type { AccountDocument, AccountReset } from '../../identity/accounts/account.schema.js';
import { AccountResetsRepository, RESET } from './account-resets.repository.js';
import { FILL_STEP, isResetting, RESET_STEPS } from './reset.rules.js';

/**
 * More than the clocks of two services, or of two databases, differ by: what was made in answer to the request before a reset has
 * an earlier time than `before`, and what is made after its answer a later one.
 */
const SLACK_MS = 200;

/** A reset that this process runs. */
export interface RunningReset extends AccountReset {
  accountId: string;
  kind: AccountKind;
}

export const runningOf = ({ _id, kind, reset }: AccountDocument): RunningReset => ({ ...reset!, accountId: _id, kind });

/** The progress of resets: the account's document is the log. */
@Injectable()
export class AccountResetsService {
  constructor(private readonly resets: AccountResetsRepository) {}

  get unfinished(): AccountResetsRepository['unfinished'] {
    return this.resets.unfinished;
  }

  /**
   * Begins a reset of the requesting account; null when an earlier run of the request has begun it, or it is only validated. Throws
   * `unknown_route` for live keys, `resource_not_found`, `advance_in_progress` and `reset_in_progress`.
   */
  async begin(context: RequestContext): Promise<AccountDocument | null> {
    const { principal, dryRun } = context;
    if (principal.env === 'live') throw new AppError('unknown_route');
    const account = await this.resets.find(principal.accountId);
    if (!account) throw new AppError('resource_not_found');
    const { clock, reset: former } = account;
    if (answerIn(account, context) !== undefined) return null;
    if (clock?.targetMs != null) throw new AppError('advance_in_progress', { retryAfterSeconds: 1 });
    if (isResetting(former)) throw resetInProgress();
    if (dryRun) return null;
    const before = new Date(this.resets.now().getTime() + SLACK_MS);
    const reset = { step: RESET_STEPS[0], before, offsetMs: clock?.offsetMs ?? 0 };
    const begun = await this.resets.begin(account, reset, context);
    if (!begun) throw resetInProgress();
    return begun;
  }

  /**
   * Has the sweep make the demo data of a new test account, once in its life: an account that has had a reset has had them. It
   * removes and changes nothing else.
   */
  async fill(accountId: string): Promise<void> {
    const before = this.resets.now();
    await this.resets.beginFirst(accountId, { step: FILL_STEP, before, offsetMs: 0 });
  }

  /** Whether the account has its demo data, by `fill` or by a later reset. Throws `resource_not_found`. */
  async isFilled(accountId: string): Promise<boolean> {
    const account = await this.resets.find(accountId);
    if (!account) throw new AppError('resource_not_found');
    return account.reset?.step === null;
  }

  /** The requests (`opId`) that have reset the account: repeated, they do not once more. */
  async requestsOf(accountId: string): Promise<string[]> {
    const { ops = [] } = (await this.resets.find(accountId)) ?? {};
    return ops.filter(({ data }) => data === JSON.stringify(RESET)).map(({ id }) => id);
  }

  /** Whether clients still have to wait for the reset of an account. */
  async isResetting(accountId: string): Promise<boolean> {
    return isResetting((await this.resets.find(accountId))?.reset);
  }

  /** How long until what is made is later than everything that the reset removes, in ms; 0 once it is. */
  quietMsLeft({ before }: RunningReset): number {
    return Math.max(0, before.getTime() + SLACK_MS - this.resets.now().getTime());
  }
}

const resetInProgress = (): AppError => new AppError('reset_in_progress', { retryAfterSeconds: 1 });
