import type { Enrollment, Hold, Lesson, Pool, SwimClass, WaitlistEntry } from '@swim/contracts';
import { anInstructor } from '../fixtures/fixtures.js';
import { another, done, newId, rejected, type Scene } from './scene.js';

/** Classes, as a school offers them. */
export async function offerClasses(scene: Scene): Promise<void> {
  const { school, family, otherSchool } = scene;
  const fields = aClass(scene);
  const made = await done(201, school.post<SwimClass>('/classes', fields));
  const path = `/classes/${made.id}`;
  const coach = await anInstructor(otherSchool, { name: 'Ines Roth' });
  const [closed, dinars] = [
    await another(school, { status: 'inactive' }),
    await another(school, { name: 'Yusuf Karim', currency: 'KWD' }),
  ];
  const dates = { ...fields.recurrence, count: undefined };
  for (const [reason, changes] of [
    ['not_found', { instructor_id: coach.id }],
    ['inactive_instructor', { instructor_id: closed.id }],
    ['not_representable', { instructor_id: dinars.id, price_cents: 1805 }],
    ['range_reversed', { min_age_years: 9, max_age_years: 5 }],
    ['too_large', { recurrence: { ...dates, until: '2100-01-01' } }],
    [
      'out_of_range',
      { recurrence: { ...dates, weekdays: ['tue'], until: fields.recurrence.start_local.slice(0, 10) } },
    ],
    ['invalid_value', { recurrence: { ...fields.recurrence, except: ['2027-01-01'] } }],
    ['too_long', { recurrence: { ...fields.recurrence, count: 1, except: [scene.at(0).slice(0, 10)] } }],
    ['overlapping_sessions', { recurrence: SKIPPED_DATE }],
  ] as const) {
    await rejected(reason, school.post('/classes', { ...fields, ...changes }));
    await rejected(reason, school.patch(path, changes));
  }
  await rejected('school_only', family.post('/classes', fields));
  await done(200, school.get(path));
  await rejected('resource_not_found', family.get(path));
  await changeClass(scene, made);
}

/** Samoa had no 30 December 2011: what is on that date begins on the next one. */
const SKIPPED_DATE = {
  ...{ start_local: '2011-12-29T16:00', timezone: 'Pacific/Apia' },
  ...{ weekdays: ['thu', 'fri', 'sat'], count: 3 },
};

export const aClass = (scene: Scene, changes: object = {}) => ({
  name: 'Frogs',
  description: 'For children who put their faces into the water.',
  instructor_id: scene.rosa.id,
  location: { type: 'pool', pool_id: scene.pool.id },
  recurrence: {
    ...{ start_local: `${scene.at(0).slice(0, 10)}T12:00`, timezone: 'America/Phoenix' },
    ...{ weekdays: ['mon'], count: 4 },
  },
  duration_minutes: 45,
  capacity: 6,
  levels: ['beginner'],
  min_age_years: 5,
  max_age_years: 9,
  price_cents: 1800,
  ...changes,
});

/** A draft that is changed, opened and removed, and what these meet. */
async function changeClass(scene: Scene, { id }: SwimClass): Promise<void> {
  const { school, family } = scene;
  const path = `/classes/${id}`;
  await done(200, school.patch(path, { capacity: 8, recurrence: { count: 5 }, version: 1 }));
  await rejected('stale_version', school.patch(path, { capacity: 8, version: 1 }));
  await rejected('resource_not_found', school.patch(`/classes/${newId('cls')}`, { capacity: 8 }));
  await done(200, school.get('/classes?level=beginner&age_years=7&weekday=mon&limit=1'));
  await openClasses(scene);
  await rejected('resource_not_found', family.delete(path));
  await done(204, school.delete(path));
  await rejected('resource_not_found', school.delete(path));
}

/** A class that is opened, without the date on which the instructor is busy. */
async function openClasses(scene: Scene): Promise<void> {
  const { school, family } = scene;
  const make = async (changes: object) => {
    const { id } = await school.once.make<SwimClass>('/classes', aClass(scene, changes));
    return `/classes/${id}`;
  };
  const coach = await another(school);
  const busy = { instructor_id: coach.id, date: scene.at(7, 19), duration_minutes: 45, capacity: 1, price_cents: 0 };
  await school.once.make('/lessons', busy);
  const path = await make({ instructor_id: coach.id, location: { type: 'home' }, ...FOR_ALL });
  await done(200, school.post(`${path}/open`, {}));
  await done(200, family.get(path));
  await enroll(scene, path);
  await rejected('school_only', family.post(`${path}/open`, {}));
  await rejected('school_only', family.patch(path, { capacity: 8 }));
  await rejected('school_only', family.delete(path));
  await rejected('invalid_state', school.delete(path));
  await done(200, school.patch(path, { capacity: 7, recurrence: { count: 5 } }));
  await rejected('class_open', school.patch(path, { recurrence: { weekdays: ['tue'] } }));
  const dinars = await another(school, { name: 'Yusuf Karim', currency: 'KWD' });
  await rejected('currency_mismatch', school.patch(path, { instructor_id: dinars.id }));
  await rejected('school_only', family.post(`${path}/close`, {}));
  await done(
    200,
    school.post(`${path}/close`, { from: scene.at(14).slice(0, 10), reason: 'The pool is being rebuilt.' }),
  );
  await rejected('invalid_state', school.patch(path, { capacity: 8 }));
  await rejected('resource_not_found', school.post(`/classes/${newId('cls')}/open`, {}));
  const past = { start_local: '2020-01-06T12:00', timezone: 'America/Phoenix', weekdays: ['mon'], count: 4 };
  const over = await make({ recurrence: past });
  await rejected('invalid_state', school.post(`${over}/close`, {}));
  await rejected('resource_not_found', school.post(`/classes/${newId('cls')}/close`, {}));
  await rejected('no_dates', school.post(`${over}/open`, {}));
  const ended = await another(school);
  const left = await make({ instructor_id: ended.id });
  await school.once.patch(`/instructors/${ended.id}`, { status: 'inactive' });
  await rejected('inactive_instructor', school.post(`${left}/open`, {}));
  const { id: pool_id } = await school.once.make<Pool>('/pools', { ...POOL, name: 'Lido' });
  const gone = await make({ location: { type: 'pool', pool_id } });
  await school.once.delete(`/pools/${pool_id}`);
  await rejected('not_found', school.post(`${gone}/open`, {}));
}

