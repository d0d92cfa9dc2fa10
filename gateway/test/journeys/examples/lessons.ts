import type { CalendarToken, Hold, Instructor, Member, Pool, Session, WaitlistEntry } from '@swim/contracts';
import { until } from '@swim/testing';
import type { Customer } from '../fixtures/customer.js';
import { aMember, anInstructor, sessionBody } from '../fixtures/fixtures.js';
import { another, done, FULL_METADATA, MORE_METADATA, newId, rejected, type Scene } from './scene.js';

/** Free time, and sessions outside bookings. */
export async function schedule(scene: Scene): Promise<void> {
  const { school, family, rosa, mia, leo } = scene;
  const week = `date_from=${scene.at(0, 0)}&date_to=${scene.at(0, 20)}`;
  const slots = `/instructors/${rosa.id}/availability`;
  await done(200, family.get(`${slots}?${week}&timezone=America/Phoenix&duration_minutes=60`));
  await rejected('range_reversed', family.get(`${slots}?date_from=${scene.at(1)}&date_to=${scene.at(0)}`));
  await rejected('range_too_long', family.get(`${slots}?date_from=${scene.at(0)}&date_to=${scene.at(40)}`));
  await rejected('too_far_ahead', family.get(`${slots}?date_from=2100-01-01`));
  const all = '/availability';
  await done(
    200,
    family.get(`${all}?instructor_ids=${rosa.id}&${week}&timezone=America/Phoenix&duration_minutes=60&limit=3`),
  );
  await rejected('range_reversed', family.get(`${all}?date_from=${scene.at(1)}&date_to=${scene.at(0)}`));
  await rejected('range_too_long', family.get(`${all}?date_from=${scene.at(0)}&date_to=${scene.at(40)}`));
  await rejected('too_far_ahead', family.get(`${all}?date_from=2100-01-01`));
  await rejected('not_found', family.get(`${all}?instructor_ids=${newId('ins')}`));

  const lesson = scene.lesson(mia, scene.nextTime(), {
    location: { type: 'pool', pool_id: scene.pool.id },
    notes: 'Afraid of deep water.',
  });
  scene.session = await family.make<Session>('/sessions', lesson);
  const path = `/sessions/${scene.session.id}`;
  await rejected('member_busy', family.post('/sessions', { ...lesson, instructor_id: (await another(school)).id }));
  await rejected('instructor_busy', family.post('/sessions', { ...lesson, member_id: leo.id }));
  await rejected('outside_availability', family.post('/sessions', scene.lesson(leo, scene.at(0, 9))));
  await rejected('in_past', family.post('/sessions', { ...lesson, date: '2020-01-01T10:00:00Z' }));
  await rejected('too_far_ahead', family.post('/sessions', { ...lesson, date: '2100-01-01T10:00:00Z' }));
  await rejected('not_found', family.post('/sessions', { ...lesson, member_id: newId('mem') }));
  const closed = await another(school, { name: 'Marcus Bell', status: 'inactive' });
  await rejected('inactive_instructor', family.post('/sessions', { ...lesson, instructor_id: closed.id }));
  await done(200, family.get(`/sessions?member_id=${mia.id}&status=scheduled&limit=1`));
  await done(200, family.get(path));
  await done(200, family.get(`${path}/cancellation-quote`));
  await rejected('stale_version', family.patch(path, { notes: 'Bring goggles.', version: 9 }));
  await done(200, family.patch(path, { date: scene.nextTime(), version: 1 }));
  await changeSession(scene, path, closed);
  await ofSchoolsOnly(scene);

  const counted = await family.make<Session>('/sessions', scene.lesson(leo));
  await done(200, family.patch(`/sessions/${counted.id}`, { metadata: FULL_METADATA }));
  await rejected('too_long', family.patch(`/sessions/${counted.id}`, MORE_METADATA));
  await rejected('not_started', school.post(`/sessions/${counted.id}/complete`, {}));
  await rejected('not_started', school.post(`/sessions/${counted.id}/attendance`, { attendance: 'attended' }));
  await rejected('school_only', family.post(`/sessions/${counted.id}/complete`, {}));
  await rejected('school_only', family.post(`/sessions/${counted.id}/attendance`, { attendance: 'attended' }));
  const cancelled = await done(
    200,
    family.post<Session>(`/sessions/${counted.id}/cancel`, { reason: 'Leo has a cold.' }),
  );
  for (const [name, body] of [
    ['complete', {}],
    ['attendance', { attendance: 'attended' }],
  ] as const)
    await rejected('invalid_state', school.post(`/sessions/${cancelled.id}/${name}`, body));
  await rejected('invalid_state', family.patch(`/sessions/${cancelled.id}`, { date: scene.nextTime() }));
  await rejected('invalid_state', family.get(`/sessions/${cancelled.id}/cancellation-quote`));
}

