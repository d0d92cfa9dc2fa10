import type { WaitlistEntry } from '@swim/contracts';
import type { WaitlistDocument } from './waitlist.schema.js';

/** Maps a stored waitlist entry to the API's JSON. */
export const toWaitlistEntry = (entry: WaitlistDocument): WaitlistEntry => ({
  id: entry._id,
  account_id: entry.accountId,
  lesson_id: entry.lessonId ?? null,
  class_id: entry.classId ?? null,
  instructor_id: entry.instructorId,
  member_id: entry.memberId,
  date_from: entry.from.toISOString(),
  date_to: entry.to.toISOString(),
  duration_minutes: entry.durationMinutes,
  status: entry.status,
  offer: entry.offer && {
    hold_id: entry.offer.holdId,
    date: new Date(entry.offer.startMs).toISOString(),
    end_date: new Date(entry.offer.endMs).toISOString(),
    expires_at: entry.offer.expiresAt.toISOString(),
  },
  booking_id: entry.bookingId,
  created_at: entry.createdAt.toISOString(),
  updated_at: entry.updatedAt.toISOString(),
});
