import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_MEMBERS } from '../../../libs/contracts/src/sandbox/demo-data.ts';
import type { Deployment } from './deployment.ts';
import { bookingOf, type Customers } from './first-booking.ts';
import type { Seen } from './report.ts';

/** 20 requests a second. */
const EVERY_MS = 50;
const LONGEST_MS = 15_000;
const SHOWN_FAILURES = 8;
/** One request in so many is a booking, since the free times of the instructor have to last. */
const BOOKING_EVERY = 40;

/** What became of the requests of a load. */
interface Outcome {
  sent: number;
  slowestMs: number;
  /** One line for each request that was not answered with success. */
  failures: string[];
}

type Send = (method: string, path: string, body?: object) => Promise<Response>;
type Kind = [name: string, request: (send: Send) => Promise<Response>];

type Reached = Pick<Deployment, 'origin'>;

/** Loads while `act` is done: no request may fail. */
export async function failuresDuring(
  reached: Reached,
  customers: Customers,
  act: () => Promise<unknown>,
): Promise<Seen> {
  const { sent, slowestMs, failures } = await loadDuring(reached, customers, act);
  const counts = `${failures.length} of ${sent} failed, the slowest took ${slowestMs} ms`;
  return { seen: [counts, ...failures.slice(0, SHOWN_FAILURES)].join('\n'), passed: failures.length === 0 };
}

/** Sends the usual requests of a family, one after the other and none twice, until `act` has ended. */
async function loadDuring(reached: Reached, customers: Customers, act: () => Promise<unknown>) {
  const outcome: Outcome = { sent: 0, slowestMs: 0, failures: [] };
  const send = senderOf(reached, customers);
  const kinds = requestsOf(customers);
  const booking: Kind = ['a booking', () => send('POST', '/bookings', bookingOf(customers))];
  const pending = new Set<Promise<void>>();
  let isOver = false;
  const acting = act().finally(() => {
    isOver = true;
  });
  // It is awaited below, once all requests are answered.
  acting.catch(() => {});
  while (!isOver) {
    const kind = outcome.sent % BOOKING_EVERY === 0 ? booking : kinds[outcome.sent % kinds.length]!;
    outcome.sent += 1;
    const answered = note(kind, send, outcome).finally(() => pending.delete(answered));
    pending.add(answered);
    await sleep(EVERY_MS);
  }
  await Promise.all(pending);
  await acting;
  return outcome;
}

async function note([name, request]: Kind, send: Send, outcome: Outcome) {
  const startedAt = Date.now();
  const failed = (text: string) => outcome.failures.push(`${new Date(startedAt).toISOString()} ${name}: ${text}`);
  try {
    const response = await request(send);
    const text = await response.text();
    if (!response.ok) failed(`${response.status} ${text.slice(0, 200)}`);
  } catch (error) {
    failed(`${error} ${(error as Error).cause ?? ''}`);
  }
  outcome.slowestMs = Math.max(outcome.slowestMs, Date.now() - startedAt);
}

const senderOf =
  ({ origin }: Reached, { keys }: Customers): Send =>
  (method, path, body) =>
    fetch(`${origin}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${keys.family}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(LONGEST_MS),
      ...(body && { body: JSON.stringify(body) }),
    });

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
