import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import type { ReleasedTime } from '../calendar/released-time.service.js';
import type { HoldDocument } from './hold.schema.js';

/** What follows from the end of a hold, and from the making of one for a place on the waitlist (`hold.waitlistId`). */
export interface HoldObserver {
  /** Whether a place on the waitlist could use some of an instructor's time. */
  isAwaited(env: Environment, instructorId: string, time: Pick<ReleasedTime, 'startMs' | 'endMs'>): Promise<boolean>;
  /** Called before time is released, so that the waitlist is offered it first. Safe to repeat. */
  passOn(env: Environment, instructorId: string, time: ReleasedTime): Promise<void>;
  /** The hold of an offer is active: its place is offered it. Safe to repeat. */
  offered(env: Environment, hold: HoldDocument): Promise<void>;
  /** Claims the time of an offer whose making a crash cut off; null when it cannot be claimed now, or nobody waits. */
  reclaim(env: Environment, hold: HoldDocument): Promise<HoldDocument | null>;
  /** A booking was made of the offer. Safe to repeat. */
  accepted(env: Environment, waitlistId: string, bookingId: string): Promise<void>;
  /** The offer ended without a booking. Safe to repeat. */
  lapsed(env: Environment, waitlistId: string, holdId: string): Promise<void>;
}

/** Lets the waitlist observe holds, since holds know nothing of what is built on them. */
@Injectable()
export class HoldObserverRegistry {
  private registered: HoldObserver | null = null;

  register(observer: HoldObserver): void {
    this.registered = observer;
  }

  get observer(): HoldObserver {
    if (!this.registered) throw new Error('No HoldObserver is registered: import WaitlistModule.');
    return this.registered;
  }
}
