import { Injectable } from '@nestjs/common';
import { AccountRemains } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { MethodsService } from '../methods/methods.service.js';
import { PaymentsRepository } from './payments.repository.js';

/** What becomes of the money of an account that is erased. */
@Injectable()
export class AccountErasureService {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly methods: MethodsService,
    private readonly remains: AccountRemains,
  ) {}

  /**
   * As much as fits into the deadline; whether nothing is left. A payment under way is finished first, by whoever has it:
   * its card must not go before. Safe to repeat.
   */
  async erase(accountId: string, context: RequestContext): Promise<boolean> {
    const { env } = context.principal;
    if (await this.payments.hasUnfinished(env, accountId)) return false;
    if (!(await this.methods.removeAll(context))) return false;
    return this.remains.erase(env, accountId, context.deadline);
  }
}
