import { Controller } from '@nestjs/common';
import {
  capturePayment,
  createPayment,
  getPayment,
  listPayments,
  type Page,
  type ParsedOf,
  type Payment,
  updatePayment,
  voidForBooking,
  voidPayment,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { EndingsService } from './endings.service.js';
import { PaymentsService } from './payments.service.js';

/** Operations on payments. */
@Controller()
export class PaymentsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly endings: EndingsService,
  ) {}

  @Serve(createPayment)
  create(input: ParsedOf<typeof createPayment>, context: RequestContext): Promise<Payment> {
    return this.payments.create(input, context);
  }

  @Serve(capturePayment)
  capture(input: ParsedOf<typeof capturePayment>, context: RequestContext): Promise<Payment> {
    return this.endings.capture(input.payment_id, context);
  }

  @Serve(voidPayment)
  void(input: ParsedOf<typeof voidPayment>, context: RequestContext): Promise<Payment> {
    return this.endings.void(input.payment_id, context);
  }

  @Serve(voidForBooking)
  voidForBooking(input: ParsedOf<typeof voidForBooking>, context: RequestContext): Promise<{ accepted: true }> {
    return this.endings.voidForBooking(input, context);
  }

  @Serve(updatePayment)
  update(input: ParsedOf<typeof updatePayment>, context: RequestContext): Promise<Payment> {
    return this.payments.update(input, context);
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
