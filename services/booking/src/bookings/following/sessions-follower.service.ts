import { Injectable } from '@nestjs/common';
import {
  type BusEvent,
  type SessionObject,
  sessionAttendanceRecorded,
  sessionCancelled,
  sessionCompleted,
  sessionRescheduled,
  sessionUpdated,
} from '@swim/contracts';
import { On } from '@swim/messaging';
import { contextOfCause, Deadline, KeyedQueue, type RequestContext, TooEarly } from '@swim/platform';
import { type CausedState, withAdditions } from '../../money/consent.rules.js';
import { withSessions } from '../../money/session-billing.rules.js';
import { DraftsRepository } from '../drafts/drafts.repository.js';
import type { BookingDocument } from '../storage/booking.schema.js';
import { BookingsRepository } from '../storage/bookings.repository.js';
import { BookingRequests } from './booking-requests.service.js';

const BUDGET_MS = 10_000;

/** States of sessions of one booking that are stored by one write. */
interface Batch {
  states: CausedState[];
  stored: Promise<void>;
}

/**
 * Makes bookings follow their sessions: the newest state of each is stored in its booking, with the amount and the status that
 * follow. A state that is not newer than the stored one is ignored, so that events may arrive twice and in any order.
 */
@Injectable()
export class SessionsFollower {
  private readonly batches = new Map<string, Batch>();
  private readonly queue = new KeyedQueue();

  constructor(
    private readonly bookings: BookingsRepository,
    private readonly requests: BookingRequests,
    private readonly drafts: DraftsRepository,
  ) {}

  /** Stores the state of a session in its booking; events that arrive while the booking is being written share the next write. */
  @On(sessionUpdated)
  @On(sessionRescheduled)
  @On(sessionCompleted)
  @On(sessionAttendanceRecorded)
  @On(sessionCancelled)
  consume({ env, object, cause }: BusEvent<SessionObject>): Promise<void> {
    const { booking_id: bookingId } = object;
    const state = { ...object, by: cause.accountId };
    if (bookingId === null) return Promise.resolve();
    const key = `${env}/${bookingId}`;
    const open = this.batches.get(key);
    if (open) {
      open.states.push(state);
      return open.stored;
    }
    const states: CausedState[] = [state];
    const stored = this.queue.run(key, async () => {
      this.batches.delete(key);
      await this.store(bookingId, states, contextOfCause(cause, new Deadline(BUDGET_MS)));
    });
    this.batches.set(key, { states, stored });
    return stored;
  }

  /** Stores states of sessions of a booking, if they are newer; returns the booking, null when no account sees it. */
  async store(bookingId: string, states: CausedState[], context: RequestContext): Promise<BookingDocument | null> {
    const booking = await this.bookings.follow(context, bookingId, (now) => {
      const sessions = withSessions(now, states);
      const consent = withAdditions(now, states);
      return sessions === now.sessions ? null : { sessions, ...(consent ? { consent } : {}) };
    });
    if (!booking) await this.rejectEarly(bookingId);
    else if (!context.isBulk) this.requests.sendSoon(booking);
    return booking;
  }

  /** A booking that is about to be made, or was made since it was read, may have read its sessions before this change. */
  private async rejectEarly(bookingId: string): Promise<void> {
    const draft = await this.drafts.find(bookingId);
    if (draft && draft.state !== 'failed') throw new TooEarly();
  }
}
