import type { AccessEntry, Booking, Me, Progress, RequestLogEntry, Session, Usage } from '@swim/contracts';
import { until } from '@swim/testing';
import { bookingBody } from '../fixtures/fixtures.js';
import { advance, clockOf } from '../fixtures/sandbox-clock.js';
import { another, done, keyIsUsed, newId, rejected, type Scene } from './scene.js';

const HOUR_MS = 3_600_000;

/** What follows once lessons have begun: the clock of the family is advanced to the middle of one. */
export async function pass(scene: Scene): Promise<void> {
  const { school, family, rosa, mia, leo } = scene;
  const given = await family.make<Session>('/sessions', scene.lesson(mia, scene.at(3)));
  const over = await family.make<Booking>('/bookings', scene.group([leo], [scene.at(2)]));
  const beside = bookingBody(await another(school), [leo], [scene.at(3)]);
  const begun = await family.make<Booking>('/bookings', beside);
  const clock = '/sandbox/clock';
  await rejected('in_past', family.post(clock, { advance_to: '2020-01-01T00:00:00Z' }));
  await rejected('out_of_range', family.post(clock, { advance_to: scene.at(600) }));
  const [most, advance_to] = [scene.at(3, 17, 5), scene.at(3, 17, 10)];
  scene.normaliser.clockAdvancedTo(advance_to);
  // What falls due until then takes a busy machine longer than the answer waits; after that nothing is due.
  const { family: unrecorded } = scene.stack;
  await advance(unrecorded, most);
  await done(200, family.post(clock, { advance_to }));
  await until(async () => !(await clockOf(unrecorded)).advancing, 'the advance has ended');
  await done(200, family.get(clock));

  await rejected('already_started', family.patch(`/sessions/${given.id}`, { date: scene.at(100) }));
  await rejected('already_started', family.post(`/sessions/${given.id}/cancel`, {}));
  await rejected('already_started', family.get(`/sessions/${given.id}/cancellation-quote`));
  await rejected('already_started', family.post(`/bookings/${begun.id}/cancel`, {}));
  await rejected('already_started', family.get(`/bookings/${begun.id}/cancellation-quote`));
  await done(200, school.post(`/sessions/${given.id}/complete`, {}));
  await done(200, school.post(`/sessions/${given.id}/attendance`, { attendance: 'attended' }));
  await rejected('invalid_state', family.post(`/sessions/${given.id}/cancel`, {}));
  await until(
    async () => (await family.once.get<Booking>(`/bookings/${over.id}`)).data.status === 'completed',
    'the booking is completed',
  );
  await rejected('invalid_state', family.post(`/bookings/${over.id}/cancel`, {}));

  const reviews = `/instructors/${rosa.id}/reviews`;
  const review = { session_id: given.id, stars: 5, comment: 'Mia dives now.' };
  await rejected('foreign_account', school.post(reviews, review));
  await rejected('not_found', family.post(reviews, { ...review, session_id: newId('ses') }));
  await rejected('invalid_state', family.post(reviews, { ...review, session_id: scene.session.id }));
  await done(201, family.post(reviews, review));
  await rejected('already_exists', family.post(reviews, review));
  await done(200, family.get(reviews));

  const progress = `/members/${mia.id}/progress`;
  const hasAttended = async () => (await family.once.get<Progress>(progress)).data.attendance_rate === 1;
  await until(hasAttended, 'the attendance is counted');
  const { skills } = await school.read<Progress>(progress);
  const assessment = { skills: [{ code: skills[0]!.code, status: 'mastered' }], note: 'Ready for the deep end soon.' };
  await rejected('school_only', family.post(progress, assessment));
  await done(201, school.post(progress, assessment));
  await showRecords(scene);
  await showUsage(scene);
  await rejected('foreign_account', school.patch(`/members/${mia.id}`, { name: 'Mia' }));
  await rejected('foreign_account', school.delete(`/members/${mia.id}`));
}

/** What an account sees of its requests, of the e-mails to it, and of reads of its members. */
async function showRecords({ school, family, mia }: Scene): Promise<void> {
  const { key } = await school.read<Me>('/me');
  const log = `/accounts/${family.id}/access-log?member_id=${mia.id}&key_id=${key.id}&limit=1`;
  // The school has read the progress, and assessed it twice: the first time as a dry run.
  const isLogged = async () => (await family.once.get<AccessEntry[]>(log)).pagination.total === 3;
  await until(isLogged, 'the assessment is logged');
  await done(200, family.get(log));
  const requests = '/requests?method=POST&path=/v1/pools&status=201&limit=1';
  const made = async () => {
    const { data, pagination } = await school.once.get<RequestLogEntry[]>(requests);
    return pagination.total === 3 ? data[0] : null;
  };
  const listed = await until(made, 'the three pools are in the log of requests');
  await done(200, school.get(requests));
  await done(200, school.get(`/requests/${listed.id}`));
  // The product of the journeys sends no e-mails.
  await done(200, family.get(`/accounts/${family.id}/messages`));
}

/** The hour in which a key made its one request. */
async function showUsage({ stack, family, normaliser }: Scene): Promise<void> {
  const { key } = await (await stack.mint(family.id, { scopes: ['keys:read'] })).read<Me>('/me');
  const usage = `/usage?key_id=${key.id}`;
  const counted = async () => (await family.once.get<Usage>(usage)).data.hours.find(({ requests }) => requests === 1);
  const { start } = await until(counted, 'the request of the key is counted');
  normaliser.hourBeganAt(start);
  const end = new Date(Date.parse(start) + HOUR_MS).toISOString();
  await done(200, family.get(`${usage}&date_from=${start}&date_to=${end}`));
}

/** Accounts that are erased or reset, and what live keys do not find. */
export async function end(scene: Scene): Promise<void> {
  const { stack } = scene;
  const live = scene.recorded(await stack.open('family', 'live'));
  const path = `/accounts/${live.id}`;
  await rejected('invalid_state', live.post(`${path}/restore`, {}));
  await keyIsUsed(live);
  await done(200, live.get(`${path}/export`));
  const reader = scene.recorded(await stack.mint(live.id, { scopes: ['accounts:read'] }, 'live'));
  await rejected('missing_scope', reader.get(`${path}/export`));
  await done(202, live.delete(path));
  await done(200, live.post(`${path}/restore`, {}));
  await rejected('unknown_route', live.get('/sandbox/clock'));
  await rejected('unknown_route', live.post('/sandbox/clock', { advance_to: scene.at(1) }));
  await rejected('unknown_route', live.post('/sandbox/reset', {}));
  await rejected('unknown_route', live.post(`/sandbox/payments/${newId('pay')}/authenticate`, { outcome: 'failed' }));
  await rejected('unknown_route', live.post(`/sandbox/families/${newId('acct')}/claim`, {}));
  const unrecorded = await stack.open('family');
  const test = scene.recorded(unrecorded);
  await done(200, test.post('/sandbox/reset', {}));
  await until(async () => !(await clockOf(unrecorded)).resetting, 'the reset has ended');
  await done(204, test.delete(`/accounts/${test.id}`));
}
