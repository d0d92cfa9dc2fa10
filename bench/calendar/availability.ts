import { demoClient } from '../../deploy/local/demo-client.ts';
import { type Dataset, someAtOnce } from '../booking/dataset.ts';
import { type Latency, type Plan as LatencyPlan, measureLatencies, milliseconds, timed } from '../measuring/latency.ts';
import { describeTurnedAway } from '../measuring/turned-away.ts';

const DAYS = 31;
const DAY_MS = 86_400_000;
const TARGET_MS = 50;

/**
 * Books an instructor many times within 31 days, and asks for the availability of these days, one request after the other.
 * @returns the figure, for a person.
 */
export async function availabilityFigure(
  { origin }: { origin: string },
  { familyKey, pair }: { familyKey: string; pair: Dataset['pairs'][number] },
  plan: LatencyPlan & { sessions: number },
  log: (line: string) => void,
): Promise<string> {
  const firstDay = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
  log(`${plan.sessions} sessions of one instructor within ${DAYS} days`);
  const asFamily = demoClient(`${origin}/v1`, familyKey);
  await someAtOnce(plan.sessions, (index) => asFamily.create('/sessions', 'session', sessionOf(pair, firstDay, index)));
  const range = [firstDay, firstDay + DAYS * DAY_MS].map((at) => new Date(at).toISOString());
  const query = `date_from=${range[0]}&date_to=${range[1]}&timezone=Europe/Berlin`;
  const url = `${origin}/v1/instructors/${pair.instructorId}/availability?${query}`;
  const headers = { authorization: `Bearer ${familyKey}` };
  let slots = 0;
  const send = async () => {
    const answer = await timed(url, { headers });
    if (answer.body) slots = answer.body.data.slots.length;
    return answer;
  };
  const [latency] = await measureLatencies('availability', [send], plan);
  return describe(latency!, slots, plan);
}

function describe(latency: Latency, slots: number, { sessions }: { sessions: number }) {
  const { requests, p50Ms, p95Ms, maxMs } = latency;
  const turnedAway = describeTurnedAway([latency]);
  return [
    `GET /v1/instructors/{id}/availability over ${DAYS} days with ${sessions} sessions, through the gateway`,
    `  ${requests} requests, one after the other, of ${slots} slots each: p50 ${milliseconds(p50Ms)}, longest ${milliseconds(maxMs)}`,
    `  p95 ${milliseconds(p95Ms)}; target below ${TARGET_MS} ms: ${p95Ms < TARGET_MS ? 'met' : 'missed'}`,
    ...(turnedAway ? [`  note: ${turnedAway}.`] : []),
    '',
  ].join('\n');
}

/** Every other half hour from eight o'clock on; neighbours are on different days, so that none waits for another. */
function sessionOf({ instructorId, memberId }: Dataset['pairs'][number], firstDay: number, index: number) {
  const minutes = 8 * 60 + Math.floor(index / DAYS) * 60;
  const startMs = firstDay + (index % DAYS) * DAY_MS + minutes * 60_000;
  const date = new Date(startMs).toISOString();
  return { instructor_id: instructorId, member_id: memberId, date, duration_minutes: 30 };
}
