import { Controller } from '@nestjs/common';
import { type ParsedOf, receiveStripeWebhook } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { NoticesService } from './notices.service.js';

@Controller()
export class NoticesController {
  constructor(private readonly notices: NoticesService) {}

  @Serve(receiveStripeWebhook)
  receive(input: ParsedOf<typeof receiveStripeWebhook>): Promise<{ received: true }> {
    return this.notices.receiveFromStripe(input);
  }
}
