import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { Periodic } from '@swim/messaging';
import { paymentBacklog, paymentOldestSeconds, type Sweep } from '@swim/platform';
import { resumedContext } from '../payments/origin.mapper.js';
import type { RefundDocument } from './refund.schema.js';
import { RefundRun } from './refund-run.service.js';
import { RefundsRepository } from './refunds.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 32;
const MEASURE_MS = 10_000;

/** Each second resumes refunds whose process crashed or whose retry is due, from their current step. */
@Injectable()
export class RefundRecoverer {
  constructor(
    private readonly refunds: RefundsRepository,
    private readonly run: RefundRun,
  ) {}

  @Periodic('refunds', SWEEP_MS)
  async recover(sweep: Sweep): Promise<void> {
    // Side by side: a slow processor of one environment does not delay the other.
    await Promise.all(ENVIRONMENTS.map((env) => this.recoverIn(env, sweep)));
  }

  /** Publishes the backlog as metrics, so that a processor or booking that is away is noticed. */
  @Periodic('refunds-backlog', MEASURE_MS)
  async measure(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const { count, oldestSeconds } = await this.refunds.backlog(env);
      paymentBacklog.set({ kind: 'refund', env }, count);
      paymentOldestSeconds.set({ kind: 'refund', env }, oldestSeconds);
    }
  }

  private async recoverIn(env: Environment, sweep: Sweep): Promise<void> {
    const due = await this.refunds.findDue(env, BATCH);
    // A take-over moves the due time by a lease: failing ones queue behind the others.
    await Promise.all(due.map((refund) => sweep.attempt(refund, () => this.resume(refund, env))));
  }

  private async resume(refund: RefundDocument, env: Environment): Promise<void> {
    const taken = await this.refunds.takeOver(env, refund);
    if (taken) await this.run.advance(taken, resumedContext(taken.origin, env));
  }
}
