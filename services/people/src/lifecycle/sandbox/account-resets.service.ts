import { Inject, Injectable } from '@nestjs/common';
import type { AccountKind } from '@swim/contracts';
import { answerIn } from '@swim/mongo';
import { AppError, CONFIG, type RequestContext } from '@swim/platform';
import type { Config } from '../../config.js';
import type { AccountReset } from '../../identity/accounts/account.schema.js';
import { AccountResetsRepository, RESET } from './account-resets.repository.js';
import { DEMO_ONLY, FIRST_STEP, isResetting, type ResetStep, stepAfter } from './reset.rules.js';

/**
 * More than the clocks of two services, or of two databases, differ by: what was made in answer to the request before a reset has
 * an earlier time than `before`, and what is made after its answer a later one.
 */
const SLACK_MS = 200;

/** A reset that this process runs. */
export interface RunningReset extends AccountReset {
  accountId: string;
  kind: AccountKind;
  step: ResetStep;
}

/** The progress of resets: the account's document is the log. */
@Injectable()
export class AccountResetsService {
  constructor(
    private readonly resets: AccountResetsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Begins a reset of the requesting account; null when an earlier run of the request has begun it, or it is only validated. Throws
   * `unknown_route` for live keys, `resource_not_found`, `advance_in_progress` and `reset_in_progress`.
   */
  async begin(context: RequestContext): Promise<RunningReset | null> {
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
    const step = FIRST_STEP.step!;
    const fresh = { ...FIRST_STEP, step, before };
    const reset = { ...fresh, offsetMs: clock?.offsetMs ?? 0, attempt: (former?.attempt ?? 0) + 1 };
    if (!(await this.resets.begin(account, reset, context))) throw resetInProgress();
    return { ...reset, accountId: account._id, kind: account.kind };
  }

  /**
   * Has the sweep make the demo data of a new test account, once in its life: an account that has had a reset has had them. It
   * removes and changes nothing else.
   */
  async fill(accountId: string): Promise<void> {
    const before = this.resets.now();
    await this.resets.beginFirst(accountId, { ...DEMO_ONLY, before, offsetMs: 0, attempt: 1 });
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

  /** Resets that are due. */
  findDue(): ReturnType<AccountResetsRepository['findDue']> {
    return this.resets.findDue();
  }

  /** Takes over a reset that is due; null when another replica did, or nothing of it is left. */
  async takeOver(due: Awaited<ReturnType<AccountResetsService['findDue']>>[number]): Promise<RunningReset | null> {
    const reset = await this.resets.takeOver(due);
    if (reset?.step == null) return null;
    return { ...reset, step: reset.step, accountId: due._id, kind: due.kind };
  }

  /** Stores that a step is done; returns the run, null when it is superseded, waits, or has ended. */
  async advance({ accountId, kind, ...now }: RunningReset): Promise<RunningReset | null> {
    const { waitMs, ...progress } = stepAfter(now, this.config.ERASURE_DRAIN_MS);
    const next = { ...now, ...progress };
    const isStored = await this.resets.advance(accountId, next, waitMs > 0 ? waitMs : undefined);
    if (!isStored || waitMs > 0 || next.step === null) return null;
    return { ...next, step: next.step, accountId, kind };
  }

  /** Leaves the rest of a run to the sweep. */
  async leave({ accountId, kind: _, ...now }: RunningReset, waitMs: number): Promise<void> {
    await this.resets.advance(accountId, now, waitMs);
  }
}

const resetInProgress = (): AppError => new AppError('reset_in_progress', { retryAfterSeconds: 1 });
