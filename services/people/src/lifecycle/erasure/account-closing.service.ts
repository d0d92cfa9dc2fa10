import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type Account, eraseAccount, type OutputOf, type ParsedOf, restoreAccount } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { PeriodicPerEnvironment, type Sweep } from '@swim/mongo';
import { Clock, LOGGER, type Logger, type RequestContext } from '@swim/platform';
import { KeyEndsService } from '../../identity/keys/key-ends.service.js';
import { AccountLifeService } from './account-life.service.js';
import { ErasureSaga } from './erasure-saga.service.js';
import { ErasuresRepository } from './erasures.repository.js';

/** After this time the client gets an answer, and the sweep continues. */
const ERASING_MS = 8_000;
const ANSWERING_MS = 500;
const POLL_MS = 50;
const SWEEP_MS = 1_000;
/** The steps after that remove what nobody can read any more. */
const STILL_READ = ['keys', 'members', 'scheduling', 'booking', 'people', 'payment'] as const;

/** Closes and restores accounts at their owner's request: a live one can be restored for seven days. */
@Injectable()
export class AccountClosingService {
  @Inject(LOGGER) private readonly logger!: Logger;

  constructor(
    private readonly life: AccountLifeService,
    private readonly erasures: ErasuresRepository,
    private readonly saga: ErasureSaga,
    private readonly keys: KeyEndsService,
    private readonly clock: Clock,
  ) {}

  @Serve(eraseAccount)
  async erase(
    { account_id: id }: ParsedOf<typeof eraseAccount>,
    context: RequestContext,
  ): Promise<OutputOf<typeof eraseAccount>> {
    const { env } = context.principal;
    const requested = await this.life.endOf(id, context);
    if (context.dryRun) return { erases_at: requested.toISOString() };
    if (env === 'live') {
      const erasesAt = await this.life.close(id, context);
      // After the response every gateway treats the account as read-only.
      await this.keys.announceAll(id);
      return { erases_at: erasesAt.toISOString() };
    }
    await this.life.beginErasing(context);
    const begun = await this.erasures.beginHere(id, this.clock.now());
    await this.keys.endAll(id);
    const failed = (error: unknown) => this.logger.warn({ err: error, accountId: id }, 'erasure interrupted');
    const goOn = () => this.saga.goOn(begun!);
    if (begun) void this.erasures.unfinished.handle(begun, goOn).catch(failed);
    await this.untilUnread(id, Math.min(ERASING_MS, context.deadline.remainingMs() - ANSWERING_MS));
    return { erases_at: requested.toISOString() };
  }

  // After the response nobody reads anything of the account, unless it is large or has a payment in progress.
  private async untilUnread(id: string, leftMs: number): Promise<void> {
    const endsAtMs = performance.now() + leftMs;
    while (performance.now() < endsAtMs) {
      const erasure = await this.erasures.find(id);
      if (erasure && !(STILL_READ as readonly (string | null)[]).includes(erasure.step)) return;
      await pause(POLL_MS);
    }
  }

  @Serve(restoreAccount)
  async restore({ account_id: id }: ParsedOf<typeof restoreAccount>, context: RequestContext): Promise<Account> {
    const account = await this.life.reopen(id, context);
    if (!context.dryRun) await this.keys.announceAll(id);
    return account;
  }

  /**
   * Begins the erasure of accounts whose period for a restore is over, and of those whose beginning a crash interrupted. One
   * that fails does not stop the others, and is retried by the next sweep.
   */
  @PeriodicPerEnvironment('closed accounts', SWEEP_MS)
  async beginDue(sweep: Sweep): Promise<void> {
    await sweep.each(await this.life.findEnding(), async (account) => {
      if (await this.life.beginDueErasing(account)) await this.erasures.begin(account._id, this.clock.now());
    });
  }
}
