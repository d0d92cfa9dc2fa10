import type { Dataset } from '../booking/dataset.ts';
import { courseRequest } from '../booking/requests.ts';
import { keyedBookingRequest } from '../cost/requests.ts';
import type { StockedSide } from '../cost/sides.ts';
import { measureLatencies, milliseconds, type Plan, timed } from '../measuring/latency.ts';
import type { ChangingRequest } from '../measuring/load.ts';
import { describeTurnedAway } from '../measuring/turned-away.ts';

/** The lessons of a course, the most that a booking has. */
const LESSONS = 52;
const TARGET_TIMES = 4;

/**
 * Measures how long a booking of 52 weekly lessons takes, beside one of a single lesson, one after the other in turn.
 * @param dataset - whose pairs only the courses book.
 * @returns the figures, for a person.
 */
export async function courses(ours: StockedSide, dataset: Dataset, plan: Plan): Promise<string> {
  const senderOf = (request: ChangingRequest) => () => {
    const { method, path, headers, body } = request.setupRequest(request);
    return timed(`${ours.origin}${path}`, { method, headers, body: body! });
  };
  const senders = [courseRequest(dataset, LESSONS), keyedBookingRequest(ours)].map(senderOf);
  const [course, one] = await measureLatencies('courses', senders, plan);
  const times = course!.p50Ms / one!.p50Ms;
  const turnedAway = describeTurnedAway([course!, one!]);
  return [
    `POST /v1/bookings of ${LESSONS} lessons and of one, through the gateway, one request after the other`,
    `  ${LESSONS} lessons: p50 ${milliseconds(course!.p50Ms)}, p95 ${milliseconds(course!.p95Ms)}, ${course!.requests} requests`,
    `  one lesson: p50 ${milliseconds(one!.p50Ms)}, p95 ${milliseconds(one!.p95Ms)}, ${one!.requests} requests`,
    `  ratio of p50 ${times.toFixed(1)}; target at most ${TARGET_TIMES}: ${times <= TARGET_TIMES ? 'met' : 'missed'}`,
    ...(turnedAway ? [`  note: ${turnedAway}.`] : []),
    '',
  ].join('\n');
}
