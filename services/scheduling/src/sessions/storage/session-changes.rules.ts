import { isDeepStrictEqual } from 'node:util';
import type { Location, MetadataPatch } from '@swim/contracts';
import type { Slot } from '../../slots/slot.rules.js';
import type { SessionDocument } from './session.schema.js';

/** A requested partial update. */
export interface SessionChanges {
  lesson_id?: string | undefined;
  date?: string | undefined;
  duration_minutes?: number | undefined;
  instructor_id?: string | undefined;
  location?: Location | undefined;
  notes?: string | null | undefined;
  metadata?: MetadataPatch | undefined;
  price_cents?: number | undefined;
  price_reason?: string | null | undefined;
  version?: number | undefined;
}

/** Where and when a session takes place. */
export interface MoveTarget {
  instructorId: string;
  slot: Slot;
  location: Location | null;
}

/** Where and when a session would be after the changes. */
export function movedTo(session: SessionDocument, changes: SessionChanges): MoveTarget {
  const startMs = changes.date ? Date.parse(changes.date) : session.start.getTime();
  const durationMinutes = changes.duration_minutes ?? session.durationMinutes;
  const sessions = [{ id: session._id, memberId: session.memberId }];
  return {
    instructorId: changes.instructor_id ?? session.instructorId,
    slot: { startMs, endMs: startMs + durationMinutes * 60_000, sessions },
    location: changes.location ?? session.location,
  };
}

/** Whether time or instructor change: then the event is `session.rescheduled`. */
export function isRescheduled(session: SessionDocument, to: MoveTarget): boolean {
  return (
    to.instructorId !== session.instructorId ||
    to.slot.startMs !== session.start.getTime() ||
    to.slot.endMs !== session.end.getTime()
  );
}

/** Whether the lesson of the session has to follow, or the session to leave it. */
export const isMove = (session: SessionDocument, to: MoveTarget): boolean =>
  isRescheduled(session, to) || !isDeepStrictEqual(to.location, session.location);
