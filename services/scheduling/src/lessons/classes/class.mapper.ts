import type { ClassObject, SwimClass } from '@swim/contracts';
import type { ClassDocument } from './class.schema.js';

/** How many places are left in all lessons to come of a class, and when the next one begins; null without any. */
export interface ClassPlaces {
  placesLeft: number | null;
  nextLessonAt: Date | null;
}

/** Maps a class to its events, which do not have its name and description. */
export const toClassObject = (document: ClassDocument): ClassObject => ({
  id: document._id,
  account_id: document.schoolId,
  instructor_id: document.instructorId,
  location: document.location,
  recurrence: document.recurrence,
  duration_minutes: document.durationMinutes,
  capacity: document.capacity,
  levels: document.levels,
  min_age_years: document.minAgeYears,
  max_age_years: document.maxAgeYears,
  price_cents: document.priceCents,
  currency: document.currency,
  status: document.status,
  places_left: document.placesLeft,
  next_lesson_at: document.nextLessonAt?.toISOString() ?? null,
  version: document.version,
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
});

/** Maps a class to the API's JSON, with its places as they are now. */
export const toClass = (document: ClassDocument, places: Partial<ClassPlaces> = {}): SwimClass => ({
  ...toClassObject({ ...document, ...places }),
  name: document.name,
  description: document.description,
});
