import { Injectable } from '@nestjs/common';
import type { ReleasedTime } from '../calendar/released-time.service.js';
import type { HoldDocument } from './hold.schema.js';

/** Reacts to the end of a hold, and to the making of a hold for a waitlist entry (`hold.waitlistId`). */
export interface HoldObserver {
  /** Whether a waitlist entry could use some of an instructor's time. */
  isAwaited(instructorId: string, time: Pick<ReleasedTime, 'startMs' | 'endMs'>): Promise<boolean>;
  /** Offers time to the waitlist before calling `release`, which releases it. Idempotent. */
  passOn(instructorId: string, times: readonly ReleasedTime[], release: () => Promise<void>): Promise<void>;
  /** Offers the time of a hold whose claim is released already. Idempotent. */
  offerReleased(hold: HoldDocument): Promise<void>;
  /** The hold of an offer is active: marks its entry as offered; false when the entry is no longer waiting. Idempotent. */
  offered(hold: HoldDocument): Promise<boolean>;
  /** Claims the time of an offer after a crash; null when the time is taken or the entry is no longer waiting. */
  reclaim(hold: HoldDocument): Promise<HoldDocument | null>;
  /** The offer was booked. Idempotent. */
  accepted(hold: HoldDocument, bookingId: string): Promise<void>;
  /** The offer was taken back: its entry waits again. Idempotent. */
  returned(hold: HoldDocument): Promise<void>;
  /** The offer ended without a booking. Idempotent. */
  lapsed(hold: HoldDocument): Promise<void>;
}

/** Connects the waitlist to holds, which do not import it. */
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
