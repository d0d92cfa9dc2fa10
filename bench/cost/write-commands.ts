import { byService, countRequests } from '../booking/booking-commands.ts';
import { commandTable } from '../booking/command-table.ts';
import { type Counted, countFor, countIdle, manyAtOnce, oneByOne } from '../booking/counting.ts';
import type { Run } from '../booking/stack.ts';
import { fillStock, keyedBookingRequest, movableOf, OTHER_REQUESTS } from './requests.ts';
import { startOurs } from './sides.ts';

interface Plan {
  pairs: number;
  /** Requests of each kind, one at a time. */
  alone: number;
  /** Requests of each kind, from as many clients as there are pairs. */
  together: number;
  idleMs: number;
}

const LONG: Plan = { pairs: 64, alone: 20, together: 256, idleMs: 20_000 };
const SHORT: Plan = { pairs: 4, alone: 2, together: 4, idleMs: 1_000 };
// Fewer are noise of sweeps.
const LEAST_SHARE = 0.1;
const LEAST_SHARE_TOGETHER = 0.02;
const WRITES = { 'POST /v1/bookings': { used: 0, requestOf: keyedBookingRequest }, ...OTHER_REQUESTS };

/**
 * Counts the database commands and NATS requests of each write with an Idempotency-Key: one at a time, and from many clients at once,
 * where requests share commands.
 * @returns two tables of each, for a person.
 */
export async function writeCommands(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const side = await startOurs(run, stack, plan.pairs);
  const requests = await countRequests(run.env.NATS_URL!);
  const counters = [stack.counter!, requests];
  await fillStock(side, neededOf(plan) + movableOf(side), plan.pairs);
  await side.drain();
  const idle = await countIdle(counters, plan.idleMs);
  const alone: Counted[] = [];
  const together: Counted[] = [];
  for (const { requestOf } of Object.values(WRITES)) {
    const request = requestOf(side);
    const many = { count: plan.together, clients: plan.pairs };
    alone.push(await countFor(side, counters, idle, () => oneByOne(side, request, plan.alone)));
    together.push(await countFor(side, counters, idle, () => manyAtOnce(side, request, many)));
  }
  await requests.close();
  const prefix = run.env.DATABASE_PREFIX!;
  return [
    ...describe('one client', alone, prefix, LEAST_SHARE),
    ...describe(`${plan.pairs} clients`, together, prefix, LEAST_SHARE_TOGETHER),
  ].join('\n');
}

const neededOf = ({ alone, together }: Plan): number =>
  Object.values(WRITES).reduce((sum, { used }) => sum + used, 0) * (alone + together);

function describe(clients: string, counted: Counted[], prefix: string, leastShare: number): string[] {
  const columns = Object.keys(WRITES).map((name) => name.replace('/v1', ''));
  return ['Commands to the database', 'Requests over the bus'].map((title, which) => {
    const counts = counted.map((each) => shown(byService(each.counts[which]!, prefix), leastShare));
    return commandTable(`${title}, ${clients}`, columns, counts);
  });
}

const shown = (counts: Map<string, number>, leastShare: number) =>
  new Map([...counts].filter(([, count]) => count >= leastShare));
