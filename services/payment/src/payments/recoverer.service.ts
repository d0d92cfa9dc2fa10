import { Injectable } from '@nestjs/common';
import { Periodic, type Sweep } from '@swim/mongo';
import { MEASURE_MS, StepsRecoverer, SWEEP_MS } from '../steps/steps-recoverer.js';
import type { PaymentDocument } from './payment.schema.js';
import { PaymentRun } from './payment-run.service.js';
import { PaymentsRepository } from './payments.repository.js';

/** Each second resumes payments whose process crashed or whose retry is due, from their current step. */
@Injectable()
export class Recoverer extends StepsRecoverer<PaymentDocument> {
  constructor(documents: PaymentsRepository, run: PaymentRun) {
    super({ kind: 'payment', documents, run, originOf: ({ ending, origin }) => ending?.origin ?? origin });
  }

  @Periodic('payments', SWEEP_MS)
  recover(sweep: Sweep): Promise<void> {
    return this.resumeDue(sweep);
  }

  @Periodic('payments-backlog', MEASURE_MS)
  measure(): Promise<void> {
    return this.measureBacklog();
  }
}
