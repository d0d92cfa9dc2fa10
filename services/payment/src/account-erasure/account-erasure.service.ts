import { Inject, Injectable } from '@nestjs/common';
import { AccountRemains, DataKeys } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { MethodsService } from '../methods/methods.service.js';
import { EndingsService } from '../payments/endings.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { RefundsService } from '../refunds/refunds.service.js';

/** Erases an account's data in payment. */
@Injectable()
export class AccountErasureService {
  @Inject(AccountRemains) private readonly remains!: AccountRemains;

  constructor(
    private readonly endings: EndingsService,
    private readonly payments: PaymentsService,
    private readonly refunds: RefundsService,
    private readonly methods: MethodsService,
    private readonly keys: DataKeys,
  ) {}

  /**
   * Erases as much as the deadline permits; returns whether nothing is left. Authorisations are released, and payments and refunds
   * in progress are finished first: their card must stay until then. Destroying the key makes the reasons of refunds unreadable;
   * those that a school wrote are removed. Idempotent.
   */
  async erase(accountId: string, context: RequestContext): Promise<boolean> {
    const { env } = context.principal;
    if (!(await this.endings.releaseAll(accountId, context))) return false;
    if (await this.payments.hasUnfinished(env, accountId)) return false;
    if (await this.refunds.hasUnfinished(env, accountId)) return false;
    if (!(await this.payments.clearMetadata(context))) return false;
    await this.methods.removeAll(context);
    await this.keys.destroy(env, accountId);
    return this.remains.erase(env, accountId, context.deadline);
  }
}
