import { Controller } from '@nestjs/common';
import {
  addPaymentMethod,
  getPaymentMethod,
  listPaymentMethods,
  type Page,
  type ParsedOf,
  type PaymentMethod,
  removePaymentMethod,
  updatePaymentMethod,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { MethodsService } from './methods.service.js';

/** Operations on payment methods. */
@Controller()
export class MethodsController {
  constructor(private readonly methods: MethodsService) {}

  @Serve(addPaymentMethod)
  add(input: ParsedOf<typeof addPaymentMethod>, context: RequestContext): Promise<PaymentMethod> {
    return this.methods.add(input, context);
  }

  @Serve(listPaymentMethods)
  list(input: ParsedOf<typeof listPaymentMethods>, context: RequestContext): Promise<Page<PaymentMethod>> {
    return this.methods.list(input, context);
  }

  @Serve(getPaymentMethod)
  get(input: ParsedOf<typeof getPaymentMethod>, context: RequestContext): Promise<PaymentMethod> {
    return this.methods.get(input.payment_method_id, context);
  }

  @Serve(updatePaymentMethod)
  update(input: ParsedOf<typeof updatePaymentMethod>, context: RequestContext): Promise<PaymentMethod> {
    return this.methods.update(input, context);
  }

  @Serve(removePaymentMethod)
  remove(input: ParsedOf<typeof removePaymentMethod>, context: RequestContext): Promise<Record<string, never>> {
    return this.methods.remove(input.payment_method_id, context);
  }
}
