import { demoClient } from '../../deploy/local/demo/demo-client.ts';
import { describeLatency, measureLatencies, timed } from '../measuring/latency.ts';
import { figure } from '../measuring/report.ts';
import { createTimetable, DAY_MS, type Dataset, makeDataset, someAtOnce, TOMORROW_MS } from '../stack/dataset.ts';
import type { Run, Stack } from '../stack/stack.ts';
import { fillCalendar, openLive } from './calendar-database.ts';
import { WEEK_SESSIONS, weekRange } from './stored-sessions.ts';

const DAYS = 31;

const LONG = {
  pairs: 64,
  availability: { sessions: 200, requests: 500, warmUpRequests: 200 },
  stored: [1_000, 1_000_000],
  posts: { requests: 400, warmUpRequests: 100 },
  lists: { requests: 1_000, warmUpRequests: 100 },
};
const SHORT = {
  pairs: 4,
  availability: { sessions: 31, requests: 20, warmUpRequests: 2, mostTurnedAway: 1 },
  stored: [200, 2_000],
  posts: { requests: 10, warmUpRequests: 2, mostTurnedAway: 1 },
  lists: { requests: 20, warmUpRequests: 2, mostTurnedAway: 1 },
};

/**
 * Measures the cost of a full calendar: availability of a busy instructor, and requests where many sessions are stored.
 * @returns the figures as text.
 */
export async function calendar(run: Run): Promise<string> {
  const stack = await run.stack();
  const dataset = await makeDataset(stack, (run.isShort ? SHORT : LONG).pairs);
  const [busiest, ...pairs] = dataset.pairs;
  const availability = await measureAvailability(run, stack, { ...dataset, pairs: [busiest!] });
  return [availability, await measureGrowth(run, stack, { ...dataset, pairs })].join('\n');
}

/** Books an instructor many times, and requests the availability of these days, one request after the other. */
async function measureAvailability(run: Run, { origin }: Stack, { familyKey, pairs: [pair] }: Dataset) {
  const { sessions, ...plan } = (run.isShort ? SHORT : LONG).availability;
  run.log(`${sessions} sessions of one instructor within ${DAYS} days`);
  const asFamily = demoClient(`${origin}/v1`, familyKey);
  await someAtOnce(sessions, (index) => asFamily.create('/sessions', 'session', sessionOf(pair!, index)));
  const [from, to] = [TOMORROW_MS, TOMORROW_MS + DAYS * DAY_MS].map((ms) => new Date(ms).toISOString());
  const query = `date_from=${from}&date_to=${to}&timezone=Europe/Berlin`;
  const url = `${origin}/v1/instructors/${pair!.instructorId}/availability?${query}`;
  const send = () => timed(url, { headers: { authorization: `Bearer ${familyKey}` } });
  const [latency] = await measureLatencies('availability', [send], plan);
  return [
    `GET /v1/instructors/{id}/availability over ${DAYS} days`,
    describeLatency(`${sessions} sessions`, latency!),
    figure('p95', latency!.p95Ms, { atMost: 50, unit: 'ms' }),
    '',
  ].join('\n');
}

/**
 * Returns every other half hour from eight o'clock on. Successive sessions are on different days, so that none waits
 * for another.
 */
function sessionOf({ instructorId, memberId }: Dataset['pairs'][number], index: number) {
  const minutes = 8 * 60 + Math.floor(index / DAYS) * 60;
  const date = new Date(TOMORROW_MS + (index % DAYS) * DAY_MS + minutes * 60_000).toISOString();
  return { instructor_id: instructorId, member_id: memberId, date, duration_minutes: 30 };
}

/**
 * Sends requests in turn to two environments of the same processes: the sandbox has few sessions, the live environment
 * many.
 */
async function measureGrowth(run: Run, stack: Stack, dataset: Dataset) {
  const { stored, posts, lists } = run.isShort ? SHORT : LONG;
  const keys = [dataset.familyKey, await openLive(stack, dataset.familyKey)];
  await fillCalendar(stack.database, { env: 'test', count: stored[0]!, dataset, log: run.log });
  await fillCalendar(stack.database, { env: 'live', count: stored[1]!, dataset, log: run.log });
  const { from, to } = weekRange();
  const posting = keys.map((key) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const nextBooking = createTimetable(dataset);
    return () => {
      const { instructor_id, member_ids, sessions } = nextBooking();
      const body = JSON.stringify({ instructor_id, member_id: member_ids[0], ...sessions[0] });
      return timed(`${stack.origin}/v1/sessions`, { method: 'POST', headers, body });
    };
  });
  const listing = keys.map((key) => async () => {
    const url = `${stack.origin}/v1/sessions?limit=100&date_from=${from}&date_to=${to}`;
    const answer = await timed(url, { headers: { authorization: `Bearer ${key}` } });
    if (answer.body && answer.body.pagination.total !== WEEK_SESSIONS)
      throw new Error('the week is not what was stored');
    return answer;
  });
  const measured = {
    'POST /v1/sessions': await measureLatencies('POST /v1/sessions', posting, posts),
    "GET /v1/sessions of one account's week": await measureLatencies('GET /v1/sessions', listing, lists),
  };
  return Object.entries(measured)
    .flatMap(([title, latencies]) => [
      title,
      ...latencies.map((latency, index) =>
        describeLatency(`${stored[index]!.toLocaleString('en-GB')} stored`, latency),
      ),
      figure('growth of p50', latencies[1]!.p50Ms / latencies[0]!.p50Ms, { atMost: 1.3 }),
      '',
    ])
    .join('\n');
}
