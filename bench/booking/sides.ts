import crypto from 'node:crypto';
import type { RunningProcess } from '../../deploy/system/processes/supervisor.ts';
import type { BenchRequest, ChangingRequest } from '../measuring/load.ts';
import { type BookingBody, createTimetable, type Dataset, makeDataset } from '../stack/dataset.ts';
import { PROCESSES, processesOf, type Run, type Stack } from '../stack/stack.ts';

const REQUESTED_SESSIONS = 500;

export interface Side {
  name: string;
  origin: string;
  /** Every process that works for a request, including the servers that this run has started. */
  processes: () => RunningProcess[];
  dataset: Dataset;
  /** A body of POST /v1/bookings that has not been sent yet. */
  nextBooking: () => BookingBody;
  /** The bookings that were made and that no other request has used. */
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

/** Returns the product, with its own instructors and members. */
export async function startOurs(run: Run, stack: Stack, pairs: number): Promise<Side> {
  const dataset = await makeDataset(stack, pairs);
  // BENCH_SERVERS lists the servers that `npm run bench` has started. Servers named by MONGODB_URI and NATS_URL are not
  // in it.
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
 * @param next - returns path and body of the next request.
 * @returns a request for autocannon that has a new Idempotency-Key each time.
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

/**
 * Returns a request for autocannon that makes a different valid booking each time; the side keeps the bookings that
 * were made.
 */
export function bookingRequest(side: Side): ChangingRequest & Required<Pick<BenchRequest, 'onResponse'>> {
  const onResponse = (status: number, body: string) => {
    if (status !== 201) return;
    const { id, session_ids, instructor_id, amount_cents, currency } = JSON.parse(body).data;
    side.bookings.push({ id, session_ids, instructor_id, amount_cents, currency });
  };
  return { ...writingRequest(side, 'POST', () => ['/v1/bookings', side.nextBooking()]), onResponse };
}

/**
 * Returns a request for autocannon that retrieves the sessions of all bookings in turn, so that no cache contains them
 * all.
 */
export function sessionRequest({ dataset, bookings }: Side): ChangingRequest {
  const paths = bookings.slice(0, REQUESTED_SESSIONS).map(({ session_ids: [id] }) => `/v1/sessions/${id}`);
  let count = 0;
  const setupRequest = (request: BenchRequest) => ({ ...request, path: paths[count++ % paths.length]! });
  return { method: 'GET', path: '/', headers: { authorization: `Bearer ${dataset.familyKey}` }, setupRequest };
}
