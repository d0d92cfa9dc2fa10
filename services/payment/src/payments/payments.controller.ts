import { Controller } from '@nestjs/common';
import { createPayment, getPayment, listPayments, type Page, type ParsedOf, type Payment } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { PaymentsService } from './payments.service.js';

/** Operations on payments. */
@Controller()
export class PaymentsController {
  constructor(private readonly payments: PaymentsService) {}

  @Serve(createPayment)
  create(input: ParsedOf<typeof createPayment>, context: RequestContext): Promise<Payment> {
    return this.payments.create(input, context);
  }

  @Serve(getPayment)
  get(input: ParsedOf<typeof getPayment>, context: RequestContext): Promise<Payment> {
    return this.payments.get(input.payment_id, context);
  }

  @Serve(listPayments)
  list(input: ParsedOf<typeof listPayments>, context: RequestContext): Promise<Page<Payment>> {
    return this.payments.list(input, context);
  }
}
