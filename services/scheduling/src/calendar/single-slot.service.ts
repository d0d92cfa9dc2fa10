import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import type { Claim } from './calendar.service.js';
import { type SlotsRequest, SlotsService } from './slots.service.js';
import { SuggestionsService } from './suggestions.service.js';

/** Claims the time of one lesson; what stands in the way is refused with times that can be had instead. */
@Injectable()
export class SingleSlotService {
  constructor(
    private readonly slots: SlotsService,
    private readonly suggestions: SuggestionsService,
  ) {}

  async claim(env: Environment, request: SlotsRequest): Promise<Claim> {
    const claimed = await this.slots.claim(env, request);
    if (!claimed.claim) throw await this.suggestions.refusal(env, claimed.refused, request);
    return claimed.claim;
  }

  /** Refuses what could not be claimed now; keeps nothing. */
  async rehearse(env: Environment, request: SlotsRequest): Promise<void> {
    const refused = await this.slots.preview(env, request);
    if (refused.length > 0) throw await this.suggestions.refusal(env, refused, request);
  }
}
