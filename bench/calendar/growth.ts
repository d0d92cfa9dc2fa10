import { type BookingBody, createTimetable, type Dataset } from '../booking/dataset.ts';
import {
  type Latency,
  type Plan as LatencyPlan,
  measureLatencies,
  milliseconds,
  type Timed,
  timed,
} from '../measuring/latency.ts';
import { describeTurnedAway } from '../measuring/turned-away.ts';
import type { CalendarDatabase } from './calendar-database.ts';
import { WEEK_SESSIONS } from './stored-sessions.ts';

const TARGET = 1.3;
const MOST_BYTES_AN_ELEMENT = 120;

interface GrowthPlan extends Omit<LatencyPlan, 'requests'> {
  few: number;
  many: number;
  posts: number;
  lists: number;
}

interface Side {
  headers: Record<string, string>;
  nextLesson: () => BookingBody;
}

/**
 * Creates and lists sessions alternately in two environments of the same processes: one has few stored sessions, the other
 * many.
 * @returns the figures, for a person.
 */
export async function growthFigures(
  { origin, env }: { origin: string; env: Record<string, string> },
  dataset: Dataset,
  database: CalendarDatabase,
  plan: GrowthPlan,
  log: (line: string) => void,
): Promise<string> {
  const liveKey = await database.openLive(dataset.familyKey, env.KEY_PEPPER ?? '');
  const week = await database.fill({ env: 'test', count: plan.few, dataset, log });
  await database.fill({ env: 'live', count: plan.many, dataset, log });
  const sides: Side[] = [dataset.familyKey, liveKey].map((key) => ({
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    nextLesson: createTimetable(dataset),
  }));
  const measure = (title: string, requests: number, send: (side: Side) => Promise<Timed>) => {
    log(`${title} in both`);
    const senders = sides.map((side) => () => send(side));
    return measureLatencies(title, senders, { ...plan, requests });
  };
  const posts = await measure('POST /v1/sessions', plan.posts, ({ headers, nextLesson }) =>
    timed(`${origin}/v1/sessions`, { method: 'POST', headers, body: JSON.stringify(sessionOf(nextLesson())) }),
  );
  const list = `${origin}/v1/sessions?limit=100&date_from=${week.from}&date_to=${week.to}`;
  const lists = await measure('GET /v1/sessions', plan.lists, async ({ headers }) => {
    const answer = await timed(list, { headers });
    const isRight = !answer.body || answer.body.pagination.total === WEEK_SESSIONS;
    if (!isRight) throw new Error('the week is not what was stored');
    return answer;
  });
  return [
    describe('POST /v1/sessions', posts, plan),
    describe(`GET /v1/sessions of one account's week, ${WEEK_SESSIONS} sessions`, lists, plan),
    describeElements(await database.bytesOfElements(dataset.pairs.map(({ instructorId }) => instructorId))),
    '',
  ].join('\n');
}

const sessionOf = ({ instructor_id, member_ids: [member_id], sessions: [time] }: BookingBody) => ({
  instructor_id,
  member_id,
  ...time,
});

function describe(title: string, [few, many]: Latency[], plan: GrowthPlan) {
  if (!few || !many) throw new Error(`${title} was not measured in both`);
  const line = (count: number, { p50Ms, p95Ms, requests }: Latency) =>
    `  ${count.toLocaleString('en-GB').padStart(9)} stored: p50 ${milliseconds(p50Ms)}, p95 ${milliseconds(p95Ms)}, ${requests} requests`;
  const ratio = many.p50Ms / few.p50Ms;
  const turnedAway = describeTurnedAway([few, many]);
  return [
    title,
    line(plan.few, few),
    line(plan.many, many),
    `  ratio of p50 ${ratio.toFixed(2)}; target at most ${TARGET.toFixed(2)}: ${ratio <= TARGET ? 'met' : 'missed'}`,
    ...(turnedAway ? [`  note: ${turnedAway}.`] : []),
    '',
  ].join('\n');
}

function describeElements({ elements, bytes }: { elements: number; bytes: number }) {
  const verdict = bytes <= MOST_BYTES_AN_ELEMENT ? 'met' : 'missed';
  return [
    'Day documents',
    `  ${bytes.toFixed(0)} bytes an element (${elements} of them); target at most ${MOST_BYTES_AN_ELEMENT}: ${verdict}`,
  ].join('\n');
}
