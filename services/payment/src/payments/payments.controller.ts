import { Controller } from '@nestjs/common';
import { createPayment, getPayment, listPayments, type Page, type ParsedOf, type Payment } from '@swim/contracts';
import { type Call, Serve } from '@swim/messaging';
import { PaymentsService } from './payments.service.js';

/** Door of payments. */
@Controller()
export class PaymentsController {
  constructor(private readonly payments: PaymentsService) {}

  @Serve(createPayment)
  create(input: ParsedOf<typeof createPayment>, call: Call): Promise<Payment> {
    return this.payments.create(input, call);
  }

  @Serve(getPayment)
  get(input: ParsedOf<typeof getPayment>, call: Call): Promise<Payment> {
    return this.payments.get(input.payment_id, call);
  }

  @Serve(listPayments)
  list(input: ParsedOf<typeof listPayments>, call: Call): Promise<Page<Payment>> {
    return this.payments.list(input, call);
  }
}
