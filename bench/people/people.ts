import type { Demo } from '../../deploy/local/demo.ts';
import { demoClient } from '../../deploy/local/demo-client.ts';
import type { Run, Stack } from '../booking/stack.ts';
import { type Latency, type Plan as LatencyPlan, measureLatencies, milliseconds, timed } from '../measuring/latency.ts';
import { describeTurnedAway } from '../measuring/turned-away.ts';
import { freeAmong, makeInstructors, SEARCH } from './instructors.ts';
import { publishLessons } from './lessons.ts';
import { PeopleDatabase } from './people-database.ts';

interface Plan extends LatencyPlan {
  few: number;
  many: number;
  lessons: number;
}

/** A request, and what throws when a response is not the expected one. */
interface Measured {
  url: string;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: each request has a response of its own.
  check: (body: any) => void;
}

const LONG: Plan = { few: 50, many: 500, lessons: 500, requests: 400, warmUpRequests: 200 };
const SHORT: Plan = { few: 10, many: 40, lessons: 40, requests: 10, warmUpRequests: 1, mostTurnedAway: 1 };
const TARGET = { searchP95Ms: 150, timesFew: 5, progressP95Ms: 30 };
const NAME_WIDTH = 34;

/**
 * Measures through the gateway how long a search for instructors by all four filters takes, among few and among many, and
 * the progress of a member with many lessons.
 * @returns the figures, for a person.
 */
export async function people(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const database = new PeopleDatabase(run.env);
  run.atEnd(() => database.close());
  const demo = await stack.demo();
  const asSchool = demoClient(demo.base_url, demo.accounts.school.key);
  const few = await searchAmong(plan.few, 0);
  const many = await searchAmong(plan.many, plan.few);
  return describe({ few, many, progress: await progressOf(run, stack, demo, plan) }, plan);

  async function searchAmong(count: number, from: number) {
    run.log(`${count} instructors`);
    await makeInstructors(asSchool, database, { from, to: count });
    return measureOf('search', searchOf(demo, freeAmong(count)), plan);
  }
}

function searchOf({ base_url: baseUrl, accounts }: Demo, free: number): Measured {
  const check: Measured['check'] = ({ data, pagination }) => {
    const isRight = pagination.total === free && data.length === Math.min(20, free);
    if (!isRight) throw new Error(`${pagination.total} instructors were found, not the ${free} who are free`);
  };
  return { url: `${baseUrl}/instructors?${SEARCH}`, headers: bearer(accounts.family), check };
}

async function measureOf(name: string, { url, headers, check }: Measured, plan: Plan): Promise<Latency> {
  const send = async () => {
    const answer = await timed(url, { headers });
    if (answer.body) check(answer.body);
    return answer;
  };
  const [latency] = await measureLatencies(name, [send], plan);
  return latency!;
}

async function progressOf({ log }: Run, { env }: Stack, { base_url: baseUrl, accounts }: Demo, plan: Plan) {
  log(`a member with ${plan.lessons} lessons`);
  const { family } = accounts;
  const asFamily = demoClient(baseUrl, family.key);
  const member = await asFamily.create<{ id: string }>(`/accounts/${family.id}/members`, 'member', {
    name: 'Member with many lessons',
    date_of_birth: '2017-05-04',
  });
  const path = `/members/${member.id}/progress`;
  const countNow = async () => (await asFamily.get<{ sessions_completed: number }>(path)).sessions_completed;
  await publishLessons({
    natsUrl: env.NATS_URL ?? '',
    accountId: family.id,
    memberId: member.id,
    count: plan.lessons,
    countNow,
  });
  const check: Measured['check'] = ({ data }) => {
    if (data.sessions_completed !== plan.lessons) throw new Error(`${data.sessions_completed} lessons were counted`);
  };
  return measureOf('progress', { url: baseUrl + path, headers: bearer(family), check }, plan);
}

const bearer = ({ key }: { key: string }) => ({ authorization: `Bearer ${key}` });

function describe({ few, many, progress }: Record<'few' | 'many' | 'progress', Latency>, plan: Plan) {
  const times = many.p95Ms / few.p95Ms;
  const ofMedians = many.p50Ms / few.p50Ms;
  const turnedAway = describeTurnedAway([few, many, progress]);
  return [
    'GET /v1/instructors, all four filters, through the gateway, one request after the other',
    line(`among ${plan.few} instructors`, few),
    line(`among ${plan.many} instructors`, many, TARGET.searchP95Ms),
    `  ${'ratio'.padEnd(NAME_WIDTH)} ${times.toFixed(1)} by p95, ${ofMedians.toFixed(1)} by p50; target at most ${TARGET.timesFew}: ${verdict(times <= TARGET.timesFew)}`,
    '',
    'GET /v1/members/{id}/progress',
    line(`with ${plan.lessons} lessons`, progress, TARGET.progressP95Ms),
    ...(turnedAway ? [`  note: ${turnedAway}.`] : []),
    '',
  ].join('\n');
}

function line(name: string, { requests, p50Ms, p95Ms, maxMs }: Latency, targetMs?: number) {
  const target = targetMs === undefined ? '' : `; target below ${targetMs} ms: ${verdict(p95Ms < targetMs)}`;
  const figures = `p50 ${milliseconds(p50Ms)}, p95 ${milliseconds(p95Ms)}, longest ${milliseconds(maxMs)}`;
  return `  ${name.padEnd(NAME_WIDTH)} ${figures}, ${requests} requests${target}`;
}

const verdict = (isMet: boolean) => (isMet ? 'met' : 'missed');
