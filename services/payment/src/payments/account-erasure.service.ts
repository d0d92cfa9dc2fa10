import { Injectable } from '@nestjs/common';
import { AccountRemains } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { MethodsService } from '../methods/methods.service.js';
import { PaymentsRepository } from './payments.repository.js';

/** Erases an account's data in payment. */
@Injectable()
export class AccountErasureService {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly methods: MethodsService,
    private readonly remains: AccountRemains,
  ) {}

  /**
   * Erases as much as the deadline permits; returns whether nothing is left. Payments in progress are finished first: their
   * card must stay until then. Idempotent.
   */
  async erase(accountId: string, context: RequestContext): Promise<boolean> {
    const { env } = context.principal;
    if (await this.payments.hasUnfinished(env, accountId)) return false;
    if (!(await this.methods.removeAll(context))) return false;
    return this.remains.erase(env, accountId, context.deadline);
  }
}
