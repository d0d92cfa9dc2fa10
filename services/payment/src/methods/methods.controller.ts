import { Controller } from '@nestjs/common';
import {
  addPaymentMethod,
  listPaymentMethods,
  type Page,
  type ParsedOf,
  type PaymentMethod,
  removePaymentMethod,
  updatePaymentMethod,
} from '@swim/contracts';
import { type Call, Serve } from '@swim/messaging';
import { MethodsService } from './methods.service.js';

/** Door of payment methods. */
@Controller()
export class MethodsController {
  constructor(private readonly methods: MethodsService) {}

  @Serve(addPaymentMethod)
  add(input: ParsedOf<typeof addPaymentMethod>, call: Call): Promise<PaymentMethod> {
    return this.methods.add(input, call);
  }

  @Serve(listPaymentMethods)
  list(input: ParsedOf<typeof listPaymentMethods>, call: Call): Promise<Page<PaymentMethod>> {
    return this.methods.list(input, call);
  }

  @Serve(updatePaymentMethod)
  update(input: ParsedOf<typeof updatePaymentMethod>, call: Call): Promise<PaymentMethod> {
    return this.methods.update(input, call);
  }

  @Serve(removePaymentMethod)
  remove(input: ParsedOf<typeof removePaymentMethod>, call: Call): Promise<Record<string, never>> {
    return this.methods.remove(input.payment_method_id, call);
  }
}
