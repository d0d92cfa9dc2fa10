import { Controller } from '@nestjs/common';
import {
  createRefund,
  listOwnRefunds,
  listRefunds,
  type Page,
  type ParsedOf,
  type Refund,
  refundForBooking,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { RefundsService } from './refunds.service.js';

/** Operations on refunds. */
@Controller()
export class RefundsController {
  constructor(private readonly refunds: RefundsService) {}

  @Serve(createRefund)
  create(input: ParsedOf<typeof createRefund>, context: RequestContext): Promise<Refund> {
    return this.refunds.create(input, context);
  }

  @Serve(listRefunds)
  list(input: ParsedOf<typeof listRefunds>, context: RequestContext): Promise<Page<Refund>> {
    return this.refunds.list(input, context);
  }

  @Serve(listOwnRefunds)
  listOwn(input: ParsedOf<typeof listOwnRefunds>, context: RequestContext): Promise<Page<Refund>> {
    return this.refunds.listOwn(input, context);
  }

  @Serve(refundForBooking)
  refundForBooking(input: ParsedOf<typeof refundForBooking>, context: RequestContext): Promise<{ accepted: true }> {
    return this.refunds.refundForBooking(input, context);
  }
}
