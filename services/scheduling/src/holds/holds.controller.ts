import { Controller } from '@nestjs/common';
import { createHold, getHold, type Hold, type ParsedOf, removeHold } from '@swim/contracts';
import { type Answered, type Call, Serve } from '@swim/messaging';
import { HoldsService } from './holds.service.js';

@Controller()
export class HoldsController {
  constructor(private readonly holds: HoldsService) {}

  @Serve(createHold)
  create(input: ParsedOf<typeof createHold>, call: Call): Promise<Hold> {
    return this.holds.create(input, call);
  }

  @Serve(getHold)
  get(input: ParsedOf<typeof getHold>, call: Call): Promise<Hold> {
    return this.holds.get(input.hold_id, call);
  }

  @Serve(removeHold)
  remove(input: ParsedOf<typeof removeHold>, call: Call): Promise<Answered<typeof removeHold>> {
    return this.holds.remove(input.hold_id, call);
  }
}
