import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoClient, demoClient } from '../../deploy/local/demo/demo-client.ts';
import { startMonolith } from '../booking/monolith-side.ts';
import { bookingRequest, type Side, startOurs, writingRequest } from '../booking/sides.ts';
import { type Latency, measureLatencies, timed } from '../measuring/latency.ts';
import { cpuMs, load } from '../measuring/load.ts';
import { describePasses, figure, medianOf } from '../measuring/report.ts';
import { measureInTurn, type PassesOf, ratiosOf } from '../measuring/rounds.ts';
import { percentileOf } from '../measuring/statistics.ts';
import { isBusyStatus } from '../measuring/turned-away.ts';
import { createTimetable, dateOf, someAtOnce } from '../stack/dataset.ts';
import type { Run } from '../stack/stack.ts';
import { type ClassesPlan, measureClasses } from './classes.ts';

const PLACES = 6;
const CHILDREN = 12;
const MOST_OF_BOOKING = 10;
const WEEK = 112;
const LONG = {
  teachers: 10,
  slots: 50,
  members: 240,
  pairs: 64,
  races: { rounds: 5, racers: 200 },
  bookings: { rounds: 3, seconds: 8, warmUpRequests: 2_000, connections: 32 },
  moves: { requests: 30, warmUpRequests: 4 },
  weeks: { requests: 100, warmUpRequests: 10 },
  closedChildren: 5,
  offered: { racers: 200, openings: 5, classes: 2_000, lists: { requests: 200, warmUpRequests: 20 } } as ClassesPlan,
};
const AT_ONCE = { rounds: 1, seconds: 0.5, warmUpRequests: 1, connections: 2, mostTurnedAway: 1 };
const SHORT: typeof LONG = {
  teachers: 2,
  slots: 4,
  members: 16,
  pairs: 4,
  races: { rounds: 1, racers: 12 },
  bookings: AT_ONCE,
  moves: { requests: 2, warmUpRequests: 1 },
  weeks: { requests: 2, warmUpRequests: 1 },
  closedChildren: 1,
  offered: { racers: 12, openings: 1, classes: 4, lists: { requests: 2, warmUpRequests: 1 } },
};

interface Lesson {
  id: string;
  date: string;
}

/** What the parts of the measurement share. */
interface Scene {
  run: Run;
  plan: typeof LONG;
  ours: Side;
  school: DemoClient;
  family: DemoClient;
  teachers: string[];
  members: string[];
}

const lessonOf = (instructor_id: string, date: string, capacity = 30) => ({
  instructor_id,
  date,
  duration_minutes: 30,
  capacity,
  price_cents: 1_800,
});

/**
 * Measures lessons that families share: a race for few places, the cost of a place, moves, a school's week, and the closure of one, and classes.
 * @returns the figures and targets as text.
 */
export async function lessons(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const { base_url: baseUrl, accounts } = await stack.demo();
  const ours = await startOurs(run, stack, plan.members + plan.pairs);
  const { pairs } = ours.dataset;
  const scene: Scene = {
    run,
    plan,
    ours: { ...ours, nextBooking: createTimetable({ ...ours.dataset, pairs: pairs.slice(plan.members) }) },
    school: demoClient(baseUrl, accounts.school.key),
    family: demoClient(baseUrl, accounts.family.key),
    teachers: pairs.slice(0, plan.teachers).map(({ instructorId }) => instructorId),
    members: pairs.slice(0, plan.members).map(({ memberId }) => memberId),
  };
  const week = await makeWeek(scene, 0);
  const reports = [await race(scene), await measurePlaces(scene, week), await measureMoves(scene)];
  reports.push(await measureWeek(scene, accounts.school), await measureClosure(scene), await measureClasses(scene));
  return reports.join('\n');
}

/** The lessons of all teachers in a week, slot after slot. */
async function makeWeek({ run, plan, school, teachers }: Scene, week: number): Promise<Lesson[]> {
  run.log(`${plan.slots * teachers.length} lessons of a week`);
  return someAtOnce(plan.slots * teachers.length, (index) => {
    const date = dateOf(week * WEEK + Math.floor(index / teachers.length));
    return school.create<Lesson>('/lessons', 'lesson', lessonOf(teachers[index % teachers.length]!, date));
  });
}

const placeOf = ({ id }: Lesson, member_ids: string[]) => ({ lesson_ids: [id], member_ids });

