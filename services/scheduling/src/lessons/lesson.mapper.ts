import type { Lesson, LessonObject } from '@swim/contracts';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';

/** Maps a lesson to its events, which do not have its sessions. */
export function toLessonObject(document: LessonDocument): LessonObject {
  const { status, capacity, busy, closed = [], keptAt } = document;
  const isOpen = status === 'scheduled' && closed.length === 0 && !keptAt;
  return {
    id: document._id,
    account_id: document.schoolId,
    class_id: document.classId,
    instructor_id: document.instructorId,
    location: document.location,
    date: document.start.toISOString(),
    end_date: document.end.toISOString(),
    duration_minutes: document.durationMinutes,
    capacity,
    places_left: isOpen ? Math.max(capacity - busy.length, 0) : 0,
    bookable: document.bookable,
    levels: document.levels,
    min_age_years: document.minAgeYears,
    max_age_years: document.maxAgeYears,
    price_cents: document.priceCents,
    currency: document.currency,
    status,
    version: document.version,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
  };
}

/** Maps a lesson to the API's JSON, with those of its sessions that the account sees. */
export const toLesson = (document: LessonDocument, sessions: Lesson['sessions']): Lesson => ({
  ...toLessonObject(document),
  sessions,
});
