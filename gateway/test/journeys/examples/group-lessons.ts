import type { Booking, Closure, Hold, Lesson, Session, WaitlistEntry } from '@swim/contracts';
import { until } from '@swim/testing';
import { expectStatus } from '../fixtures/customer.js';
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
  await bookPlaces(scene, made);
  await waitForPlace(scene);
  await teachLesson(scene);
  await closeTime(scene);
  await substitute(scene);
  await changeLesson(scene, made);
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

/** Places that a family books, some of which it has held before. */
async function bookPlaces(scene: Scene, lesson: Lesson): Promise<void> {
  const { school, family, otherSchool, mia, leo } = scene;
  const wanted = (of: Lesson[], changes: object = {}) => ({
    lesson_ids: of.map(({ id }) => id),
    member_ids: [mia.id],
    ...changes,
  });
  const refused = async (reason: string, ...request: Parameters<typeof wanted>) => {
    for (const path of ['/bookings', '/holds']) await rejected(reason, family.post(path, wanted(...request)));
  };
  const offer = (changes: object = {}) => school.once.make<Lesson>('/lessons', aLesson(scene, changes));
  const small = await offer({ capacity: 1 });
  const held = await done(201, family.post<Hold>('/holds', wanted([small])));
  await done(201, family.post<Booking>('/bookings', wanted([small], { hold_id: held.id })));
  await refused('lesson_full', [small], { member_ids: [leo.id] });
  await refused('not_eligible', [await offer({ max_age_years: 3 })]);
  const beside = await another(school);
  await refused('member_busy', [await offer({ instructor_id: beside.id, date: small.date })]);
  const atOnce = await offer({ instructor_id: beside.id, date: lesson.date });
  await refused('overlapping_sessions', [lesson, atOnce]);
  await refused('invalid_value', [lesson], { instructor_id: beside.id });
  await refused('outside_availability', [await aHastyLesson(scene)]);
  const dinars = await another(school, { name: 'Yusuf Karim', currency: 'KWD' });
  await refused('currency_mismatch', [lesson, await offer({ instructor_id: dinars.id })]);
  const coach = await anInstructor(otherSchool, { name: 'Ines Roth' });
  const elsewhere = await otherSchool.make<Lesson>('/lessons', {
    ...aLesson(scene, { instructor_id: coach.id }),
    location: undefined,
  });
  await refused('lessons_of_several_schools', [lesson, elsewhere]);
  const closure = {
    ...{ instructor_ids: [beside.id], from: atOnce.date, to: atOnce.end_date },
    ...{ reason: 'The water is being changed.', lessons: 'keep' },
  };
  expectStatus(202, await school.once.post('/closures', closure));
  await refused('closed', [atOnce]);
  expectStatus(200, await school.once.post(`/lessons/${atOnce.id}/cancel`, {}));
  await refused('invalid_state', [atOnce]);
}

/** The line of a full lesson. */
async function waitForPlace(scene: Scene): Promise<void> {
  const { school, family, mia, leo } = scene;
  const wait = (lesson_id: string, member_id = mia.id) =>
    family.post<WaitlistEntry>('/waitlist', { lesson_id, member_id });
  const offer = (changes: object = {}) => school.once.make<Lesson>('/lessons', aLesson(scene, changes));
  const [full, unfit, over] = [await offer({ capacity: 1 }), await offer({ max_age_years: 3 }), await offer()];
  await family.once.make<Booking>('/bookings', { lesson_ids: [full.id], member_ids: [leo.id] });
  const entry = await done(201, wait(full.id));
  await rejected('already_exists', wait(full.id));
  await rejected('not_found', wait(newId('lsn')));
  await rejected('not_eligible', wait(unfit.id));
  await school.once.post(`/lessons/${over.id}/cancel`, {});
  await rejected('invalid_state', wait(over.id));
  await rejected('outside_availability', wait((await aHastyLesson(scene)).id));
  await done(200, family.get(`/waitlist?lesson_id=${full.id}`));
  await done(204, family.delete(`/waitlist/${entry.id}`));
}

/** A lesson that begins sooner than its instructor accepts bookings. */
async function aHastyLesson(scene: Scene): Promise<Lesson> {
  const hours = { ...scene.rosa.availability_schedule, minimum_notice_minutes: 43_200 };
  const planned = await another(scene.school, { availability_schedule: hours, timezone: 'America/Phoenix' });
  // In 17 to 24 days, as far from the other lessons on every day of recording: its date is in an example.
  const date = scene.at(-28);
  return scene.school.once.make<Lesson>('/lessons', aLesson(scene, { instructor_id: planned.id, date }));
}

