import { someAtOnce } from '../booking/world.mjs';
import { milliseconds, percentileOf, timed } from './timing.mjs';

const SESSIONS = 200;
const DAYS = 31;
const LESSONS_A_DAY = 7;
const DAY_MS = 86_400_000;
const TARGET_MS = 50;

/**
 * Books an instructor 200 times within 31 days, and asks for the availability of these days, one request after the other.
 * @param {{origin: string}} stack
 * @param {{familyKey: string, pair: {instructorId: string, memberId: string}}} world
 * @param {{requests: number, warmUpRequests: number}} plan
 * @param {(line: string) => void} log
 * @returns {Promise<string>} the figure, for a person.
 */
export async function availabilityFigure({ origin }, { familyKey, pair }, plan, log) {
  const headers = { authorization: `Bearer ${familyKey}`, 'content-type': 'application/json' };
  const firstDay = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
  log(`${SESSIONS} sessions of one instructor within ${DAYS} days`);
  await someAtOnce(SESSIONS, (index) => {
    const session = { ...lessonOf(pair, firstDay, index), duration_minutes: 30 };
    return timed(`${origin}/v1/sessions`, { method: 'POST', headers, body: JSON.stringify(session) });
  });
  const range = [firstDay, firstDay + DAYS * DAY_MS].map((at) => new Date(at).toISOString());
  const query = `date_from=${range[0]}&date_to=${range[1]}&timezone=Europe/Berlin`;
  const url = `${origin}/v1/instructors/${pair.instructorId}/availability?${query}`;
  const times = [];
  let slots = 0;
  for (let count = -plan.warmUpRequests; count < plan.requests; count += 1) {
    const { ms, body } = await timed(url, { headers });
    slots = body.data.slots.length;
    if (count >= 0) times.push(ms);
  }
  const [p50, p95, longest] = [50, 95, 100].map((percent) => percentileOf(times, percent));
  return [
    `GET /v1/instructors/{id}/availability over ${DAYS} days with ${SESSIONS} sessions, through the gateway`,
    `  ${plan.requests} requests, one after the other, of ${slots} slots each: p50 ${milliseconds(p50)}, longest ${milliseconds(longest)}`,
    `  p95 ${milliseconds(p95)}; target below ${TARGET_MS} ms: ${p95 < TARGET_MS ? 'met' : 'missed'}`,
    '',
  ].join('\n');
}

/** Every other half hour from eight o'clock on, day after day. */
function lessonOf({ instructorId, memberId }, firstDay, index) {
  const minutes = 8 * 60 + (index % LESSONS_A_DAY) * 60;
  const startMs = firstDay + Math.floor(index / LESSONS_A_DAY) * DAY_MS + minutes * 60_000;
  return { instructor_id: instructorId, member_id: memberId, date: new Date(startMs).toISOString() };
}
