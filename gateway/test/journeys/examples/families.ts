import type { Connection, DataImport, NewFamily, SwimClass } from '@swim/contracts';
import { until } from '@swim/testing';
import { aMember, anInstructor } from '../fixtures/fixtures.js';
import { done, newId, rejected, type Scene } from './scene.js';

/** What a school may know of a family. */
export async function connect(scene: Scene): Promise<void> {
  const { family, neighbours, mia, leo } = scene;
  const school = scene.recorded(scene.otherSchool);
  const body = { school_id: school.id, member_ids: [mia.id] };
  const made = await done(201, family.post<Connection>('/connections', body));
  const path = `/connections/${made.id}`;
  await rejected('not_found', family.post('/connections', { ...body, school_id: newId('acct') }));
  await done(200, family.get('/connections?status=active&limit=1'));
  await done(200, school.get(path));
  await rejected('foreign_account', school.patch(path, { member_ids: [leo.id] }));
  await rejected('not_found', family.patch(path, { member_ids: [newId('mem')] }));
  await rejected('school_only', family.patch(path, { external_id: 'F-1042' }));
  await done(200, family.patch(path, { member_ids: [mia.id, leo.id] }));
  await done(200, school.get(`/families/${family.id}`));
  await listFamilies(scene);

  const other = { school_id: school.id, member_ids: [(await aMember(neighbours)).id] };
  const connected = await neighbours.make<Connection>('/connections', other);
  await neighbours.once.post(`/connections/${connected.id}/end`, {});
  await school.once.patch(`/connections/${connected.id}`, { external_id: 'F-1042' });
  await rejected('already_exists', school.patch(path, { external_id: 'F-1042' }));
  await rejected('invalid_state', school.patch(`/connections/${connected.id}`, { status: 'active' }));

  await done(200, school.post(`${path}/end`, {}));
  await rejected('connection_ended', family.post('/connections', body));
  await bookUnconnected(scene);
  await school.once.patch(path, { status: 'active' });
}

/** The families of a school, and what they owe it. */
async function listFamilies(scene: Scene): Promise<void> {
  const { school, family, stack } = scene;
  await done(200, school.get('/families?search=ruiz&limit=1'));
  await rejected('school_only', family.get('/families'));
  await rejected('school_only', family.get(`/families/${family.id}`));
  await rejected('resource_not_found', school.get(`/families/${newId('acct')}`));
  const key = scene.recorded(await stack.mint(school.id, { scopes: ['members:read'] }));
  await rejected('missing_scope', key.get('/families?due=true'));
}

/** What a family may not do with a school that has ended their connection. */
async function bookUnconnected({ family, otherSchool, mia, ...scene }: Scene): Promise<void> {
  const coach = await anInstructor(otherSchool, { name: 'Kofi Mensah' });
  const [instructor_id, member_ids] = [coach.id, [mia.id]];
  const sessions = [{ date: new Date(scene.lessons + 40 * 86_400_000).toISOString(), duration_minutes: 60 }];
  const time = { date_from: sessions[0]!.date, date_to: new Date(scene.lessons + 41 * 86_400_000).toISOString() };
  const wednesday = new Date(scene.lessons + 44 * 86_400_000);
  for (const [path, body] of [
    ['/sessions', { instructor_id, member_id: mia.id, ...sessions[0] }],
    ['/bookings', { instructor_id, member_ids, sessions }],
    ['/holds', { instructor_id, member_ids, sessions }],
    ['/waitlist', { instructor_id, member_id: mia.id, ...time, duration_minutes: 60 }],
  ] as const)
    await rejected('connection_ended', family.post(path, body));
  const weekly = {
    start_local: `${wednesday.toISOString().slice(0, 10)}T12:00`,
    timezone: 'UTC',
    weekdays: ['wed'],
    count: 2,
  };
  const fields = {
    name: 'Seals',
    instructor_id,
    recurrence: weekly,
    duration_minutes: 45,
    capacity: 6,
    price_cents: 1800,
  };
  const frogs = await otherSchool.make<SwimClass>('/classes', fields);
  await otherSchool.once.post(`/classes/${frogs.id}/open`, { outside_hours: true });
  await rejected('connection_ended', family.post(`/classes/${frogs.id}/enrollments`, { member_id: mia.id }));
}

