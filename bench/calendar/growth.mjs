import { createTimetable } from '../booking/dataset.mjs';
import { WEEK_SESSIONS } from './stored-sessions.mjs';
import { milliseconds, percentileOf, timed } from './timing.mjs';

const TARGET = 1.3;
const MOST_BYTES_AN_ELEMENT = 120;

/**
 * Makes and lists sessions in two environments of the same processes in turn: in one few sessions are stored, in the other
 * many.
 * @param {{origin: string, env: Record<string, string>}} stack
 * @param {import('../booking/dataset.mjs').Dataset} dataset
 * @param {import('./calendar-database.mjs').CalendarDatabase} database
 * @param {{few: number, many: number, posts: number, lists: number, warmUpRequests: number}} plan
 * @param {(line: string) => void} log
 * @returns {Promise<string>} the figures, for a person.
 */
export async function growthFigures({ origin, env }, dataset, database, plan, log) {
  const liveKey = await database.openLive(dataset.familyKey, env.KEY_PEPPER);
  const week = await database.fill({ env: 'test', count: plan.few, dataset, log });
  await database.fill({ env: 'live', count: plan.many, dataset, log });
  const sides = [dataset.familyKey, liveKey].map((key) => ({
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    nextLesson: createTimetable(dataset),
  }));
  log('POST /v1/sessions in both');
  const posts = await inTurn(sides, plan.posts, plan.warmUpRequests, ({ headers, nextLesson }) =>
    timed(`${origin}/v1/sessions`, { method: 'POST', headers, body: JSON.stringify(sessionOf(nextLesson())) }),
  );
  log('GET /v1/sessions in both');
  const list = `${origin}/v1/sessions?limit=100&date_from=${week.from}&date_to=${week.to}`;
  const lists = await inTurn(sides, plan.lists, plan.warmUpRequests, async ({ headers }) => {
    const answer = await timed(list, { headers });
    if (answer.body.pagination.total !== WEEK_SESSIONS) throw new Error('the week is not what was stored');
    return answer;
  });
  return [
    describe('POST /v1/sessions', posts, plan),
    describe(`GET /v1/sessions of one account's week, ${WEEK_SESSIONS} sessions`, lists, plan),
    describeElements(await database.bytesOfElements()),
    '',
  ].join('\n');
}

const sessionOf = ({ instructor_id, member_ids: [member_id], sessions: [time] }) => ({
  instructor_id,
  member_id,
  ...time,
});

/** Times of both sides, one request of each after the other. */
async function inTurn(sides, requests, warmUpRequests, send) {
  const times = sides.map(() => []);
  for (let count = -warmUpRequests; count < requests; count += 1) {
    for (const [index, side] of sides.entries()) {
      const { ms } = await send(side);
      if (count >= 0) times[index].push(ms);
    }
  }
  return times;
}

function describe(title, [few, many], plan) {
  const [before, after] = [few, many].map((times) => percentileOf(times, 50));
  const line = (count, times) =>
    `  ${count.toLocaleString('en-GB').padStart(9)} stored: p50 ${milliseconds(percentileOf(times, 50))}, p95 ${milliseconds(percentileOf(times, 95))}, ${times.length} requests`;
  const ratio = after / before;
  return [
    title,
    line(plan.few, few),
    line(plan.many, many),
    `  ratio of p50 ${ratio.toFixed(2)}; target at most ${TARGET.toFixed(2)}: ${ratio <= TARGET ? 'met' : 'missed'}`,
    '',
  ].join('\n');
}

function describeElements({ elements, bytes }) {
  const verdict = bytes <= MOST_BYTES_AN_ELEMENT ? 'met' : 'missed';
  return [
    'Day documents',
    `  ${bytes.toFixed(0)} bytes an element (${elements} of them); target at most ${MOST_BYTES_AN_ELEMENT}: ${verdict}`,
  ].join('\n');
}
