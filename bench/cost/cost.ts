import { totalsOf } from '../booking/command-table.ts';
import { countFor, countIdle, manyAtOnce, oneByOne } from '../booking/counting.ts';
import type { BenchDatabase } from '../booking/database.ts';
import { sessionRequest } from '../booking/requests.ts';
import type { Run } from '../booking/stack.ts';
import { countStack, type Stack } from '../booking/stack.ts';
import { measureLatencies, timed } from '../measuring/latency.ts';
import type { BenchRequest } from '../measuring/load.ts';
import { measureInTurn } from '../measuring/rounds.ts';
import { startMonolith } from './monolith-side.ts';
import { subjectOf } from './passes.ts';
import { describeCost, describeWrites, type Figures, type PassesOf } from './report.ts';
import { fillStock, keyedBookingRequest, movableOf, OTHER_REQUESTS } from './requests.ts';
import { type CostSide, type StockedSide, startOther, startOurs } from './sides.ts';

interface Rounds {
  rounds: number;
  seconds?: number;
  amount?: number;
  warmUpRequests: number;
}

interface Plan extends Record<'bookings' | 'looks' | 'others', Rounds> {
  pairs: number;
  connections: number;
  mostTurnedAway?: number;
  others: Rounds & { amount: number };
  alone: { requests: number; warmUpRequests: number };
  overload: Rounds & { seconds: number; connections: number };
  commands: { idleMs: number; alone: number; together: number };
}

// With fewer requests before the first round, V8 compiles functions of the six processes during the rounds: a tenth of their time.
const LONG: Plan = {
  pairs: 64,
  connections: 64,
  bookings: { rounds: 5, seconds: 10, warmUpRequests: 10_000 },
  looks: { rounds: 3, seconds: 4, warmUpRequests: 2_000 },
  others: { rounds: 3, amount: 300, warmUpRequests: 1 },
  alone: { requests: 200, warmUpRequests: 20 },
  overload: { rounds: 3, seconds: 10, warmUpRequests: 1, connections: 256 },
  // Periodic work of processes coincides: it cancels out where both counts last equally long.
  commands: { idleMs: 20_000, alone: 100, together: 640 },
};
// Another checkout takes as long again, and a former one several times as long: twenty minutes must be enough.
const BESIDE_BEFORE: Plan = {
  ...LONG,
  bookings: { rounds: 3, seconds: 8, warmUpRequests: 10_000 },
  looks: { rounds: 2, seconds: 3, warmUpRequests: 1_000 },
  others: { rounds: 2, amount: 300, warmUpRequests: 1 },
  alone: { requests: 60, warmUpRequests: 10 },
  overload: { ...LONG.overload, rounds: 2, seconds: 8 },
  commands: { ...LONG.commands, together: 320 },
};
// With fewer clients than the targets refer to: the machine may be busy.
const SHORT: Plan = {
  pairs: 4,
  connections: 2,
  mostTurnedAway: 1,
  bookings: { rounds: 1, seconds: 0.5, warmUpRequests: 1 },
  looks: { rounds: 1, seconds: 0.3, warmUpRequests: 1 },
  others: { rounds: 1, amount: 4, warmUpRequests: 1 },
  alone: { requests: 5, warmUpRequests: 1 },
  overload: { rounds: 1, seconds: 0.5, warmUpRequests: 1, connections: 16 },
  commands: { idleMs: 500, alone: 3, together: 12 },
};
const FOUND_AT_ONCE = 500;

/**
 * Measures what a booking costs beside a hand-written monolith, and with `--before` beside another checkout of the product.
 * @returns the figures and targets, for a person.
 */
export async function cost(run: Run): Promise<string> {
  const plan = planOf(run);
  const stack = await run.stack();
  const ours = await startOurs(run, stack, plan.pairs);
  const before = run.before ? await startOther(run, run.before, plan.pairs) : null;
  const monolith = await startMonolith(run, ours.dataset);
  const sides = [monolith, ours, ...(before ? [before] : [])];
  const products = before ? [ours, before] : [ours];
  const figures: Figures = {
    sides: sides.map(({ name }) => name),
    connections: plan.connections,
    bookings: await measureRequests(run, plan, { title: 'POST /v1/bookings', sides, requestOf: keyedBookingRequest }),
    looks: await measureRequests(run, plan, {
      title: 'GET /v1/sessions/{id}',
      sides,
      requestOf: lookingUp,
      kind: 'looks',
    }),
    alone: await measureAlone(run, plan, sides),
    overload: await measureOverload(run, plan, ours, stack.database),
    others: await measureOthers(run, plan, products),
    commands: await countOurs(run, plan, ours, stack),
  };
  return describeCost(figures);
}

/**
 * Measures the writes of `cost` without the monolith: faster, for a comparison of two states of the sources.
 * @returns the figures, for a person.
 */
