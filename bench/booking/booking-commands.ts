import { connect } from '@nats-io/transport-node';
import { checkTurnedAway, describeTurnedAway } from '../measuring/turned-away.ts';
import { commandTable, totalsOf } from './command-table.ts';
import { type Counted, countFor, countIdle, manyAtOnce, oneByOne } from './counting.ts';
import { makeDataset } from './dataset.ts';
import { bookingRequest, courseRequest } from './requests.ts';
import { type Side, stackSide, startFloorSide } from './sides.ts';
import type { Run } from './stack.ts';

const CLIENTS = 32;
// Some pairs book repeatedly, so that not every booking inserts new days.
const PAIRS_ALONE = 4;
const PAIRS_OF_COURSES = 4;
/** The lessons of a course, the most that a booking has. */
const LESSONS = 52;
const MOST_COMMANDS = 25;

interface Plan {
  alone: number;
  together: number;
  courses: number;
  idleMs: number;
  mostTurnedAway?: number;
}

const LONG: Plan = { alone: 40, together: 320, courses: 12, idleMs: 20_000 };
const SHORT: Plan = { alone: 8, together: 64, courses: 2, idleMs: 2_000, mostTurnedAway: 1 };
const TITLES = ['Commands to the database', 'Requests over the bus'];
const COLUMNS = ['ours', 'floor', `ours, ${CLIENTS} clients`, `ours, ${LESSONS} lessons`];

/**
 * Counts the database commands and NATS requests of a booking: on both sides one booking at a time, and of ours also with many
 * clients at once, where requests share commands. The services' periodic commands are counted beforehand, and subtracted.
 * @returns a table, for a person.
 */
export async function bookingCommands(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const dataset = await makeDataset(stack, PAIRS_ALONE + CLIENTS + PAIRS_OF_COURSES);
  const requests = await countRequests(run.env.NATS_URL ?? '');
  if (!stack.counter) throw new Error('the stack counts no commands');
  const counters = [stack.counter, requests];
  const few = dataset.pairs.slice(0, PAIRS_ALONE);
  const many = dataset.pairs.slice(PAIRS_ALONE, PAIRS_ALONE + CLIENTS);
  const forCourses = { ...dataset, pairs: dataset.pairs.slice(-PAIRS_OF_COURSES) };
  const ours = stackSide(run, stack, { ...dataset, pairs: few });
  const floor = await startFloorSide(run, stack, { ...dataset, pairs: few });
  const busy = stackSide(run, stack, { ...dataset, pairs: many });
  await ours.drain();
  const idle = await countIdle(counters, plan.idleMs);
  const passes: Counted[] = [];
  const alone = (side: Side) => oneByOne(side, bookingRequest(side, dataset), plan.alone);
  const together = (side: Side) =>
    manyAtOnce(side, bookingRequest(side, dataset), { count: plan.together, clients: CLIENTS });
  for (const [side, work] of [
    [ours, alone],
    [floor, alone],
    [busy, together],
  ] as const) {
    const pass = await countFor(side, counters, idle, () => work(side));
    checkTurnedAway(side.name, [pass], plan.mostTurnedAway);
    passes.push(pass);
  }
  const course = courseRequest(forCourses, LESSONS);
  passes.push(await countFor(ours, counters, idle, () => oneByOne(ours, course, plan.courses)));
  await Promise.all([requests.close(), floor.stop()]);
  return [describe(passes, plan, run.env.DATABASE_PREFIX ?? ''), describeCourses(passes.at(-1)!)].join('\n');
}

function describe(passes: Counted[], { alone, together }: Plan, prefix: string) {
  const countsOf = (which: number) => passes.map(({ counts }) => byService(counts[which]!, prefix));
  const [commands, requests] = TITLES.map((_, which) => totalsOf(countsOf(which))[0]!.toFixed(1));
  const turnedAway = describeTurnedAway(passes);
  return [
    `For each of ${alone} bookings one by one, and of ${together} by ${CLIENTS} clients`,
    `One booking at a time takes ${commands} commands to the database and ${requests} requests over the bus.`,
    ...(turnedAway ? [`note: ${turnedAway}.`] : []),
    '',
    ...TITLES.map((title, which) => commandTable(title, COLUMNS, countsOf(which))),
  ].join('\n');
}

function describeCourses({ counts: [commands] }: Counted) {
  const total = totalsOf([commands!])[0]!;
  const verdict = total <= MOST_COMMANDS ? 'met' : 'missed';
  return `A booking of ${LESSONS} lessons takes ${total.toFixed(1)} commands to the database; target at most ${MOST_COMMANDS}: ${verdict}\n`;
}

/** `<prefix>_<service>_<environment>/<command>` as `<service> <command>`. */
export function byService(counts: Map<string, number>, prefix: string) {
  const shown = new Map<string, number>();
  for (const [name, count] of counts) {
    const [, database, command] = name.match(/^([^/ ]+)\/(.*)$/) ?? [];
    const service = database?.replace(`${prefix}_`, '').replace(/_(keys_)?(live|test)$/, '');
    const as = service === undefined ? name : `${service} ${command}`;
    shown.set(as, (shown.get(as) ?? 0) + count);
  }
  return shown;
}

/** Counts the requests to services, and those to the counters of the limits. */
export async function countRequests(natsUrl: string) {
  const connection = await connect({ servers: natsUrl });
  let counts = new Map<string, number>();
  const note = (_: Error | null, { subject }: { subject: string }) => {
    const name = subject.startsWith('limits.') ? 'bus limits' : `bus ${subject}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const subject of ['rpc.>', 'limits.>']) connection.subscribe(subject, { callback: note });
  await connection.flush();
  const take = () => {
    const taken = counts;
    counts = new Map<string, number>();
    return taken;
  };
  return { take, close: () => connection.close() };
}
