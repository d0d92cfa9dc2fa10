import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { Periodic, type Sweep } from '@swim/mongo';
import { systemContext } from '@swim/platform';
import { Processors } from '../processor/processors.service.js';
import { MethodsRepository } from './methods.repository.js';
import type { Wallet } from './wallet.schema.js';

const SWEEP_MS = 1_000;
const BATCH = 16;

/** Removes at the processor the methods that were removed from wallets, until the processor has done so. */
@Injectable()
export class DetachingService {
  constructor(
    private readonly wallets: MethodsRepository,
    private readonly processors: Processors,
  ) {}

  @Periodic('payment-methods', SWEEP_MS)
  async detachDue(sweep: Sweep): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const due = await this.wallets.findDetaching(env, BATCH);
      // Taking a wallet moves its due time: failing ones queue behind the others.
      await Promise.all(due.map((wallet) => sweep.attempt(wallet, () => this.detach(wallet, env))));
    }
  }

  private async detach(wallet: Wallet, env: Environment): Promise<void> {
    if (!(await this.wallets.takeDetaching(env, wallet))) return;
    const tokens = wallet.detaching ?? [];
    for (const token of tokens) await this.processors.of(env).detachMethod(token);
    await this.wallets.markDetached(wallet, tokens, systemContext(env, wallet._id));
  }
}