/** A lesson at the poolside: who comes, and who came. */
async function teachLesson(scene: Scene): Promise<void> {
  const { school, family, leo } = scene;
  const lesson = await school.once.make<Lesson>('/lessons', aLesson(scene, { capacity: 1 }));
  const booked = await family.once.make<Booking>('/bookings', { lesson_ids: [lesson.id], member_ids: [leo.id] });
  const session = booked.sessions[0]!;
  const date = lesson.date.slice(0, 10);
  await done(200, school.get(`/instructors/${scene.rosa.id}/roster?date=${date}`));
  await rejected('school_only', family.get(`/instructors/${scene.rosa.id}/roster?date=${date}`));
  await rejected('resource_not_found', school.get(`/instructors/${newId('ins')}/roster?date=${date}`));
  const path = `/lessons/${lesson.id}/attendance`;
  const entries = [{ session_id: session.id, attendance: 'attended' }];
  await done(200, school.post(path, { entries }));
  await rejected('school_only', family.post(path, { entries }));
  await rejected('out_of_range', school.post(path, { entries, recorded_at: '2100-01-01T10:00:00Z' }));
  await rejected('resource_not_found', school.post(`/lessons/${newId('lsn')}/attendance`, { entries }));
  await switchLessons(scene, session.id);
}

/** A family that changes to another lesson. */
async function switchLessons(scene: Scene, sessionId: string): Promise<void> {
  const { school, family, mia } = scene;
  const path = `/sessions/${sessionId}`;
  const offer = (changes: object = {}) => school.once.make<Lesson>('/lessons', aLesson(scene, changes));
  const [free, full, unfit] = [await offer(), await offer({ capacity: 1 }), await offer({ max_age_years: 3 })];
  await family.once.make('/bookings', { lesson_ids: [full.id], member_ids: [mia.id] });
  await rejected('shared_lesson', family.patch(path, { date: scene.nextTime() }));
  await rejected('mutually_exclusive', family.patch(path, { lesson_id: free.id, date: scene.nextTime() }));
  await rejected('lesson_full', family.patch(path, { lesson_id: full.id }));
  await rejected('not_eligible', family.patch(path, { lesson_id: unfit.id }));
  await done(200, family.patch(path, { lesson_id: free.id }));
}

/** A pool that is closed for a day, and what that rejects. */
async function closeTime(scene: Scene): Promise<void> {
  const { school, family, mia, leo } = scene;
  const coach = await another(school, { timezone: 'America/Phoenix' });
  const date = scene.nextTime();
  const closure = {
    instructor_ids: [coach.id],
    from: date,
    to: new Date(Date.parse(date) + 3_600_000).toISOString(),
    reason: 'The water is being changed.',
    lessons: 'cancel',
  };
  const later = scene.nextTime();
  const session = await family.once.make<Session>('/sessions', {
    ...scene.lesson(leo, later),
    instructor_id: coach.id,
  });
  const lesson = await school.once.make<Lesson>('/lessons', aLesson(scene, { instructor_id: coach.id }));
  const closed = await done(202, school.post<Closure>('/closures', closure));
  const at = { instructor_id: coach.id, date };
  await rejected('closed', school.post('/lessons', aLesson(scene, at)));
  await rejected('closed', family.post('/sessions', { ...scene.lesson(mia, date), instructor_id: coach.id }));
  await rejected('closed', family.patch(`/sessions/${session.id}`, { date }));
  await rejected('closed', school.patch(`/lessons/${lesson.id}`, { date }));
  for (const [reason, changes] of [
    ['not_found', { instructor_ids: [newId('ins')] }],
    ['in_past', { from: '2020-01-01T10:00:00Z', to: '2020-01-02T10:00:00Z' }],
    ['too_far_ahead', { from: '2100-01-01T10:00:00Z', to: '2100-01-02T10:00:00Z' }],
    ['range_too_long', { to: '2036-06-01T10:00:00Z' }],
    ['range_reversed', { to: closure.from, from: closure.to }],
  ] as const)
    await rejected(reason, school.post('/closures', { ...closure, ...changes }));
  await rejected('school_only', family.post('/closures', closure));
  const ofPool = { pool_ids: [scene.pool.id], from: scene.at(300), to: scene.at(301), lessons: 'keep' };
  const wholePool = await done(202, school.post<Closure>('/closures', { ...ofPool, reason: closure.reason }));
  const path = `/closures/${closed.id}`;
  const isDone = async () => (await school.once.get<Closure>(path)).data.status === 'done';
  await until(isDone, 'the closure is done');
  await done(200, school.get('/closures?limit=1'));
  await done(200, school.get(path));
  await rejected('resource_not_found', school.get(`/closures/${newId('clo')}`));
  await done(204, school.delete(path));
  await until(async () => (await school.once.delete(`/closures/${wholePool.id}`)).status === 204, 'it is removed too');
  await rejected('resource_not_found', school.delete(path));
}