/** What a change of a session meets. */
async function changeSession(scene: Scene, path: string, closed: Instructor): Promise<void> {
  const { school, family, neighbours, leo } = scene;
  const taken = scene.nextTime();
  const neighbour = await aMember(neighbours);
  await neighbours.make('/sessions', sessionBody(scene.rosa, neighbour, taken));
  await rejected('instructor_busy', family.patch(path, { date: taken }));
  const beside = scene.nextTime();
  const sunita = await another(school);
  await family.make('/sessions', { ...scene.lesson(scene.mia, beside), instructor_id: sunita.id });
  await rejected('member_busy', family.patch(path, { date: beside }));
  await rejected('outside_availability', family.patch(path, { date: scene.at(0, 9) }));
  await rejected('in_past', family.patch(path, { date: '2020-01-01T10:00:00Z' }));
  await rejected('too_far_ahead', family.patch(path, { date: '2100-01-01T10:00:00Z' }));
  await rejected('not_found', family.patch(path, { instructor_id: newId('ins') }));
  await rejected('inactive_instructor', family.patch(path, { instructor_id: closed.id }));

  const small = await school.make<Pool>('/pools', {
    name: 'Kiddie Pool',
    address: '1 Main St',
    latitude: 33,
    longitude: -112,
    timezone: 'America/Phoenix',
    lanes: 1,
  });
  const location = { type: 'pool', pool_id: small.id } as const;
  const busy = scene.nextTime();
  await neighbours.make('/sessions', { ...sessionBody(sunita, neighbour, busy), location });
  scene.full = { date: busy, location };
  await rejected('pool_full', family.post('/sessions', scene.lesson(leo, busy, { location })));
  await rejected('pool_full', family.patch(path, { date: busy, location }));
  await rejected('invalid_state', school.delete(`/pools/${small.id}`));
}

/** A member of the neighbours who has a lesson with the school, which the school may read by now. */
async function pupilOfNeighbours(scene: Scene): Promise<Member> {
  const { school, neighbours, rosa } = scene;
  const pupil = await aMember(neighbours);
  await neighbours.make('/sessions', sessionBody(rosa, pupil, scene.nextTime()));
  const isKnown = async () => (await school.once.get(`/members/${pupil.id}`)).status === 200;
  await until(isKnown, 'the school may read its pupil');
  return pupil;
}

/** What only a school may do, and what its policies forbid. */
async function ofSchoolsOnly(scene: Scene): Promise<void> {
  const { school, family, otherSchool, mia } = scene;
  const foreign = await anInstructor(otherSchool, { name: 'Ines Roth' });
  const pupil = await pupilOfNeighbours(scene);
  const date = scene.nextTime();
  await rejected('school_only', school.post('/sessions', sessionBody(foreign, pupil, date)));
  await rejected(
    'school_only',
    school.post('/bookings', {
      instructor_id: foreign.id,
      member_ids: [pupil.id],
      sessions: [{ date, duration_minutes: 60 }],
    }),
  );
  await rejected(
    'school_only',
    school.post('/holds', {
      instructor_id: foreign.id,
      member_ids: [pupil.id],
      sessions: [{ date, duration_minutes: 60 }],
    }),
  );
  await rejected('school_only', school.post('/waitlist', waitFor(foreign, pupil.id, scene)));
  await otherSchool.patch(`/accounts/${otherSchool.id}`, {
    policies: { require_prepayment: true, makeup_credits: false },
  });
  await rejected('prepayment_required', family.post('/sessions', sessionBody(foreign, mia, date)));
}

const waitFor = ({ id }: Instructor, memberId: string, scene: Scene, changes: object = {}) => ({
  instructor_id: id,
  member_id: memberId,
  date_from: scene.at(7, 0),
  date_to: scene.at(8, 0),
  duration_minutes: 60,
  ...changes,
});