/** One booking, repeated as long as a busy machine rejects it. */
async function takePlace(side: Side, lesson: Lesson, memberId: string) {
  const key = randomUUID();
  const startedAtMs = performance.now();
  for (let turnedAway = 0; ; turnedAway += 1) {
    const response = await fetch(`${side.origin}/v1/bookings`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${side.dataset.familyKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(placeOf(lesson, [memberId])),
    });
    const text = await response.text();
    const isFull = response.status === 409 && (side.name === 'monolith' || text.includes('"lesson_full"'));
    const outcome = response.status === 201 ? 'booked' : isFull ? 'full' : text;
    if (!isBusyStatus(response.status)) return { ms: performance.now() - startedAtMs, outcome, turnedAway };
    await sleep(100);
  }
}

async function race({ run, plan, ours, school, members, teachers }: Scene): Promise<string> {
  const { rounds, racers } = plan.races;
  run.log(`${racers} racers for ${PLACES} places`);
  const lessonsOfRounds = await someAtOnce(rounds, (round) =>
    school.create<Lesson>('/lessons', 'lesson', lessonOf(teachers[0]!, dateOf(2 * WEEK + round), PLACES)),
  );
  const ids = lessonsOfRounds.map(({ id }) => id);
  const { monolith, stop } = await startMonolith(run, ours.dataset, { ids, capacity: PLACES });
  const lines = [`${racers} clients at once for ${PLACES} places`];
  for (const side of [monolith, ours]) {
    const p99s: number[] = [];
    let [wrong, turnedAway] = [0, 0];
    for (const lesson of lessonsOfRounds) {
      const answers = await Promise.all(members.slice(0, racers).map((member) => takePlace(side, lesson, member)));
      const count = (which: string) => answers.filter(({ outcome }) => outcome === which).length;
      if (count('booked') !== PLACES || count('full') !== racers - PLACES) wrong += 1;
      turnedAway += answers.reduce((sum, each) => sum + each.turnedAway, 0);
      p99s.push(
        percentileOf(
          answers.map(({ ms }) => ms),
          99,
        ),
      );
    }
    lines.push(
      figure(`${side.name}: races without exactly ${PLACES} booked, others full`, wrong, { atMost: 0 }),
      figure(`${side.name}: p99`, p99s, side === ours ? { atMost: 2_000, unit: 'ms' } : { unit: 'ms' }),
      figure(`${side.name}: turned away, and sent again`, turnedAway),
    );
  }
  await stop();
  return [...lines, ''].join('\n');
}

/**
 * Bookings of one place in lessons, beside those of a private lesson. In both no two bookings at a time are of one member, and the warm-up
 * has connected each member with the school.
 */
async function measurePlaces({ run, plan, ours, members, teachers }: Scene, week: Lesson[]): Promise<string> {
  run.log('bookings of one place, and of one private lesson');
  const groups = members.length / teachers.length;
  let count = 0;
  const next = (): [string, object] => {
    const turn = Math.floor(count / week.length);
    const lesson = count % week.length;
    count += 1;
    if (turn >= groups) throw new Error('all lessons are full; send fewer requests');
    // One group of members has the lessons at one time, and the next group those after them.
    const group = (turn + Math.floor(lesson / teachers.length)) % groups;
    return ['/v1/bookings', placeOf(week[lesson]!, [members[group * teachers.length + (lesson % teachers.length)]!])];
  };
  const subjects = [
    { ...ours, name: 'private', request: bookingRequest(ours) },
    { ...ours, name: 'place', request: writingRequest(ours, 'POST', next) },
  ];
  const passes: PassesOf = await measureInTurn(subjects, plan.bookings, run.log);
  return [
    describePasses('POST /v1/bookings', passes),
    figure('processor time of a place, of a private lesson’s', ratiosOf(passes, ['place', 'private'], cpuMs), {
      atMost: 1.2,
    }),
    figure(
      'p50 of a place, of a private lesson’s',
      ratiosOf(passes, ['place', 'private'], ({ p50Ms }) => p50Ms),
      {
        atMost: 1.2,
      },
    ),
    '',
  ].join('\n');
}

