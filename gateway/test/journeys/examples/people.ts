import { type ApiKeyWithText, type Instructor, type Member, type Pool, SCOPES } from '@swim/contracts';
import { Customer } from '../fixtures/customer.js';
import { instructorBody, memberBody } from '../fixtures/fixtures.js';
import { done, FULL_METADATA, hasEvents, keyIsUsed, MORE_METADATA, newId, rejected, type Scene } from './scene.js';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const POOL = {
  name: 'Encanto Pool',
  address: '2121 N 15th Ave, Phoenix, AZ 85007',
  latitude: 33.474,
  longitude: -112.091,
  timezone: 'America/Phoenix',
  lanes: 4,
};
const ROSA = {
  name: 'Rosa Delgado',
  email: 'rosa.delgado@example.com',
  phone: '+16025550143',
  bio: 'Has taught beginners for twelve years.',
  timezone: 'America/Phoenix',
  hourly_rate_cents: 6_000,
  currency: 'USD',
  max_group_size: 4,
  levels_taught: ['beginner', 'advanced_beginner'],
  languages: ['en', 'es'],
  certifications: [
    { type: 'lifeguard', issuer: 'American Red Cross', issued_at: '2019-06-01', expires_at: '2040-02-01' },
  ],
};
const MIA = {
  name: 'Mia Okafor',
  date_of_birth: '2017-05-04',
  swimming_level: 'beginner',
  medical_notes: 'Asthma: her inhaler is in the red bag.',
  emergency_contact: { name: 'Ada Okafor', phone: '+16025550111', relationship: 'mother' },
};

/** Pools and instructors, which belong to a school. */
export async function teach(scene: Scene): Promise<void> {
  const { school, family, otherSchool } = scene;
  scene.pool = await school.make<Pool>('/pools', POOL);
  const { pool } = scene;
  await rejected('school_only', family.post('/pools', POOL));
  await done(200, school.get(`/pools?ids=${pool.id}`));
  await done(200, school.get(`/pools/${pool.id}`));
  await rejected('school_only', family.patch(`/pools/${pool.id}`, { lanes: 6 }));
  await done(200, school.patch(`/pools/${pool.id}`, { lanes: 6 }));
  await done(200, school.patch(`/pools/${pool.id}`, { metadata: FULL_METADATA }));
  await rejected('too_long', school.patch(`/pools/${pool.id}`, MORE_METADATA));
  const unused = await otherSchool.make<Pool>('/pools', POOL);
  await done(204, scene.recorded(otherSchool).delete(`/pools/${unused.id}`));
  await rejected('school_only', family.delete(`/pools/${pool.id}`));

  const schedule = {
    weekly: WEEKDAYS.map((day) => ({ day, start: '08:00', end: '18:00' })),
    maximum_days_ahead: 400,
  };
  const area = { name: 'Phoenix', latitude: 33.45, longitude: -112.07, radius_km: 25, pool_ids: [pool.id] };
  const body = { ...ROSA, availability_schedule: schedule, service_areas: [area] };
  scene.rosa = await school.make<Instructor>('/instructors', body);
  const path = `/instructors/${scene.rosa.id}`;
  await rejected('already_exists', school.post('/instructors', body));
  await rejected('school_only', family.post('/instructors', body));
  await rejected('invalid_phone', school.post('/instructors', { ...instructorBody(), phone: '+1602' }));
  const dinars = { hourly_rate_cents: 12_345, currency: 'KWD' };
  await rejected('not_representable', school.post('/instructors', instructorBody(dinars)));
  await rejected('not_representable', school.patch(path, dinars));
  const nowhere = { ...area, pool_ids: [newId('pool')] };
  await rejected('not_found', school.post('/instructors', { ...instructorBody(), service_areas: [nowhere] }));
  const listed = '/instructors?search=rosa%20delgado&certification=lifeguard';
  await done(
    200,
    family.get(
      `${listed}&location[latitude]=33.45&location[longitude]=-112.07&location[radius]=20&ids=${scene.rosa.id}`,
    ),
  );
  await done(200, family.get(path));
  await done(200, school.patch(path, { bio: 'Has taught beginners for thirteen years.', version: 1 }));
  await rejected('stale_version', school.patch(path, { bio: 'Teaches beginners.', version: 1 }));
  await rejected('school_only', family.patch(path, { bio: 'Teaches beginners.' }));
  await rejected('invalid_phone', school.patch(path, { phone: '+1602' }));
  await rejected('not_found', school.patch(path, { service_areas: [nowhere] }));
  const other = await school.make<Instructor>('/instructors', {
    ...instructorBody(),
    name: 'Marcus Bell',
    metadata: FULL_METADATA,
  });
  await rejected('already_exists', school.patch(`/instructors/${other.id}`, { email: ROSA.email }));
  await rejected('too_long', school.patch(`/instructors/${other.id}`, MORE_METADATA));
}

