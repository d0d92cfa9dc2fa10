import type { Lesson } from '@swim/contracts';
import { anInstructor } from '../fixtures/fixtures.js';
import { another, done, newId, rejected, type Scene } from './scene.js';

/** Lessons with places, as a school offers them and a family finds them. */
export async function offerLessons(scene: Scene): Promise<void> {
  const { school, family } = scene;
  const lesson = aLesson(scene, { levels: ['beginner'], min_age_years: 5, max_age_years: 9 });
  const made = await school.make<Lesson>('/lessons', lesson);
  await done(200, family.get(`/lessons/${made.id}`));
  await done(200, family.get(`/lessons?level=beginner&age_years=7&has_places=true&account_id=${school.id}&limit=1`));
  await rejected('resource_not_found', family.get(`/lessons/${newId('lsn')}`));
  await refuseLessons(scene, lesson);
  await lookAfterLesson(scene, made);
}

/** Who takes part, and who came. */
async function lookAfterLesson({ school, family }: Scene, { id, instructor_id, date }: Lesson): Promise<void> {
  const roster = (instructorId: string) => `/instructors/${instructorId}/roster?date=${date.slice(0, 10)}`;
  await done(200, school.get(roster(instructor_id)));
  await rejected('school_only', family.get(roster(instructor_id)));
  await rejected('resource_not_found', school.get(roster(newId('ins'))));
  const attendance = { entries: [{ session_id: newId('ses'), attendance: 'attended' }] };
  await done(200, school.post(`/lessons/${id}/attendance`, attendance));
  await rejected('school_only', family.post(`/lessons/${id}/attendance`, attendance));
  await rejected('resource_not_found', school.post(`/lessons/${newId('lsn')}/attendance`, attendance));
  const early = { ...attendance, recorded_at: '2100-01-01T10:00:00Z' };
  await rejected('out_of_range', school.post(`/lessons/${id}/attendance`, early));
}

const aLesson = (scene: Scene, changes: object = {}) => ({
  instructor_id: scene.rosa.id,
  date: scene.nextTime(),
  duration_minutes: 45,
  location: { type: 'pool', pool_id: scene.pool.id },
  capacity: 6,
  price_cents: 1800,
  ...changes,
});

/** What a new lesson meets. */
async function refuseLessons(scene: Scene, taken: ReturnType<typeof aLesson>): Promise<void> {
  const { school, family, otherSchool } = scene;
  const closed = await another(school, { status: 'inactive' });
  const foreign = await anInstructor(otherSchool, { name: 'Ines Roth' });
  const dinars = await another(school, { name: 'Yusuf Karim', currency: 'KWD' });
  for (const [reason, changes] of [
    ['instructor_busy', { date: taken.date }],
    ['pool_full', scene.full],
    ['outside_availability', { date: scene.at(0, 9) }],
    ['in_past', { date: '2020-01-01T10:00:00Z' }],
    ['too_far_ahead', { date: '2100-01-01T10:00:00Z' }],
    ['not_found', { instructor_id: foreign.id }],
    ['inactive_instructor', { instructor_id: closed.id }],
    ['not_representable', { instructor_id: dinars.id, price_cents: 1805 }],
    ['range_reversed', { min_age_years: 9, max_age_years: 5 }],
  ] as const)
    await rejected(reason, school.post('/lessons', aLesson(scene, changes)));
  await rejected('school_only', family.post('/lessons', aLesson(scene)));
}