/** Another instructor who takes over. */
async function substitute(scene: Scene): Promise<void> {
  const { school, family } = scene;
  const [ill, substitute, busy] = [await another(school), await another(school), await another(school)];
  const lesson = await school.once.make<Lesson>('/lessons', aLesson(scene, { instructor_id: ill.id }));
  const beside = { instructor_id: busy.id, date: lesson.date, location: { type: 'home' } };
  await school.once.make<Lesson>('/lessons', aLesson(scene, beside));
  const closed = await another(school, { status: 'inactive' });
  const to = new Date(Date.parse(lesson.date) + 86_400_000).toISOString();
  const body = { instructor_id: ill.id, substitute_id: substitute.id, from: lesson.date, to };
  for (const [reason, changes] of [
    ['conflicting_lessons', { substitute_id: busy.id }],
    ['not_found', { substitute_id: newId('ins') }],
    ['inactive_instructor', { substitute_id: closed.id }],
    ['range_reversed', { from: to, to: lesson.date }],
  ] as const)
    await rejected(reason, school.post('/substitutions', { ...body, ...changes }));
  await rejected('school_only', family.post('/substitutions', body));
  await done(200, school.post('/substitutions', body));
}

/** Changes of a lesson, and its end. */
async function changeLesson(scene: Scene, { id }: Lesson): Promise<void> {
  const { school, family, mia, leo } = scene;
  const path = `/lessons/${id}`;
  const date = scene.nextTime();
  await done(200, school.patch(path, { date, levels: [], min_age_years: null, max_age_years: null, version: 1 }));
  for (const member of [mia, leo]) await family.once.make('/bookings', { lesson_ids: [id], member_ids: [member.id] });
  const busy = scene.nextTime();
  await family.once.make('/sessions', { ...scene.lesson(mia, busy), instructor_id: (await another(school)).id });
  const taken = await school.once.make<Lesson>('/lessons', aLesson(scene));
  const closed = await another(school, { status: 'inactive' });
  const dinars = await another(school, { name: 'Yusuf Karim', currency: 'KWD' });
  for (const [reason, changes] of [
    ['stale_version', { bookable: false, version: 9 }],
    ['capacity_below_taken', { capacity: 1 }],
    ['member_busy', { date: busy }],
    ['instructor_busy', { date: taken.date }],
    ['pool_full', scene.full],
    ['outside_availability', { date: scene.at(0, 9) }],
    ['in_past', { date: '2020-01-01T10:00:00Z' }],
    ['too_far_ahead', { date: '2100-01-01T10:00:00Z' }],
    ['not_found', { instructor_id: newId('ins') }],
    ['inactive_instructor', { instructor_id: closed.id }],
    ['currency_mismatch', { instructor_id: dinars.id }],
    ['range_reversed', { min_age_years: 9, max_age_years: 5 }],
  ] as const)
    await rejected(reason, school.patch(path, changes));
  const inDinars = await school.once.make<Lesson>('/lessons', aLesson(scene, { instructor_id: dinars.id }));
  await rejected('not_representable', school.patch(`/lessons/${inDinars.id}`, { price_cents: 1805 }));
  await rejected('school_only', family.patch(path, { bookable: false }));
  await rejected('resource_not_found', school.patch(`/lessons/${newId('lsn')}`, { bookable: false }));
  const own = await family.once.make<Session>('/sessions', scene.lesson(leo));
  await rejected('private_lesson', school.patch(`/lessons/${own.lesson_id}`, { capacity: 4 }));
  await rejected('school_only', family.post(`${path}/cancel`, {}));
  await rejected('resource_not_found', school.post(`/lessons/${newId('lsn')}/cancel`, {}));
  await done(200, school.post(`${path}/cancel`, { reason: 'The instructor is ill.' }));
  await rejected('invalid_state', school.patch(path, { capacity: 8 }));
}
