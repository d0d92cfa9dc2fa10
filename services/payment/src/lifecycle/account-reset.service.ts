import { Injectable } from '@nestjs/common';
import { addDemoMethod, addPaymentMethod, DEMO_METHOD, type ParsedOf, resetPayments } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AccountResets } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { MethodsService } from '../methods/methods.service.js';
import { EndingsService } from '../payments/endings.service.js';
import { MethodRemovalService } from '../payments/method-removal.service.js';
import { PaymentsService } from '../payments/payments.service.js';

/** Resets what test accounts have in payment. */
@Injectable()
export class AccountResetService {
  constructor(
    private readonly endings: EndingsService,
    private readonly payments: PaymentsService,
    private readonly methods: MethodsService,
    private readonly resets: AccountResets,
    private readonly removal: MethodRemovalService,
  ) {}

  /** Takes a phase as far as the deadline permits; returns whether it is done. Idempotent. */
  @Serve(resetPayments)
  async reset(
    { accountId, before: text, phase }: ParsedOf<typeof resetPayments>,
    context: RequestContext,
  ): Promise<{ done: boolean }> {
    const before = new Date(text);
    if (phase === 'end') return { done: await this.end(accountId, before, context) };
    await this.removal.removeBefore(before, context);
    return { done: await this.resets.empty({ accountId, before }, context.deadline) };
  }

  /** Makes the payment method of a family's demo data. Idempotent. */
  @Serve(addDemoMethod)
  async addDemoMethod(
    { accountId, id }: ParsedOf<typeof addDemoMethod>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    const input = addPaymentMethod.input.parse({ account_id: accountId, ...DEMO_METHOD });
    await this.methods.add(input, { ...context, newId: () => id });
    return {};
  }

  /** Payments in progress end first. Refunds are not awaited: one that failed, or whose payment is disputed, takes hours or weeks. */
  private async end(accountId: string, before: Date, context: RequestContext): Promise<boolean> {
    return (
      (await this.endings.releaseAll(accountId, context, before)) && !(await this.payments.hasUnfinished(accountId))
    );
  }
}
