import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { Periodic } from '@swim/messaging';
import { Deadline, makeRequestContext, type RequestContext, type Sweep } from '@swim/platform';
import type { PaymentDocument } from './payment.schema.js';
import { PaymentRun } from './payment-run.service.js';
import { PaymentsRepository } from './payments.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 32;
const BUDGET_MS = 8_000;

/** The context in which a payment is finished: its account's, with a deadline of its own. */
const contextOf = ({ origin }: PaymentDocument, env: Environment): RequestContext =>
  makeRequestContext({
    requestId: origin.requestId,
    idempotencyKey: origin.idempotencyKey,
    traceparent: origin.traceparent ?? null,
    principal: { accountId: origin.accountId, kind: origin.kind, env, keyId: origin.keyId, scopes: [] },
    deadline: new Deadline(BUDGET_MS),
  });

/** Each second resumes payments whose process crashed or whose retry is due, from their current step. */
@Injectable()
export class Recoverer {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly run: PaymentRun,
  ) {}

  @Periodic('payments', SWEEP_MS)
  async recover(sweep: Sweep): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const due = await this.payments.findDue(env, BATCH);
      // A take-over moves the due time by a lease: failing ones queue behind the others.
      await Promise.all(due.map((payment) => sweep.attempt(payment, () => this.resume(payment, env))));
    }
  }

  private async resume(payment: PaymentDocument, env: Environment): Promise<void> {
    const taken = await this.payments.takeOver(env, payment);
    if (taken) await this.run.advance(taken, contextOf(taken, env));
  }
}