/** A family that a school makes. */
export async function makeFamily(scene: Scene): Promise<void> {
  const school = scene.recorded(scene.otherSchool);
  const emergency_contact = { name: 'Ana Silva', phone: '+351210000000', relationship: 'mother' };
  const child = { name: 'Rui Silva', date_of_birth: '2018-06-12', external_id: 'M-2001' };
  const body = {
    name: 'The Silvas',
    email: 'silva@example.test',
    locale: 'es',
    external_id: 'F-2001',
    members: [child],
  };
  const withMember = (changes: object) => ({ ...body, members: [{ ...child, ...changes }] });
  const wrong = { ...emergency_contact, phone: '+1999' };
  await rejected('invalid_phone', school.post('/families', withMember({ emergency_contact: wrong })));
  await rejected('not_in_past', school.post('/families', withMember({ date_of_birth: '2999-01-01' })));
  await rejected('out_of_range', school.post('/families', withMember({ date_of_birth: '1850-01-01' })));
  const withoutMedical = scene.recorded(await scene.stack.mint(school.id, { scopes: ['members:write'] }));
  await rejected('missing_scope', withoutMedical.post('/families', withMember({ medical_notes: 'Asthma' })));
  const made = await done(201, school.post<NewFamily>('/families', withMember({ emergency_contact })));
  await inviteFamily(scene, made);
  await rejected('already_exists', school.post('/families', body));
  await rejected('school_only', scene.family.post('/families', body));
}

/** The invitation of a family, and its claim in the sandbox. */
async function inviteFamily(scene: Scene, { account_id }: NewFamily): Promise<void> {
  const school = scene.recorded(scene.otherSchool);
  for (const [at, path] of [
    ['/families', 'invite'],
    ['/sandbox/families', 'claim'],
  ]) {
    await rejected('school_only', scene.family.post(`${at}/${account_id}/${path}`, {}));
    await rejected('resource_not_found', school.post(`${at}/${newId('acct')}/${path}`, {}));
    await done(200, school.post(`${at}/${account_id}/${path}`, {}));
  }
  for (const path of [`/families/${account_id}/invite`, `/sandbox/families/${account_id}/claim`])
    await rejected('invalid_state', school.post(path, {}));
}

const ROWS = [
  {
    external_id: 'M-77',
    name: 'Nora Vogel',
    date_of_birth: '2018-02-11',
    swimming_level: 'advanced_beginner',
    family: { external_id: 'F-2044', name: 'Family Vogel', email: 'vogel@example.com' },
  },
  {
    external_id: 'M-78',
    name: 'Emil Vogel',
    date_of_birth: '2090-06-30',
    family: { external_id: 'F-2044', name: 'Family Vogel', email: 'vogel@example.com' },
  },
];

/** Families that a school brings along. */
export async function importFamilies(scene: Scene): Promise<void> {
  const { school, family, stack } = scene;
  const kind = { kind: 'families' };
  await rejected('school_only', family.post('/imports', kind));
  const { id } = await done(201, school.post<DataImport>('/imports', kind));
  const path = `/imports/${id}`;
  await done(201, school.post(`${path}/rows`, { rows: ROWS }));
  const withoutMedical = scene.recorded(await stack.mint(school.id, { scopes: ['members:write'] }));
  const notes = { rows: [{ ...ROWS[0], medical_notes: 'Asthma' }] };
  await rejected('missing_scope', withoutMedical.post(`${path}/rows`, notes));
  await done(202, school.post(`${path}/run`, {}));
  const isDone = async () => (await school.once.get<DataImport>(path)).data.status === 'done';
  await until(isDone, 'the import is done');
  await done(200, school.get(path));
  await rejected('invalid_state', school.post(`${path}/rows`, { rows: ROWS }));
  await done(200, school.get('/imports?status=done&limit=1'));
}
