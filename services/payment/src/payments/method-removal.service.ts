import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type ParsedOf, removePaymentMethod } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
import { MethodsService } from '../methods/methods.service.js';
import { PaymentsRepository } from './payments.repository.js';

const PATIENCE_MS = 2_000;
const POLL_MS = 50;
/** Reserved for the response before the deadline, in ms. */
const ANSWER_MARGIN_MS = 1_000;

/**
 * Removes payment methods. A charge by a family's consent marks its method in the wallet before the processor is called: the removal
 * waits for it, so that no such charge follows a removal that was answered.
 */
@Injectable()
export class MethodRemovalService {
  constructor(
    private readonly methods: MethodsService,
    private readonly payments: PaymentsRepository,
  ) {}

  /** `change_in_progress` while a charge takes longer than 2 seconds. */
  @Serve(removePaymentMethod)
  async remove(
    input: ParsedOf<typeof removePaymentMethod>,
    requesting: RequestContext,
  ): Promise<Record<string, never>> {
    const context = await this.methods.asOwner(input.payment_method_id, requesting);
    const endsAtMs = performance.now() + Math.min(PATIENCE_MS, context.deadline.remainingMs() - ANSWER_MARGIN_MS);
    for (;;) {
      try {
        return await this.methods.remove(input, context);
      } catch (error) {
        if (!isInUse(error) || ((await this.isCharging(context)) && performance.now() > endsAtMs)) throw error;
        await pause(POLL_MS);
      }
    }
  }

  /** Whether one of the account's methods is being charged by its consent; drops the marks of charges that have ended. */
  async isCharging(context: RequestContext): Promise<boolean> {
    const marked = await this.methods.chargesOf(context);
    if (marked.length === 0) return false;
    const charging = new Set(await this.payments.findCharging(marked));
    const ended = marked.filter((id) => !charging.has(id));
    if (ended.length > 0) await this.methods.release(context.principal.accountId, ended);
    return charging.size > 0;
  }

  /** Removes the account's methods made before an instant, each with its event. Idempotent. */
  async removeBefore(before: Date, context: RequestContext): Promise<void> {
    for (const id of await this.methods.idsBefore(before, context))
      await this.remove({ payment_method_id: id }, context).catch(unlessGone);
  }
}

/** Whether a method is marked; rivals that change the wallet name no field. */
const isInUse = (error: unknown): boolean =>
  error instanceof AppError && error.reason === 'change_in_progress' && error.details.field === 'payment_method_id';

function unlessGone(error: unknown): void {
  if (!(error instanceof AppError) || error.reason !== 'resource_not_found') throw error;
}
