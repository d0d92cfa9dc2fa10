import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { type Call, LOGGER, makeCall } from '@swim/messaging';
import { Deadline, type Logger, Sweep } from '@swim/platform';
import type { PaymentDocument } from './payment.schema.js';
import { PaymentRun } from './payment-run.service.js';
import { PaymentsRepository } from './payments.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 32;
const BUDGET_MS = 8_000;

/** The call by which a payment is finished: in the name of who asked for it, with time of its own. */
const callOf = ({ origin }: PaymentDocument, env: Environment): Call =>
  makeCall({
    requestId: origin.requestId,
    idempotencyKey: origin.idempotencyKey,
    principal: { accountId: origin.accountId, kind: origin.kind, env, keyId: origin.keyId, scopes: [] },
    deadline: new Deadline(BUDGET_MS),
  });

/** Each second takes up payments whose worker died or had to wait, from the step they had come to. */
@Injectable()
export class Recoverer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(
    private readonly payments: PaymentsRepository,
    private readonly run: PaymentRun,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sweep = new Sweep('payments', SWEEP_MS, () => this.recover(), logger);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sweep.stop();
  }

  private async recover(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const due = await this.payments.findDue(env, BATCH);
      await Promise.all(due.map((payment) => this.resume(payment, env)));
    }
  }

  private async resume(payment: PaymentDocument, env: Environment): Promise<void> {
    try {
      const taken = await this.payments.takeOver(env, payment);
      if (taken) await this.run.advance(taken, callOf(taken, env));
    } catch (error) {
      this.logger.warn({ err: error, paymentId: payment._id, step: payment.step }, 'payment not finished yet');
    }
  }
}
