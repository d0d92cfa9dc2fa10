import type { Hold } from '@swim/contracts';
import { shownDate } from '@swim/mongo';
import { lessonIdsOf } from './hold.rules.js';
import type { HoldDocument } from './hold.schema.js';

/** Maps a stored hold to the API's JSON at this time: past its end it is expired, whether or not the sweep has processed it. */
export function toHold(hold: HoldDocument, now: Date): Hold {
  const expiresAt = hold.expiresAt ?? new Date(now.getTime() + hold.lastsMs);
  const isOver = expiresAt <= now;
  const status = hold.status === 'claiming' ? 'active' : hold.status;
  return {
    id: hold._id,
    account_id: hold.accountId,
    instructor_id: hold.instructorId,
    member_ids: hold.memberIds,
    lesson_ids: lessonIdsOf(hold),
    sessions: hold.slots.map(({ startMs, endMs }) => ({
      date: new Date(startMs).toISOString(),
      end_date: new Date(endMs).toISOString(),
      duration_minutes: (endMs - startMs) / 60_000,
    })),
    location: hold.location,
    status: status === 'active' && isOver ? 'expired' : status,
    booking_id: hold.bookingId,
    waitlist_id: hold.waitlistId,
    expires_at: shownDate(hold, expiresAt).toISOString(),
    created_at: hold.createdAt.toISOString(),
    updated_at: hold.updatedAt.toISOString(),
  };
}
