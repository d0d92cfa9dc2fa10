import { someAtOnce } from '../booking/dataset.mjs';
import { measureLatency } from '../measuring/latency.mjs';
import { milliseconds, timed } from './timing.mjs';

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
  let slots = 0;
  const check = ({ data }) => {
    slots = data.slots.length;
  };
  const { p50Ms, p95Ms, maxMs } = await measureLatency({ url, headers, check }, plan);
  return [
    `GET /v1/instructors/{id}/availability over ${DAYS} days with ${SESSIONS} sessions, through the gateway`,
    `  ${plan.requests} requests, one after the other, of ${slots} slots each: p50 ${milliseconds(p50Ms)}, longest ${milliseconds(maxMs)}`,
    `  p95 ${milliseconds(p95Ms)}; target below ${TARGET_MS} ms: ${p95Ms < TARGET_MS ? 'met' : 'missed'}`,
    '',
  ].join('\n');
}

/** Every other half hour from eight o'clock on, day after day. */
function lessonOf({ instructorId, memberId }, firstDay, index) {
  const minutes = 8 * 60 + (index % LESSONS_A_DAY) * 60;
  const startMs = firstDay + Math.floor(index / LESSONS_A_DAY) * DAY_MS + minutes * 60_000;
  return { instructor_id: instructorId, member_id: memberId, date: new Date(startMs).toISOString() };
}
