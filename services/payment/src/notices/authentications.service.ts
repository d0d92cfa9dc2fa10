import { Injectable } from '@nestjs/common';
import { authenticateSandboxPayment, type ParsedOf, type Payment } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { invalidState, type RequestContext } from '@swim/platform';
import { PaymentsService } from '../payments/payments.service.js';
import { SimulatedBank } from '../processor/simulator/simulated-bank.service.js';

/** Takes the place of cardholders whom the bank of the sandbox asks to authenticate themselves. */
@Injectable()
export class AuthenticationsService {
  constructor(
    private readonly bank: SimulatedBank,
    private readonly payments: PaymentsService,
  ) {}

  /** Answers the bank, and returns the payment as the answer leaves it. Every account that may read the payment may do this. */
  @Serve(authenticateSandboxPayment)
  async authenticate(
    { payment_id: id, outcome }: ParsedOf<typeof authenticateSandboxPayment>,
    context: RequestContext,
  ): Promise<Payment> {
    const payment = await this.payments.get({ payment_id: id }, context);
    const answered = await this.bank.answer(id, outcome === 'succeeded', context.dryRun);
    if (!answered)
      throw invalidState(
        'Only a payment that waits for its cardholder can be authenticated',
        payment.status,
        'payment_id',
      );
    if (!context.dryRun) return this.payments.followCardholder(id, context);
    if (payment.status !== 'pending') return payment;
    const { state, failureCode } = answered;
    return { ...payment, status: state as Payment['status'], failure_code: failureCode, next_action: null };
  }
}
