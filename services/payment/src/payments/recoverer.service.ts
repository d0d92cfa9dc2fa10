import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { Periodic } from '@swim/messaging';
import { paymentBacklog, paymentOldestSeconds, type Sweep } from '@swim/platform';
import { resumedContext } from './origin.mapper.js';
import type { PaymentDocument } from './payment.schema.js';
import { PaymentRun } from './payment-run.service.js';
import { PaymentsRepository } from './payments.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 32;
const MEASURE_MS = 10_000;

/** Each second resumes payments whose process crashed or whose retry is due, from their current step. */
@Injectable()
export class Recoverer {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly run: PaymentRun,
  ) {}

  @Periodic('payments', SWEEP_MS)
  async recover(sweep: Sweep): Promise<void> {
    // Side by side: a slow processor of one environment does not delay the other.
    await Promise.all(ENVIRONMENTS.map((env) => this.recoverIn(env, sweep)));
  }

  /** Publishes the backlog as metrics, so that a processor or booking that is away is noticed. */
  @Periodic('payments-backlog', MEASURE_MS)
  async measure(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const { count, oldestSeconds } = await this.payments.backlog(env);
      paymentBacklog.set({ kind: 'payment', env }, count);
      paymentOldestSeconds.set({ kind: 'payment', env }, oldestSeconds);
    }
  }

  private async recoverIn(env: Environment, sweep: Sweep): Promise<void> {
    const due = await this.payments.findDue(env, BATCH);
    // A take-over moves the due time by a lease: failing ones queue behind the others.
    await Promise.all(due.map((payment) => sweep.attempt(payment, () => this.resume(payment, env))));
  }

  private async resume(payment: PaymentDocument, env: Environment): Promise<void> {
    const taken = await this.payments.takeOver(env, payment);
    if (taken) await this.run.advance(taken, resumedContext(taken.ending?.origin ?? taken.origin, env));
  }
}
