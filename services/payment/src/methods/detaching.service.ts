import { Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import { systemContext } from '@swim/platform';
import { Processors } from '../processor/processors.service.js';
import { MethodsRepository } from './methods.repository.js';
import type { Wallet } from './wallet.schema.js';

/** Removes at the processor the methods that were removed from wallets, until the processor has done so. */
@Injectable()
export class DetachingService {
  constructor(
    private readonly wallets: MethodsRepository,
    private readonly processors: Processors,
  ) {}

  @WhenDue(({ wallets }: DetachingService) => wallets.detaching)
  async detach(wallet: Wallet): Promise<void> {
    const tokens = wallet.detaching ?? [];
    for (const token of tokens) await this.processors.current().detachMethod(token);
    await this.wallets.markDetached(wallet, tokens, systemContext(wallet._id));
  }
}
