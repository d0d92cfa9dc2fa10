import crypto from 'node:crypto';
import type { RunningProcess } from '../../deploy/system/processes/supervisor.ts';
import type { BenchRequest, ChangingRequest } from '../measuring/load.ts';
import { type BookingBody, createTimetable, type Dataset, makeDataset } from '../stack/dataset.ts';
import { PROCESSES, processesOf, type Run, type Stack } from '../stack/stack.ts';

const REQUESTED_SESSIONS = 500;

/** The target of requests. */
export interface Side {
  name: string;
  origin: string;
  /** All that work for a request, the servers that this run has started included. */
  processes: () => RunningProcess[];
  dataset: Dataset;
  /** A body of POST /v1/bookings that has not been sent yet. */
  nextBooking: () => BookingBody;
  /** Those that were made and that no other request has used. */
  bookings: Booking[];
  /** Waits for the background work of the requests. */
  drain: () => Promise<void>;
}

export interface Booking {
  id: string;
  session_ids: string[];
  instructor_id: string;
  amount_cents: number;
  currency: string;
}

/** @returns the product, with instructors and members of its own. */
export async function startOurs(run: Run, stack: Stack, pairs: number): Promise<Side> {
  const dataset = await makeDataset(stack, pairs);
  // Those that `npm run bench` has started; those that MONGODB_URI and NATS_URL name are not among them.
  const servers: RunningProcess[] = JSON.parse(process.env.BENCH_SERVERS ?? '[]');
  return {
    name: 'ours',
    origin: stack.origin,
    processes: () => [...processesOf(run, PROCESSES), ...servers],
    dataset,
    nextBooking: createTimetable(dataset),
    bookings: [],
    drain: () => stack.database.untilQuiet(),
  };
}

/**
 * @param next - path and body of the next request.
 * @returns for autocannon: each request has an Idempotency-Key of its own.
 */
export function writingRequest({ dataset }: Side, method: string, next: () => [string, object]): ChangingRequest {
  const headers = { authorization: `Bearer ${dataset.familyKey}`, 'content-type': 'application/json' };
  const setupRequest = (request: BenchRequest) => {
    const [path, body] = next();
    const keyed = { ...headers, 'idempotency-key': crypto.randomUUID() };
    return { ...request, path, body: JSON.stringify(body), headers: keyed };
  };
  return { method, path: '/', headers, setupRequest };
}

/** @returns for autocannon: a different possible booking each time; those that were made are kept by the side. */
export function bookingRequest(side: Side): ChangingRequest & Required<Pick<BenchRequest, 'onResponse'>> {
  const onResponse = (status: number, body: string) => {
    if (status !== 201) return;
    const { id, session_ids, instructor_id, amount_cents, currency } = JSON.parse(body).data;
    side.bookings.push({ id, session_ids, instructor_id, amount_cents, currency });
  };
  return { ...writingRequest(side, 'POST', () => ['/v1/bookings', side.nextBooking()]), onResponse };
}

/** @returns for autocannon: the sessions of bookings in turn, so that no cache contains them all. */
export function sessionRequest({ dataset, bookings }: Side): ChangingRequest {
  const paths = bookings.slice(0, REQUESTED_SESSIONS).map(({ session_ids: [id] }) => `/v1/sessions/${id}`);
  let count = 0;
  const setupRequest = (request: BenchRequest) => ({ ...request, path: paths[count++ % paths.length]! });
  return { method: 'GET', path: '/', headers: { authorization: `Bearer ${dataset.familyKey}` }, setupRequest };
}
