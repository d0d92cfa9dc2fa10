import { Injectable } from '@nestjs/common';
import { CalendarService, type Claim, type ClaimRequest } from '../calendar/calendar.service.js';
import { PoolsService } from '../pools/pools.service.js';
import {
  type ClaimedSlots,
  elementsOf,
  keptSlots,
  notOffered,
  type RejectedSlot,
  rejectedSlots,
  type SlotsRequest,
  skippedOf,
} from './slot.rules.js';
import { SuggestionsService } from './suggestions.service.js';

export type { ClaimedSlots, PoolLanes, RejectedSlot, Slot, SlotsRequest } from './slot.rules.js';

/** Turns lessons into claims: published hours, buffers, instructor, members and lanes. */
@Injectable()
export class SlotsService {
  constructor(
    private readonly calendar: CalendarService,
    private readonly pools: PoolsService,
    private readonly suggestions: SuggestionsService,
  ) {}

  /**
   * Claims all slots, or with `skip` the free ones; otherwise returns the rejected ones. Each failed claim blocks a slot more,
   * and then the slots that overlap it are considered again.
   */
  async claim(request: SlotsRequest): Promise<ClaimedSlots> {
    const blocked = [...(request.blocked ?? []), ...notOffered(request)];
    for (;;) {
      const { kept: slots, rejected } = keptSlots(request, blocked);
      if (rejected.length > 0 && !request.skip)
        return { claim: null, rejected: await this.findRejected(request, blocked) };
      if (slots.length === 0) return { claim: null, rejected };
      const { key, holdMs, excluded, fence } = request;
      const taken = await this.calendar.take({
        key,
        fence,
        elements: slots.flatMap((slot) => elementsOf(slot, request)),
        plan: await request.plan(slots),
        skipped: skippedOf(rejected),
        ...this.preconditionOf(request),
        ...(request.recheck ? { recheck: request.recheck } : {}),
        looksTaken: request.looksTaken ?? false,
        excluded,
        ...(holdMs === undefined ? {} : { holdMs }),
      });
      if ('claim' in taken) return { claim: taken.claim, slots, rejected };
      blocked.push(...rejectedSlots(slots, taken.taken, request));
    }
  }

  /** The slots that could not be claimed now, as a claim that may skip them would find; stores nothing. */
  preview(request: SlotsRequest): Promise<RejectedSlot[]> {
    return this.findRejected(request, [...(request.blocked ?? []), ...notOffered(request)]);
  }

  /** Claims the time of one lesson; its rejection suggests other times. */
  async claimOne(request: SlotsRequest): Promise<Claim> {
    const claimed = await this.claim(request);
    if (!claimed.claim) throw await this.suggestions.rejection(claimed.rejected, request);
    return claimed.claim;
  }

  /** Rejects one lesson whose time could not be claimed now; stores nothing. */
  async checkOne(request: SlotsRequest): Promise<void> {
    const rejected = await this.preview(request);
    if (rejected.length > 0) throw await this.suggestions.rejection(rejected, request);
  }

  // A removal of the pool may begin between its validation and the claim.
  private preconditionOf({ pool }: SlotsRequest): Pick<ClaimRequest, 'precondition'> {
    return pool ? { precondition: () => this.pools.requireOpen(pool.id) } : {};
  }

  private async findRejected(request: SlotsRequest, known: RejectedSlot[]): Promise<RejectedSlot[]> {
    const blocked = [...known];
    for (;;) {
      const { kept, rejected } = keptSlots(request, blocked);
      if (kept.length === 0) return rejected;
      const elements = kept.flatMap((slot) => elementsOf(slot, request));
      const taken = await this.calendar.check(elements);
      if (taken.length === 0) return rejected;
      blocked.push(...rejectedSlots(kept, taken, request));
    }
  }
}
