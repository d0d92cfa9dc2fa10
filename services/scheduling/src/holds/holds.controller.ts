import { Controller } from '@nestjs/common';
import { createHold, getHold, type Hold, listHolds, type Page, type ParsedOf, removeHold } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { Answered, RequestContext } from '@swim/platform';
import { HoldsService } from './holds.service.js';

@Controller()
export class HoldsController {
  constructor(private readonly holds: HoldsService) {}

  @Serve(createHold)
  create(input: ParsedOf<typeof createHold>, context: RequestContext): Promise<Hold> {
    return this.holds.create(input, context);
  }

  @Serve(getHold)
  get(input: ParsedOf<typeof getHold>, context: RequestContext): Promise<Hold> {
    return this.holds.get(input.hold_id, context);
  }

  @Serve(listHolds)
  list(query: ParsedOf<typeof listHolds>, context: RequestContext): Promise<Page<Hold>> {
    return this.holds.list(query, context);
  }

  @Serve(removeHold)
  remove(input: ParsedOf<typeof removeHold>, context: RequestContext): Promise<Answered<typeof removeHold>> {
    return this.holds.remove(input.hold_id, context);
  }
}