/** Members, which belong to a family. */
export async function enrol(scene: Scene): Promise<void> {
  const { school, family } = scene;
  const members = `/accounts/${family.id}/members`;
  scene.mia = await family.make<Member>(members, MIA);
  // The first event of the account is shown as that of a stream.
  await hasEvents(family, `object_id=${scene.mia.id}`, 1);
  scene.leo = await family.make<Member>(members, { name: 'Leo Okafor', date_of_birth: '2019-08-12' });
  const path = `/members/${scene.mia.id}`;
  const withoutMedical = scene.recorded(await scene.stack.mint(family.id, { scopes: ['members:write'] }));
  const medical = { medical_notes: 'None.' };
  await rejected('missing_scope', withoutMedical.post(members, { ...memberBody(), ...medical }));
  await rejected('missing_scope', withoutMedical.patch(path, medical));
  for (const [reason, change] of [
    ['not_in_past', { date_of_birth: '2090-01-01' }],
    ['out_of_range', { date_of_birth: '1890-01-01' }],
    ['invalid_phone', { emergency_contact: { name: 'Ada Okafor', phone: '+1602', relationship: 'mother' } }],
  ] as const) {
    await rejected(reason, family.post(members, { ...memberBody(), ...change }));
    await rejected(reason, family.patch(path, change));
  }
  await done(200, family.get('/members?swimming_level=beginner'));
  await done(200, family.get(`${members}?search=mia`));
  await rejected('foreign_account', family.get(`/members?account_id=${school.id}`));
  await done(200, family.get(path));
  await done(200, family.patch(path, { swimming_level: 'advanced_beginner', metadata: { crm_id: 'C-1042' } }));
  await done(200, family.get(`${path}/progress`));
  const full = await family.make<Member>(members, { ...memberBody(), metadata: FULL_METADATA });
  await rejected('too_long', family.patch(`/members/${full.id}`, MORE_METADATA));
  await done(204, family.delete(`/members/${full.id}`));
}

/** The account itself, and its keys. */
export async function administer(scene: Scene): Promise<void> {
  const { school, family, stack } = scene;
  await keyIsUsed(school);
  await done(200, school.get('/me'));
  await done(200, school.get(`/accounts/${school.id}`));
  await done(
    200,
    school.patch(`/accounts/${school.id}`, { timezone: 'America/Phoenix', policies: { late_fee_percent: 50 } }),
  );
  await rejected(
    'policies_of_school_only',
    family.patch(`/accounts/${family.id}`, { policies: { late_fee_percent: 0 } }),
  );
  await done(200, school.patch(`/accounts/${school.id}`, { metadata: FULL_METADATA }));
  await rejected('too_long', school.patch(`/accounts/${school.id}`, MORE_METADATA));
  const neighbours = scene.recorded(scene.neighbours);
  for (let link = 0; link < 5; link++)
    await done(200, scene.neighbours.patch(`/accounts/${neighbours.id}`, { email: `new-${link}@example.com` }));
  await rejected('limit_reached', neighbours.patch(`/accounts/${neighbours.id}`, { email: 'ada@example.com' }));

  const keys = `/accounts/${school.id}/keys`;
  const made = await school.make<ApiKeyWithText>(keys, {
    name: 'Front desk',
    scopes: ['bookings:write', 'members:read'],
  });
  const accountsOnly = scene.recorded(await stack.mint(school.id, { scopes: ['accounts:write', 'keys:write'] }));
  await rejected('missing_scope', accountsOnly.post(keys, { name: 'More', scopes: ['bookings:read'] }));
  await rejected('in_past', school.post(keys, { name: 'Old', expires_at: '2020-01-01T00:00:00Z' }));
  const expiring = scene.recorded(await stack.mint(school.id, { expiresAt: new Date(scene.lessons) }));
  await rejected('out_of_range', expiring.post(keys, { name: 'For ever', expires_at: null }));
  const path = `${keys}/${made.id}`;
  await done(200, school.get(`${keys}?ids=${made.id}`));
  await done(200, school.get(path));
  await done(200, school.patch(path, { name: 'Front desk, ground floor', ip_allowlist: ['203.0.113.0/24'] }));
  await rejected('missing_scope', accountsOnly.patch(path, { scopes: ['payments:write'] }));
  const fence = { name: 'Office', ip_allowlist: ['127.0.0.1/32'] };
  const { key } = await school.make<ApiKeyWithText>(keys, { ...fence, scopes: SCOPES });
  const fenced = scene.recorded(new Customer(school.baseUrl, school.id, key!));
  await rejected('out_of_range', fenced.patch(path, { ip_allowlist: ['198.51.100.0/24'] }));
  await rejected('out_of_range', fenced.post(`${path}/roll`, {}));
  await rejected('missing_scope', accountsOnly.post(`${path}/roll`, {}));
  await done(201, school.post(`${path}/roll`, { overlap_hours: 24 }));
  await rejected('invalid_state', school.post(`${path}/roll`, {}));
  await rejected(
    'missing_scope',
    scene.recorded(await stack.mint(school.id, { scopes: ['keys:read'] })).post(`${path}/revoke`, {}),
  );
  await done(200, school.post(`${path}/revoke`, {}));
  await rejected('invalid_state', school.patch(path, { name: 'Late' }));
  await exceedKeys(scene);
}

/** An account has at most 100 active keys. */
async function exceedKeys(scene: Scene): Promise<void> {
  const { stack } = scene;
  const crowded = scene.recorded(await stack.open('school'));
  const keys = `/accounts/${crowded.id}/keys`;
  await Promise.all(Array.from({ length: 98 }, () => stack.mint(crowded.id)));
  const last = await crowded.make<ApiKeyWithText>(keys, { name: 'The hundredth' });
  await rejected('limit_reached', crowded.post(keys, { name: 'One too many' }));
  await rejected('limit_reached', crowded.post(`${keys}/${last.id}/roll`, { overlap_hours: 1 }));
}
