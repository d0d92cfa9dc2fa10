import type { BenchRequest, ChangingRequest } from '../measuring/load.ts';
import { createCourses, type Dataset } from './dataset.ts';
import type { Side } from './sides.ts';

const REQUESTED_SESSIONS = 500;

const headersOf = ({ familyKey }: Dataset) => ({
  authorization: `Bearer ${familyKey}`,
  'content-type': 'application/json',
});

/** @returns for autocannon: a different possible booking each time. */
export function bookingRequest({ nextBooking }: Pick<Side, 'nextBooking'>, dataset: Dataset): ChangingRequest {
  const setupRequest = (request: BenchRequest) => ({ ...request, body: JSON.stringify(nextBooking()) });
  return { method: 'POST', path: '/v1/bookings', headers: headersOf(dataset), setupRequest };
}

/** @returns for autocannon: a different possible booking of so many weekly lessons each time. */
export function courseRequest(dataset: Dataset, lessons: number): ChangingRequest {
  return bookingRequest({ nextBooking: createCourses(dataset, lessons) }, dataset);
}

/** @returns for autocannon: the sessions in turn, so that no cache contains them all. */
export async function sessionRequest(
  { findSessions }: Pick<Side, 'findSessions'>,
  dataset: Dataset,
): Promise<ChangingRequest> {
  const paths = (await findSessions(REQUESTED_SESSIONS)).map((id) => `/v1/sessions/${id}`);
  let count = 0;
  const setupRequest = (request: BenchRequest) => ({ ...request, path: paths[count++ % paths.length]! });
  return { method: 'GET', path: paths[0]!, headers: headersOf(dataset), setupRequest };
}
