import type { ClassObject, SwimClass } from '@swim/contracts';
import type { ClassDocument } from './class.schema.js';

/** How many places are left in all lessons to come of a class, and when the next one begins; null without any. */
export interface ClassPlaces {
  placesLeft: number | null;
  nextLessonAt: Date | null;
}

const NO_LESSONS: ClassPlaces = { placesLeft: null, nextLessonAt: null };

/** Maps a class to its events, which do not have its description. */
export const toClassObject = (
  document: ClassDocument,
  { placesLeft, nextLessonAt }: ClassPlaces = NO_LESSONS,
): ClassObject => ({
  id: document._id,
  account_id: document.schoolId,
  name: document.name,
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
  places_left: placesLeft,
  next_lesson_at: nextLessonAt?.toISOString() ?? null,
  version: document.version,
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
});

/** Maps a class to the API's JSON. */
export const toClass = (document: ClassDocument, places?: ClassPlaces): SwimClass => ({
  ...toClassObject(document, places),
  description: document.description,
});
