import { Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import type { HoldDocument } from './hold.schema.js';
import { HoldObserverRegistry } from './hold-observer.service.js';
import { HoldPlacementService } from './hold-placement.service.js';
import { HoldReleaseService } from './hold-release.service.js';
import { HoldsRepository } from './holds.repository.js';

const PATIENCE_MS = 90_000;

/** Ends expired holds, and finishes or removes those that a crash has left in `claiming`. */
@Injectable()
export class HoldSweep {
  constructor(
    private readonly holds: HoldsRepository,
    private readonly placement: HoldPlacementService,
    private readonly ends: HoldReleaseService,
    private readonly observers: HoldObserverRegistry,
  ) {}

  // The account does not know of an interrupted offer, and cannot repeat the request.
  private async finish(hold: HoldDocument): Promise<HoldDocument | null> {
    const finished = await this.placement.finish(hold);
    return finished ?? (hold.waitlistId ? this.observers.observer.reclaim(hold) : null);
  }

  // The previous holder may not have released the time of an offer yet.
  private putOffOrForget({ _id, waitlistId, createdAt }: HoldDocument): Promise<void> {
    const isYoung = createdAt.getTime() > this.holds.now().getTime() - PATIENCE_MS;
    return waitlistId && isYoung ? this.holds.postpone(_id) : this.holds.forgetClaiming(_id);
  }

  @WhenDue(({ holds }: HoldSweep) => holds.due)
  async lookAfter(hold: HoldDocument): Promise<void> {
    const active = hold.status === 'claiming' ? await this.finish(hold) : hold;
    if (!active) return this.putOffOrForget(hold);
    if (active.expiresAt && active.expiresAt <= this.holds.now()) return void (await this.ends.lapse(active));
    const isKept = !active.waitlistId || (await this.observers.observer.offered(active));
    if (!isKept) return void (await this.ends.withdraw(active._id));
    await this.holds.scheduleEnd(active._id);
  }
}
