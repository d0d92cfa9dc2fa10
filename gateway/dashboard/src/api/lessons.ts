import type { Lesson } from '@swim/sdk';

type LessonSession = Lesson['sessions'][number];

/** Who takes part in a lesson; in one that is cancelled, who would have. */
export const takingPart = ({ status, sessions }: Pick<Lesson, 'status' | 'sessions'>): readonly LessonSession[] =>
  status === 'cancelled' ? sessions : sessions.filter((session) => session.status !== 'cancelled');

/** Whether a lesson has places beside those of its members: it shows how many of them are taken. */
export const hasPlaces = ({ bookable, capacity, sessions }: Lesson): boolean => bookable || capacity > sessions.length;
