import type { Instructor, Review, Session } from '@swim/contracts';
import type { DemoClient } from './demo-client.ts';
import { type OpenLessonsOptions, timeOf, unlessConflict } from './open-lessons.ts';

const LESSON_MINUTES = 30;
// Lessons are completed a quarter of an hour after their end.
const COMPLETED_MS = (LESSON_MINUTES + 16) * 60_000;

/** What the families whose keys are not printed write about each instructor, in the order of the instructors. */
const REVIEWS = [
  [
    { stars: 5, comment: 'Patient and cheerful. Sami put his head under water for the first time.' },
    { stars: 4, comment: 'Our daughter looks forward to each lesson.' },
    { stars: 5, comment: 'Explains every stroke twice, and with a smile.' },
  ],
  [
    { stars: 5, comment: 'Clear goals, and good water.' },
    { stars: 4, comment: 'A friendly start to the week.' },
    { stars: 4, comment: 'Small groups, as promised.' },
  ],
];

/**
 * Has families review instructors that nobody has reviewed: each takes a lesson with each of them, to whose end its own clock is advanced.
 */
export async function addReviews(instructors: Instructor[], families: OpenLessonsOptions['families']): Promise<void> {
  const unrated = instructors.filter(({ rating }) => rating.count === 0);
  if (unrated.length === 0) return;
  for (const [index, { client, members }] of families.entries()) {
    const sessions: Session[] = [];
    for (const { id } of unrated) {
      const session = await aSession(client, id, members[sessions.length % members.length]!.id);
      if (session) sessions.push(session);
    }
    if (sessions.length === 0) return;
    const lastMs = Math.max(...sessions.map(({ date }) => Date.parse(date)));
    await client.create('/sandbox/clock', 'clock', { advance_to: new Date(lastMs + COMPLETED_MS).toISOString() });
    for (const { id: session_id, instructor_id } of sessions) {
      const review = REVIEWS[index]![instructors.findIndex(({ id }) => id === instructor_id)];
      // An advance that takes long has not completed the lessons yet.
      const path = `/instructors/${instructor_id}/reviews`;
      await client.create<Review>(path, 'review', { session_id, ...review }).catch(unlessConflict);
    }
  }
}

/** A session at the first free time that suits the member; null without one. */
async function aSession(client: DemoClient, instructor_id: string, member_id: string): Promise<Session | null> {
  const query = `date_from=${new Date(await timeOf(client)).toISOString()}&duration_minutes=${LESSON_MINUTES}`;
  const { slots } = await client.get<{ slots: { date: string }[] }>(
    `/instructors/${instructor_id}/availability?${query}`,
  );
  for (const { date } of slots.slice(0, 5)) {
    const body = { instructor_id, member_id, date, duration_minutes: LESSON_MINUTES, notify_participants: false };
    const made = await client.create<Session>('/sessions', 'session', body).catch(unlessConflict);
    if (made) return made;
  }
  return null;
}
