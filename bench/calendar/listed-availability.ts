import { demoClient } from '../../deploy/local/demo-client.ts';
import { type Dataset, makeDataset, someAtOnce } from '../booking/dataset.ts';
import type { Run } from '../booking/stack.ts';
import { type Latency, type Plan as LatencyPlan, measureLatencies, milliseconds, timed } from '../measuring/latency.ts';
import { describeTurnedAway } from '../measuring/turned-away.ts';

const INSTRUCTORS = 50;
const DAYS = 7;
const DAY_MS = 86_400_000;
const TARGET_MS = 300;

const LONG = { sessionsEach: 10, requests: 400, warmUpRequests: 50 };
const SHORT = { sessionsEach: 1, requests: 10, warmUpRequests: 1, mostTurnedAway: 1 };

/**
 * Measures how long the free times of 50 instructors within a week take, through the gateway.
 * @returns the figures, for a person.
 */
export async function listedAvailability(run: Run): Promise<string> {
  const plan: LatencyPlan & { sessionsEach: number } = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const { familyKey, pairs } = await makeDataset(stack, INSTRUCTORS);
  run.log(`${plan.sessionsEach} sessions of each of ${INSTRUCTORS} instructors within ${DAYS} days`);
  const firstDay = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
  const asFamily = demoClient(`${stack.origin}/v1`, familyKey);
  await someAtOnce(pairs.length * plan.sessionsEach, (index) =>
    asFamily.create('/sessions', 'session', sessionOf(pairs, firstDay, index)),
  );
  const range = [firstDay, firstDay + DAYS * DAY_MS].map((at) => new Date(at).toISOString());
  const ids = pairs.map(({ instructorId }) => instructorId).join(',');
  const url = `${stack.origin}/v1/availability?instructor_ids=${ids}&date_from=${range[0]}&date_to=${range[1]}&limit=100`;
  const headers = { authorization: `Bearer ${familyKey}` };
  let slots = 0;
  const send = async () => {
    const answer = await timed(url, { headers });
    if (answer.body) slots = answer.body.pagination.total;
    return answer;
  };
  const [latency] = await measureLatencies('availability of many', [send], plan);
  return describe(latency!, slots);
}

/** Whole hours from eight o'clock on; neighbours are of different instructors, so that none waits for another. */
function sessionOf(pairs: Dataset['pairs'], firstDay: number, index: number) {
  const { instructorId, memberId } = pairs[index % pairs.length]!;
  const lesson = Math.floor(index / pairs.length);
  const startMs = firstDay + (lesson % DAYS) * DAY_MS + (8 + Math.floor(lesson / DAYS)) * 3_600_000;
  const date = new Date(startMs).toISOString();
  return { instructor_id: instructorId, member_id: memberId, date, duration_minutes: 30 };
}

function describe(latency: Latency, slots: number) {
  const { requests, p50Ms, p95Ms, maxMs } = latency;
  const turnedAway = describeTurnedAway([latency]);
  return [
    `GET /v1/availability of ${INSTRUCTORS} instructors over ${DAYS} days, through the gateway, one request after the other`,
    `  ${requests} requests for the first 100 of ${slots} slots: p50 ${milliseconds(p50Ms)}, longest ${milliseconds(maxMs)}`,
    `  p95 ${milliseconds(p95Ms)}; target below ${TARGET_MS} ms: ${p95Ms < TARGET_MS ? 'met' : 'missed'}`,
    ...(turnedAway ? [`  note: ${turnedAway}.`] : []),
    '',
  ].join('\n');
}