export async function writes(run: Run): Promise<string> {
  const plan = planOf(run);
  const stack = await run.stack();
  const ours = await startOurs(run, stack, plan.pairs);
  const sides = run.before ? [ours, await startOther(run, run.before, plan.pairs)] : [ours];
  const title = 'POST /v1/bookings';
  const bookings = await measureRequests(run, plan, { title, sides, requestOf: keyedBookingRequest });
  return describeWrites(new Map([[title, bookings], ...(await measureOthers(run, plan, sides))]));
}

function planOf({ isShort, before }: Run): Plan {
  if (isShort) return SHORT;
  return before ? BESIDE_BEFORE : LONG;
}

interface Measurement<S extends CostSide> {
  title: string;
  sides: S[];
  requestOf: (side: S) => BenchRequest | Promise<BenchRequest>;
  kind?: 'bookings' | 'looks' | 'others';
}

/** @returns by the name of the side. */
async function measureRequests<S extends CostSide>(
  run: Run,
  plan: Plan,
  { title, sides, requestOf, kind = 'bookings' }: Measurement<S>,
): Promise<PassesOf> {
  run.log(title);
  const { connections, mostTurnedAway } = plan;
  const { amount, ...rounds } = plan[kind];
  const requests = await Promise.all(sides.map(requestOf));
  const subjects = sides.map((side, index) =>
    subjectOf(side, requests[index]!, { connections, ...(amount && { amount }) }),
  );
  const passes = await measureInTurn(
    subjects,
    { seconds: 1, ...rounds, ...(mostTurnedAway && { mostTurnedAway }) },
    run.log,
  );
  return new Map([...passes].map(([{ name }, each]) => [name, each]));
}

async function measureOthers(run: Run, plan: Plan, products: StockedSide[]) {
  const { rounds, amount } = plan.others;
  const needed = (rounds + 1) * (amount + 2 * plan.connections);
  const measured = new Map<string, PassesOf>();
  for (const [title, { used, requestOf }] of Object.entries(OTHER_REQUESTS)) {
    for (const side of products) await fillStock(side, Math.max(used * needed, movableOf(side)), plan.connections);
    measured.set(title, await measureRequests(run, plan, { title, sides: products, requestOf, kind: 'others' }));
  }
  return measured;
}

/** The sessions that the side itself has booked: the database may have others, of other accounts. */
const lookingUp = ({ dataset, sessionIds }: CostSide) =>
  sessionRequest({ findSessions: async (limit) => sessionIds.slice(0, limit) }, dataset);

async function measureAlone(run: Run, plan: Plan, sides: CostSide[]) {
  run.log('POST /v1/bookings by one client');
  const senders = sides.map((side) => {
    const request = keyedBookingRequest(side);
    return () => timed(`${side.origin}${request.path}`, request.setupRequest(request));
  });
  const latencies = await measureLatencies('one client', senders, {
    ...plan.alone,
    ...(plan.mostTurnedAway && { mostTurnedAway: plan.mostTurnedAway }),
  });
  return new Map(sides.map(({ name }, index) => [name, latencies[index]!]));
}

/** Goodput of many clients beside that of as many as usual, and whether all bookings that were acknowledged are stored. */
async function measureOverload(run: Run, plan: Plan, ours: StockedSide, database: BenchDatabase) {
  run.log(`POST /v1/bookings by ${plan.overload.connections} clients`);
  const { connections, ...rounds } = plan.overload;
  const acknowledged: string[] = [];
  const request = keyedBookingRequest(ours);
  const onResponse = (status: number, body: string) => {
    request.onResponse(status, body);
    if (status === 201) acknowledged.push(JSON.parse(body).data.id);
  };
  const withClients = (clients: number) =>
    subjectOf(ours, { ...request, onResponse }, { connections: clients, name: `${clients} clients` });
  const [usual, many] = [withClients(plan.connections), withClients(connections)];
  const passes = await measureInTurn([usual, many], { ...rounds, mostTurnedAway: 1 }, run.log);
  let stored = 0;
  for (let from = 0; from < acknowledged.length; from += FOUND_AT_ONCE) {
    stored += await database.countConfirmed(acknowledged.slice(from, from + FOUND_AT_ONCE));
  }
  return {
    clients: connections,
    usual: passes.get(usual) ?? [],
    many: passes.get(many) ?? [],
    lost: acknowledged.length - stored,
    acknowledged: acknowledged.length,
  };
}

async function countOurs(run: Run, plan: Plan, ours: StockedSide, stack: Stack) {
  run.log('database commands of a booking');
  const { counter } = await countStack(run, stack);
  if (!counter) throw new Error('the stack counts no commands');
  const { idleMs, alone, together } = plan.commands;
  const request = keyedBookingRequest(ours);
  // The stack has just been started: it has to learn the schools of the instructors, and which days exist.
  await manyAtOnce(ours, request, { count: 2 * plan.pairs, clients: plan.connections });
  await ours.drain();
  const idle = await countIdle([counter], idleMs);
  const count = async (work: () => Promise<number[]>) =>
    totalsOf((await countFor(ours, [counter], idle, work)).counts)[0] ?? 0;
  return {
    alone: await count(() => oneByOne(ours, request, alone)),
    together: await count(() => manyAtOnce(ours, request, { count: together, clients: plan.connections })),
  };
}