/** Moves a lesson with children, and a session, there and back. */
async function measureMoves({ run, plan, ours, school, family, members, teachers }: Scene): Promise<string> {
  run.log('moves');
  const times = [0, 1].map((slot) => dateOf(3 * WEEK + slot)) as [string, string];
  const lesson = await school.create<Lesson>('/lessons', 'lesson', lessonOf(teachers[0]!, times[0]));
  const children = members.slice(0, CHILDREN);
  for (let from = 0; from < CHILDREN; from += MOST_OF_BOOKING)
    await family.create('/bookings', 'booking', placeOf(lesson, children.slice(from, from + MOST_OF_BOOKING)));
  const { instructor_id, member_ids } = ours.nextBooking();
  const one = { instructor_id, member_id: member_ids[0], date: times[0], duration_minutes: 30 };
  const session = await family.create<Lesson>('/sessions', 'session', one);
  const { schoolKey, familyKey } = { schoolKey: await keyOf(run), familyKey: ours.dataset.familyKey };
  const moving = (path: string, key: string) => {
    let moved = 0;
    return () => {
      moved += 1;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return timed(`${ours.origin}${path}`, {
        method: 'PATCH',
        headers,
        body: JSON.stringify({ date: times[moved % 2] }),
      });
    };
  };
  const senders = [moving(`/v1/sessions/${session.id}`, familyKey), moving(`/v1/lessons/${lesson.id}`, schoolKey)];
  const [alone, together] = (await measureLatencies('moves', senders, plan.moves)) as [Latency, Latency];
  return [
    figure('PATCH /v1/sessions/{id}: p50', alone.p50Ms, { unit: 'ms' }),
    figure(`PATCH /v1/lessons/{id} with ${CHILDREN} children: p50`, together.p50Ms, { unit: 'ms' }),
    figure('a lesson’s, of a session’s', together.p50Ms / alone.p50Ms, { atMost: 3 }),
    '',
  ].join('\n');
}

const keyOf = async (run: Run) => (await (await run.stack()).demo()).accounts.school.key;

async function measureWeek({ run, plan, ours, teachers }: Scene, school: { id: string; key: string }): Promise<string> {
  run.log('GET /v1/lessons');
  const query = `account_id=${school.id}&date_from=${dateOf(0)}&date_to=${dateOf(WEEK)}&limit=100`;
  const total = plan.slots * teachers.length;
  const sending = [school.key, ours.dataset.familyKey].map((key) => async () => {
    const answer = await timed(`${ours.origin}/v1/lessons?${query}`, { headers: { authorization: `Bearer ${key}` } });
    if (answer.body && answer.body.pagination.total < total) throw new Error('lessons of the week are missing');
    return answer;
  });
  const [bySchool, byFamily] = (await measureLatencies('GET /v1/lessons', sending, plan.weeks)) as [Latency, Latency];
  return [
    `GET /v1/lessons?limit=100 of a week of ${total}`,
    figure('the school: p95', bySchool.p95Ms, { atMost: 50, unit: 'ms' }),
    figure('a family: p95', byFamily.p95Ms, { atMost: 50, unit: 'ms' }),
    '',
  ].join('\n');
}

/** Closes the week after the first one, while other requests go on. */
async function measureClosure(scene: Scene): Promise<string> {
  const { run, plan, ours, school, family, teachers, members } = scene;
  const week = await makeWeek(scene, 1);
  const { closedChildren: children } = plan;
  await someAtOnce(teachers.length, (index) => {
    const lesson_ids = week.filter((_, at) => at % teachers.length === index).map(({ id }) => id);
    const member_ids = members.slice(index * children, (index + 1) * children);
    return family.create('/bookings', 'booking', { lesson_ids, member_ids });
  });
  const others = { ...ours, drain: async () => {}, request: bookingRequest(ours) };
  const beside = () => load(others, plan.bookings.seconds / 2, 4);
  await ours.drain();
  const before = [await beside(), await beside()];
  run.log(`a closure of ${week.length * children} sessions`);
  const [from, to] = [dateOf(WEEK), dateOf(2 * WEEK - 1)];
  const body = { instructor_ids: teachers, from, to, reason: 'The boiler is broken', lessons: 'cancel' };
  const startedAtMs = performance.now();
  const { id, sessions } = await school.create<{ id: string; sessions: number }>('/closures', 'closure', body);
  const answeredMs = performance.now() - startedAtMs;
  if (sessions !== week.length * children) throw new Error(`the closure concerns ${sessions} sessions`);
  const meanwhile = [];
  const isDone = async () => (await school.get<{ status: string }>(`/closures/${id}`)).status === 'done';
  do meanwhile.push(await beside());
  while (!(await isDone()));
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const [p99, own] = [medianOf(meanwhile, (pass) => pass.p99Ms), medianOf(before, (pass) => pass.p99Ms)];
  return [
    `A closure of ${sessions} sessions`,
    figure('POST /v1/closures', answeredMs, { atMost: 2_000, unit: 'ms' }),
    figure('until it is done', seconds, { atMost: 180, unit: 's' }),
    figure('p99 of bookings by 4 clients: before', own, { unit: 'ms' }),
    figure('p99 of bookings by 4 clients: meanwhile', p99, { unit: 'ms' }),
    figure('meanwhile, of before', p99 / own, { atMost: 2 }),
    '',
  ].join('\n');
}
