import { describeLatency, type Latency, measureLatencies, timed } from '../measuring/latency.ts';
import { cpuMs, type Pass, type Subject } from '../measuring/load.ts';
import { describePasses, figure, medianOf } from '../measuring/report.ts';
import { measureInTurn, type PassesOf, ratiosOf } from '../measuring/rounds.ts';
import { PROCESSES, type Run, type Stack } from '../stack/stack.ts';
import { startMonolith } from './monolith-side.ts';
import { bookingRequest, type Side, sessionRequest, startOurs } from './sides.ts';

// With fewer warm-up requests, V8 compiles functions of the six processes during the rounds, which costs a tenth of the
// processor time.
const LONG = {
  pairs: 64,
  bookings: { rounds: 5, seconds: 10, warmUpRequests: 10_000, connections: 64 },
  looks: { rounds: 3, seconds: 4, warmUpRequests: 2_000, connections: 64 },
  alone: { requests: 200, warmUpRequests: 20 },
  overload: { rounds: 3, seconds: 10, warmUpRequests: 1, connections: 256 },
};
// The short form has fewer clients than the targets refer to, because the machine may be busy.
const AT_ONCE = { rounds: 1, seconds: 0.5, warmUpRequests: 1, connections: 2, mostTurnedAway: 1 };
const SHORT = {
  pairs: 4,
  bookings: AT_ONCE,
  looks: AT_ONCE,
  alone: { requests: 5, warmUpRequests: 1, mostTurnedAway: 1 },
  overload: { ...AT_ONCE, connections: 16 },
};
const FOUND_AT_ONCE = 500;
const requestsPerSecond = (pass: Pass) => pass.requestsPerSecond;

interface Figures {
  bookings: PassesOf;
  looks: PassesOf;
  alone: Latency[];
  overload: { passes: PassesOf; names: [string, string]; lost: number; acknowledged: number };
}

/**
 * Measures a booking, and the retrieval of a session, beside a hand-written monolith, and then bookings of more clients
 * than usual.
 * @returns the figures and targets as text.
 */
export async function booking(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const ours = await startOurs(run, stack, plan.pairs);
  const { monolith, stop } = await startMonolith(run, ours.dataset);
  const sides = [monolith, ours];
  run.log('POST /v1/bookings');
  const booking = sides.map((side) => ({ ...side, request: bookingRequest(side) }));
  const bookings = await measureInTurn(booking, plan.bookings, run.log);
  run.log('GET /v1/sessions/{id}');
  const looking = sides.map((side) => ({ ...side, request: sessionRequest(side) }));
  const looks = await measureInTurn(looking, plan.looks, run.log);
  run.log('POST /v1/bookings by one client');
  const senders = booking.map(({ origin, request }) => () => {
    const { path, ...options } = request.setupRequest(request);
    return timed(`${origin}${path}`, options);
  });
  const alone = await measureLatencies('one client', senders, plan.alone);
  await stop();
  return describe({ bookings, looks, alone, overload: await measureOverload(run, stack, ours) });
}

/**
 * Compares the goodput of many clients with that of the usual number, and checks that every acknowledged booking is
 * stored.
 */
async function measureOverload(run: Run, { database }: Stack, ours: Side) {
  const { bookings, overload } = run.isShort ? SHORT : LONG;
  run.log(`POST /v1/bookings by ${overload.connections} clients`);
  const request = bookingRequest(ours);
  const subjectOf = (clients: number): Subject => ({
    ...ours,
    name: `${clients} clients`,
    request,
    connections: clients,
  });
  const [usual, many] = [subjectOf(bookings.connections), subjectOf(overload.connections)];
  ours.bookings.length = 0;
  const passes = await measureInTurn([usual, many], { ...overload, mostTurnedAway: 1 }, run.log);
  const acknowledged = ours.bookings.map(({ id }) => id);
  let stored = 0;
  for (let from = 0; from < acknowledged.length; from += FOUND_AT_ONCE) {
    const filter = { _id: { $in: acknowledged.slice(from, from + FOUND_AT_ONCE) }, status: 'confirmed' };
    const found = database.collection('booking', 'bookings').find(filter, { projection: { _id: 1 } });
    stored += (await found.toArray()).length;
  }
  const names: [string, string] = [many.name, usual.name];
  return { passes, names, lost: acknowledged.length - stored, acknowledged: acknowledged.length };
}

function describe({ bookings, looks, alone, overload }: Figures): string {
  const ours = bookings.get('ours')!;
  const besideMonolith: [string, string] = ['ours', 'monolith'];
  const [p50, p99] = [medianOf(ours, ({ p50Ms }) => p50Ms), medianOf(ours, ({ p99Ms }) => p99Ms)];
  const resident = ours.flatMap(({ residentMbOf }) => [...residentMbOf].filter(([name]) => PROCESSES.includes(name)));
  const [largest = '', residentMb = Number.NaN] = resident.sort(([, one], [, other]) => other - one)[0] ?? [];
  const goodput = ratiosOf(overload.passes, overload.names, requestsPerSecond);
  const titles = { usual: 'POST /v1/bookings with an Idempotency-Key', many: 'POST /v1/bookings of more clients' };
  return [
    describePasses(titles.usual, bookings),
    describePasses('GET /v1/sessions/{id}', looks),
    describePasses(titles.many, overload.passes),
    'One client',
    ...alone.map((latency, index) => describeLatency(['monolith', 'ours'][index]!, latency)),
    '',
    'Targets',
    figure('processor time of a booking, of the monolith’s', ratiosOf(bookings, besideMonolith, cpuMs), { atMost: 5 }),
    figure('bookings/s, of the monolith’s', ratiosOf(bookings, besideMonolith, requestsPerSecond), { atLeast: 0.25 }),
    figure('one client: p50', alone[1]!.p50Ms, { atMost: 25, unit: 'ms' }),
    figure('p99 of p50', p99 / p50, { atMost: 5 }),
    figure(`goodput of ${overload.names[0]}, of the usual`, goodput, { atLeast: 0.9 }),
    figure(`acknowledged bookings lost, of ${overload.acknowledged}`, overload.lost, { atMost: 0 }),
    figure(`resident memory of the largest process, ${largest}`, residentMb, { atMost: 256, unit: 'MB' }),
    '',
  ].join('\n');
}
