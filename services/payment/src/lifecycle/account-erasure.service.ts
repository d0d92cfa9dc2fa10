import { Inject, Injectable } from '@nestjs/common';
import { erasePaymentsOfAccount, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AccountRemains, DataKeys, hasTimeFor } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { MethodsService } from '../methods/methods.service.js';
import { EndingsService } from '../payments/endings.service.js';
import { MethodRemovalService } from '../payments/method-removal.service.js';
import { PaymentsService } from '../payments/payments.service.js';

/** Erases an account's data in payment. */
@Injectable()
export class AccountErasureService {
  @Inject(MethodRemovalService) private readonly removal!: MethodRemovalService;

  constructor(
    private readonly endings: EndingsService,
    private readonly payments: PaymentsService,
    private readonly methods: MethodsService,
    private readonly keys: DataKeys,
    private readonly remains: AccountRemains,
  ) {}

  /**
   * Erases as much as the deadline permits; returns whether nothing is left. Authorisations are released, and payments in progress
   * are finished first: their card must stay until then. Refunds need no card and go on after the erasure, one of a disputed payment
   * for weeks. Destroying the key makes the reasons of refunds unreadable; those that a school wrote are removed. Idempotent.
   */
  @Serve(erasePaymentsOfAccount)
  async erase(
    { accountId }: ParsedOf<typeof erasePaymentsOfAccount>,
    context: RequestContext,
  ): Promise<{ done: boolean }> {
    while (!(await this.endings.releaseAll(accountId, context)))
      if (!hasTimeFor(context.deadline)) return { done: false };
    if (await this.payments.hasUnfinished(accountId)) return { done: false };
    if (await this.removal.isCharging(context)) return { done: false };
    if (!(await this.payments.clearMetadata(context))) return { done: false };
    await this.methods.removeAll(context);
    await this.keys.destroy(accountId);
    return { done: await this.remains.erase(accountId, context.deadline) };
  }
}
