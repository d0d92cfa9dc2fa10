import { Injectable } from '@nestjs/common';
import { Periodic, type Sweep } from '@swim/mongo';
import { MEASURE_MS, StepsRecoverer, SWEEP_MS } from '../steps/steps-recoverer.js';
import type { RefundDocument } from './refund.schema.js';
import { RefundRun } from './refund-run.service.js';
import { RefundsRepository } from './refunds.repository.js';

/** Each second resumes refunds whose process crashed or whose retry is due, from their current step. */
@Injectable()
export class RefundRecoverer extends StepsRecoverer<RefundDocument> {
  constructor(documents: RefundsRepository, run: RefundRun) {
    super({ kind: 'refund', documents, run, originOf: ({ origin }) => origin });
  }

  @Periodic('refunds', SWEEP_MS)
  recover(sweep: Sweep): Promise<void> {
    return this.resumeDue(sweep);
  }

  @Periodic('refunds-backlog', MEASURE_MS)
  measure(): Promise<void> {
    return this.measureBacklog();
  }
}
