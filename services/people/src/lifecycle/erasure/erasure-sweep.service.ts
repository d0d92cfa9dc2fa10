import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { Periodic, type Sweep } from '@swim/mongo';
import { AccountClosingService } from './account-closing.service.js';
import type { ErasureDocument } from './erasure.schema.js';
import { ErasureRun } from './erasure-run.service.js';
import { ErasuresRepository } from './erasures.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 8;

/**
 * Each second resumes the erasures that are due: new ones, and those whose last run ended early. A failed one waits for its
 * lease.
 */
@Injectable()
export class ErasureSweep {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly closing: AccountClosingService,
    private readonly run: ErasureRun,
  ) {}

  @Periodic('erasures', SWEEP_MS)
  async resumeDue(sweep: Sweep): Promise<void> {
    for (const env of ENVIRONMENTS) {
      await this.closing.beginDue(env, sweep);
      const due = await this.erasures.findDue(env, BATCH);
      await Promise.all(due.map((erasure) => sweep.attempt(erasure, () => this.resume(env, erasure))));
    }
  }

  private async resume(env: Environment, due: ErasureDocument): Promise<void> {
    const taken = await this.erasures.takeOver(env, due);
    if (taken) await this.run.goOn(env, taken);
  }
}
