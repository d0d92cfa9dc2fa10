import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { CalendarService, type Claim, type ClaimRequest } from '../calendar/calendar.service.js';
import { PoolsService } from '../pools/pools.service.js';
import {
  type ClaimedSlots,
  elementsOf,
  notOffered,
  type RejectedSlot,
  rejectedSlots,
  type Slot,
  type SlotsRequest,
  skippedOf,
  without,
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

  /** Claims all slots, or with `skip` the free ones; otherwise returns the rejected ones. */
  async claim(env: Environment, request: SlotsRequest): Promise<ClaimedSlots> {
    const rejected = notOffered(request);
    let slots = without(request.slots, rejected);
    for (;;) {
      if (slots.length === 0 || (rejected.length > 0 && !request.skip)) {
        return {
          claim: null,
          rejected: request.skip ? rejected : [...rejected, ...(await this.check(env, request, slots))],
        };
      }
      const { key, holdMs, excluded, fence } = request;
      const elements = slots.flatMap((slot) => elementsOf(slot, request));
      const taken = await this.calendar.take(env, {
        key,
        fence,
        elements,
        plan: await request.plan(slots),
        skipped: skippedOf(rejected),
        ...this.preconditionOf(env, request),
        excluded,
        ...(holdMs === undefined ? {} : { holdMs }),
      });
      if ('claim' in taken) return { claim: taken.claim, slots, rejected };
      rejected.push(...rejectedSlots(slots, taken.taken, request));
      slots = without(slots, rejected);
    }
  }

  /** The slots that could not be claimed now; stores nothing. */
  async preview(env: Environment, request: SlotsRequest): Promise<RejectedSlot[]> {
    const rejected = notOffered(request);
    return [...rejected, ...(await this.check(env, request, without(request.slots, rejected)))];
  }

  /** Claims the time of one lesson; its rejection suggests other times. */
  async claimOne(env: Environment, request: SlotsRequest): Promise<Claim> {
    const claimed = await this.claim(env, request);
    if (!claimed.claim) throw await this.suggestions.rejection(env, claimed.rejected, request);
    return claimed.claim;
  }

  /** Rejects one lesson whose time could not be claimed now; stores nothing. */
  async checkOne(env: Environment, request: SlotsRequest): Promise<void> {
    const rejected = await this.preview(env, request);
    if (rejected.length > 0) throw await this.suggestions.rejection(env, rejected, request);
  }

  // A removal of the pool may begin between its validation and the claim.
  private preconditionOf(env: Environment, { pool }: SlotsRequest): Pick<ClaimRequest, 'precondition'> {
    return pool ? { precondition: () => this.pools.requireOpen(env, pool.id) } : {};
  }

  private async check(
    env: Environment,
    request: Pick<SlotsRequest, 'rules' | 'pool'>,
    slots: Slot[],
  ): Promise<RejectedSlot[]> {
    const taken = await this.calendar.check(
      env,
      slots.flatMap((slot) => elementsOf(slot, request)),
    );
    return rejectedSlots(slots, taken, request);
  }
}