/** Holds and the waitlist. */
export async function reserve(scene: Scene): Promise<void> {
  const { school, family, rosa, mia, leo } = scene;
  scene.hold = await family.make<Hold>(
    '/holds',
    scene.group([mia, leo], [scene.nextTime()], { expires_in_minutes: 10 }),
  );
  const path = `/holds/${scene.hold.id}`;
  const { date } = scene.hold.sessions[0]!;
  await rejected('conflicting_dates', family.post('/holds', scene.group([mia], [date])));
  await rejected('not_found', family.post('/holds', { ...scene.group([mia], [date]), instructor_id: newId('ins') }));
  await rejected('in_past', family.post('/holds', scene.group([mia], ['2020-01-01T10:00:00Z'])));
  await rejected('too_far_ahead', family.post('/holds', scene.group([mia], ['2100-01-01T10:00:00Z'])));
  const closed = await another(school, { status: 'inactive' });
  await rejected(
    'inactive_instructor',
    family.post('/holds', { ...scene.group([mia], [date]), instructor_id: closed.id }),
  );
  const alone = await another(school, { max_group_size: 1 });
  await rejected(
    'group_too_large',
    family.post('/holds', { ...scene.group([mia, leo], [date]), instructor_id: alone.id }),
  );
  const two = [
    await family.make<Hold>('/holds', scene.group([mia], [scene.nextTime()])),
    await family.make<Hold>('/holds', scene.group([mia], [scene.nextTime()])),
  ];
  await rejected('limit_reached', family.post('/holds', scene.group([mia], [scene.nextTime()])));
  await done(200, family.get(`/holds?ids=${scene.hold.id}`));
  await done(200, family.get(path));
  for (const { id } of two) await done(204, family.delete(`/holds/${id}`));
  await acrossAccounts(scene);

  const entry = await family.make<WaitlistEntry>('/waitlist', waitFor(rosa, mia.id, scene));
  await rejected('already_exists', family.post('/waitlist', waitFor(rosa, mia.id, scene)));
  for (const [reason, changes] of [
    ['not_found', { member_id: newId('mem') }],
    ['inactive_instructor', { instructor_id: closed.id }],
    ['in_past', { date_from: '2020-01-01', date_to: '2020-01-02' }],
    ['too_far_ahead', { date_from: '2100-01-01', date_to: '2100-01-02' }],
    ['range_reversed', { date_to: scene.at(6) }],
    ['range_too_long', { date_to: scene.at(420) }],
  ] as const)
    await rejected(reason, family.post('/waitlist', waitFor(rosa, mia.id, scene, changes)));
  await done(200, family.get('/waitlist?status=waiting'));
  await done(200, family.get(`/waitlist/${entry.id}`));
  await done(204, family.delete(`/waitlist/${entry.id}`));
}

/** A school makes one booking for the members of one account. */
async function acrossAccounts(scene: Scene): Promise<void> {
  const { school, mia } = scene;
  const body = scene.group([mia, await pupilOfNeighbours(scene)], [scene.nextTime()]);
  await rejected('members_of_several_accounts', school.post('/holds', body));
  await rejected('members_of_several_accounts', school.post('/bookings', body));
}

/** Calendar feeds, which are text. */
export async function subscribe(scene: Scene): Promise<void> {
  const { school, family, rosa, mia, recording } = scene;
  await rejected('school_only', family.post(`/instructors/${rosa.id}/calendar-token`, {}));
  const feeds: [Customer, string, string, object][] = [
    [school, `/instructors/${rosa.id}`, 'readInstructorCalendar', { instructor_id: rosa.id }],
    [family, `/members/${mia.id}`, 'readMemberCalendar', { member_id: mia.id }],
  ];
  for (const [customer, path, operationId, values] of feeds) {
    const { url } = await customer.make<CalendarToken>(`${path}/calendar-token`, {});
    const { pathname, search } = new URL(url!);
    const text = await (await fetch(`${scene.stack.origin}${pathname}${search}`)).text();
    recording.addAnswer(
      operationId,
      { path: values as Record<string, string>, query: { token: search.slice(7) } },
      firstLesson(text),
    );
    await done(204, customer.delete(`${path}/calendar-token`));
    await rejected('resource_not_found', customer.get(`${path}/calendar.ics${search}`));
  }
}

/** A calendar with the first of its lessons. */
const firstLesson = (text: string): string =>
  text.replace(/(?<=END:VEVENT\r\n)BEGIN:VEVENT[\s\S]*(?=END:VCALENDAR)/, '');
