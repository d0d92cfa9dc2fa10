import { Controller } from '@nestjs/common';
import { type AppliedClock, applyClockToWebhooks, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { DeliveryClockService } from './delivery-clock.service.js';

@Controller()
export class DeliveryClockController {
  constructor(private readonly clocks: DeliveryClockService) {}

  @Serve(applyClockToWebhooks)
  async apply({ fromMs, ...clock }: ParsedOf<typeof applyClockToWebhooks>): Promise<AppliedClock> {
    return { handled: await this.clocks.applyClock(clock, fromMs), nextOffsetMs: null };
  }
}