const POOL = { address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'Europe/Berlin' };

/** Children who enroll, and what that meets. */
async function enroll(scene: Scene, path: string): Promise<void> {
  const { school, family, mia, leo } = scene;
  const made = await done(201, family.post<Enrollment>(`${path}/enrollments`, { member_id: mia.id }));
  await rejected('already_enrolled', family.post(`${path}/enrollments`, { member_id: mia.id }));
  const one = `/enrollments/${made.id}`;
  await done(200, family.get(one));
  await rejected('resource_not_found', family.get(`/enrollments/${newId('enr')}`));
  await done(200, family.get(`/enrollments?class_id=${made.class_id}&status=active`));
  await done(200, school.get(`${path}/enrollments`));
  const small = await anOpenClass(scene, { capacity: 1 });
  await family.once.make(`${small}/enrollments`, { member_id: leo.id });
  await rejected('class_full', family.post(`${small}/enrollments`, { member_id: mia.id }));
  const wait = { class_id: small.split('/').at(-1), member_id: mia.id };
  const { id: entry } = await done(201, family.post<WaitlistEntry>('/waitlist', wait));
  await family.once.delete(`/waitlist/${entry}`);
  const old = await anOpenClass(scene, { levels: ['proficient'] });
  await rejected('not_eligible', family.post(`${old}/enrollments`, { member_id: mia.id }));
  const beside = await anOpenClass(scene, {});
  await rejected('member_busy', family.post(`${beside}/enrollments`, { member_id: mia.id }));
  await rejected('no_dates', family.post(`${beside}/enrollments`, { member_id: leo.id, starts_on: '2100-01-01' }));
  await rejected('not_found', family.post(`${beside}/enrollments`, { member_id: newId('mem') }));
  await rejected('resource_not_found', family.post(`/classes/${newId('cls')}/enrollments`, { member_id: leo.id }));
  const { recurrence } = aClass(scene);
  const start_local = recurrence.start_local.replace('T12', 'T10');
  const later = await anOpenClass(scene, { recurrence: { ...recurrence, start_local } });
  const [lesson] = await school.once.readAll<Lesson>(`/lessons?class_id=${later.split('/').at(-1)}`);
  const held = { lesson_ids: [lesson!.id], member_ids: [leo.id] };
  const { id: hold_id } = await family.once.make<Hold>('/holds', held);
  await rejected('hold_mismatch', family.post(`${later}/enrollments`, { member_id: leo.id, hold_id }));
  await family.once.delete(`/holds/${hold_id}`);
  const closure = { instructor_ids: [lesson!.instructor_id], from: lesson!.date, to: lesson!.end_date };
  await school.once.post('/closures', { ...closure, reason: 'The water is being changed.', lessons: 'keep' });
  await rejected('closed', family.post(`${later}/enrollments`, { member_id: leo.id }));
  await school.once.post(`${beside}/close`, {});
  await rejected('invalid_state', school.post(`${beside}/enrollments`, { member_id: leo.id }));
  await done(200, family.post(`${one}/end`, { ends_on: scene.at(7).slice(0, 10) }));
  await family.once.post(`${one}/end`, { ends_on: '2020-01-01' });
  await rejected('invalid_state', family.post(`${one}/end`, { ends_on: '2020-01-02' }));
  await rejected('resource_not_found', family.post(`/enrollments/${newId('enr')}/end`, { ends_on: '2027-01-01' }));
}

const FOR_ALL = { levels: [], min_age_years: null, max_age_years: null };

/** The path of an open class of another instructor, at the same times. */
async function anOpenClass(scene: Scene, changes: object): Promise<string> {
  const { id: instructor_id } = await another(scene.school);
  const fields = aClass(scene, { instructor_id, location: { type: 'home' }, ...FOR_ALL, ...changes });
  const { id } = await scene.school.once.make<SwimClass>('/classes', fields);
  await scene.school.once.post(`/classes/${id}/open`, {});
  return `/classes/${id}`;
}
