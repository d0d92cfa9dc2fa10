import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Booking } from '@swim/contracts';
import { DEMO_MEMBERS } from '../../../libs/contracts/src/sandbox/demo-data.ts';
import { type Failure, isRetried, pauseMs } from '../../../libs/sdk/src/retry.ts';
import type { Deployment } from './deployment.ts';
import { bookingOf, type Customers } from './first-booking.ts';
import type { Seen } from './report.ts';

/** 20 requests a second. */
const EVERY_MS = 50;
const LONGEST_MS = 15_000;
const SHOWN_FAILURES = 8;
/** One request in so many is a booking, since the free times of the instructor have to last. */
const BOOKING_EVERY = 40;
const A_BOOKING = 'a booking';
/** Half a turn after a booking it is paid. */
const PAYMENT_AFTER = BOOKING_EVERY / 2;

/** What became of the requests of a load. */
interface Outcome {
  sent: number;
  slowestMs: number;
  /** How often a request was sent again, as our own client does after a passing failure. */
  retried: number;
  /** Ids of what was made. */
  made: string[];
  /** Bookings that are not paid yet. */
  due: Booking[];
  /** One line for each request that was not answered with success. */
  failures: string[];
}

type Send = (method: string, path: string, body?: object, idempotencyKey?: string) => Promise<Response>;
type Kind = [name: string, request: (send: Send) => Promise<Response>];

type Reached = Pick<Deployment, 'origin'>;

interface LoadOptions {
  /** How often a request may be sent again: our own client does so twice. */
  retries?: number;
  /** Gets the ids of what was made. */
  made?: string[];
}

/** Loads while `act` is done: no request may fail. */
export async function failuresDuring(
  reached: Reached,
  customers: Customers,
  act: () => Promise<unknown>,
  { retries = 0, made = [] }: LoadOptions = {},
): Promise<Seen> {
  const outcome: Outcome = { sent: 0, slowestMs: 0, retried: 0, made, due: [], failures: [] };
  await loadDuring(outcome, act, customers, (kind) => note(kind, senderOf(reached, customers), outcome, retries));
  const { sent, slowestMs, retried, failures } = outcome;
  const again = retries === 0 ? '' : `, ${retried} sent again`;
  const text = `${failures.length} of ${sent} failed${again}, the slowest took ${slowestMs} ms`;
  return {
    seen: [text, ...failures.slice(0, SHOWN_FAILURES)].join('\n'),
    passed: failures.length === 0,
    counts: { requests: sent, failedRequests: failures.length },
  };
}

/** Sends the usual requests of a family until `act` has ended. */
async function loadDuring(
  outcome: Outcome,
  act: () => Promise<unknown>,
  customers: Customers,
  request: (kind: Kind) => Promise<void>,
) {
  const kinds = requestsOf(customers);
  const pending = new Set<Promise<void>>();
  let isOver = false;
  const acting = act().finally(() => {
    isOver = true;
  });
  // It is awaited below, once all requests are answered.
  acting.catch(() => {});
  while (!isOver) {
    const kind = nextOf(outcome, customers) ?? kinds[outcome.sent % kinds.length]!;
    outcome.sent += 1;
    const answered = request(kind).finally(() => pending.delete(answered));
    pending.add(answered);
    await sleep(EVERY_MS);
  }
  await Promise.all(pending);
  await acting;
}

/** A booking, or the payment of one, when it is its turn. */
function nextOf({ sent, due }: Outcome, customers: Customers): Kind | null {
  if (sent % BOOKING_EVERY === 0) return aBooking(customers);
  const booking = sent % BOOKING_EVERY === PAYMENT_AFTER ? due.shift() : undefined;
  return booking ? aPayment(customers, booking) : null;
}

async function note([name, request]: Kind, send: Send, outcome: Outcome, retries: number) {
  const startedAt = Date.now();
  const idempotencyKey = crypto.randomUUID();
  for (let retry = 0; ; retry += 1) {
    const answer = await attempt((method, path, body) => send(method, path, body, idempotencyKey), request);
    outcome.slowestMs = Math.max(outcome.slowestMs, Date.now() - startedAt);
    if (answer.status === 201) outcome.made.push(answer.data!.id);
    if (answer.status === 201 && name === A_BOOKING) outcome.due.push(answer.data as Booking);
    if (answer.status !== null && answer.status < 400) break;
    if (retry < retries && isRetried(answer, true)) {
      outcome.retried += 1;
      await sleep(pauseMs(retry, answer.retryAfterSeconds, Math.random()));
      continue;
    }
    outcome.failures.push(
      `${new Date(startedAt).toISOString()} ${name}: ${answer.status} ${answer.text.slice(0, 200)}`,
    );
    break;
  }
}

interface Answer extends Failure {
  text: string;
  data?: { id: string };
}

async function attempt(send: Send, request: Kind[1]): Promise<Answer> {
  try {
    const response = await request(send);
    const text = await response.text();
    const retryAfter = response.headers.get('retry-after');
    const { data, error } = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {};
    const reason = error?.details?.reason ?? null;
    return {
      status: response.status,
      reason,
      retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
      text,
      data,
    };
  } catch (error) {
    const text = `${error} ${(error as Error).cause ?? ''}`;
    return { status: null, reason: null, retryAfterSeconds: null, text };
  }
}

const senderOf =
  ({ origin }: Reached, { keys }: Customers): Send =>
  (method, path, body, idempotencyKey) =>
    fetch(`${origin}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${keys.family}`,
        'content-type': 'application/json',
        ...(body && { 'idempotency-key': idempotencyKey! }),
      },
      signal: AbortSignal.timeout(LONGEST_MS),
      ...(body && { body: JSON.stringify(body) }),
    });

function aBooking(customers: Customers): Kind {
  const body = bookingOf(customers);
  return [A_BOOKING, (send) => send('POST', '/bookings', body)];
}

function aPayment({ methodId }: Customers, booking: Booking): Kind {
  const body = {
    booking_id: booking.id,
    payment_method_id: methodId,
    amount_cents: booking.amount_due_cents,
    currency: booking.currency,
  };
  return ['a payment', (send) => send('POST', '/payments', body)];
}

/** Requests that reach every service, without bookings. */
function requestsOf({ familyId }: Customers): Kind[] {
  const account = `/accounts/${familyId}`;
  return [
    ['instructors', (send) => send('GET', '/instructors?limit=5')],
    ['sessions', (send) => send('GET', '/sessions?limit=5')],
    ['bookings', (send) => send('GET', `${account}/bookings?limit=5`)],
    ['payments', (send) => send('GET', '/payments?limit=5')],
    ['events', (send) => send('GET', '/events?limit=5')],
    ['a new member', (send) => send('POST', `${account}/members`, DEMO_MEMBERS[0])],
  ];
}
