import { byService, countRequests } from '../booking/booking-commands.ts';
import { commandTable } from '../booking/command-table.ts';
import { type Counted, countFor, countIdle, oneByOne } from '../booking/counting.ts';
import type { Run } from '../booking/stack.ts';
import { keyedBookingRequest, OTHER_REQUESTS } from './requests.ts';
import { startOurs } from './sides.ts';

const PAIRS = 4;
const LONG = { times: 20, idleMs: 20_000 };
const SHORT = { times: 2, idleMs: 1_000 };
// Fewer are noise of sweeps.
const LEAST_SHARE = 0.1;

/**
 * Counts the database commands and NATS requests of each write that is not a booking, one at a time, with an Idempotency-Key.
 */
export async function writeCommands(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const side = await startOurs(run, stack, PAIRS);
  const requests = await countRequests(run.env.NATS_URL!);
  const counters = [stack.counter!, requests];
  // One more for each request that moves a session.
  const used = Object.values(OTHER_REQUESTS).reduce((sum, each) => sum + each.used, 1);
  await oneByOne(side, keyedBookingRequest(side), used * plan.times);
  await side.drain();
  const idle = await countIdle(counters, plan.idleMs);
  const counted: Counted[] = [];
  for (const { requestOf } of Object.values(OTHER_REQUESTS)) {
    const request = requestOf(side);
    counted.push(await countFor(side, counters, idle, () => oneByOne(side, request, plan.times)));
  }
  await requests.close();
  const columns = Object.keys(OTHER_REQUESTS).map((name) => name.replace('/v1', ''));
  const countsOf = (which: number) =>
    counted.map(({ counts }) => shown(byService(counts[which]!, run.env.DATABASE_PREFIX!)));
  return ['Commands to the database', 'Requests over the bus']
    .map((title, which) => commandTable(title, columns, countsOf(which)))
    .join('\n');
}

const shown = (counts: Map<string, number>) => new Map([...counts].filter(([, count]) => count >= LEAST_SHARE));
