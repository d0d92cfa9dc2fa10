import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { figure } from '../measuring/report.ts';
import { createCourses, makeDataset } from '../stack/dataset.ts';
import type { Run } from '../stack/stack.ts';
import { commandTable, totalOf } from './command-table.ts';
import { type Counter, type Counts, countFor, countWithin, manyAtOnce, oneByOne } from './counting.ts';
import { bookingRequest, startOurs } from './sides.ts';

/** 52 lessons are the most that a booking may have. */
const LESSONS = 52;
const COURSE_PAIRS = 4;

// The periodic work of the processes coincides: it cancels out when both counts last equally long.
const LONG = { clients: 64, alone: 100, together: 640, courses: 12, idleMs: 20_000 };
// 32 clients are enough for requests to share commands.
const SHORT = { clients: 32, alone: 8, together: 64, courses: 2, idleMs: 2_000 };
const TITLES = ['Commands to the database', 'Requests over the bus'];

/**
 * Counts the database commands and NATS requests of a booking in three loads: one client, many clients whose requests
 * share commands, and whole courses. The services' periodic commands are counted beforehand and subtracted.
 * @returns the tables and targets as text.
 */
export async function bookingCommands(run: Run): Promise<string> {
  const { clients, alone, together, courses, idleMs } = run.isShort ? SHORT : LONG;
  const stack = await run.stack(true);
  run.log('database commands of a booking');
  const side = await startOurs(run, stack, clients);
  const request = bookingRequest(side);
  const course = bookingRequest({
    ...side,
    nextBooking: createCourses(await makeDataset(stack, COURSE_PAIRS), LESSONS),
  });
  const bus = await countRequests(run.env.NATS_URL!);
  const counters: Counter[] = [stack.counter!, bus];
  // The stack first has to load the schools of the instructors, and which days exist.
  await manyAtOnce(side, request, { count: 2 * clients, clients });
  await side.drain();
  const idle = await countWithin(counters, () => sleep(idleMs));
  const passes = [
    await countFor(side, counters, idle, () => oneByOne(side, request, alone)),
    await countFor(side, counters, idle, () => manyAtOnce(side, request, { count: together, clients })),
    await countFor(side, counters, idle, () => oneByOne(side, course, courses)),
  ];
  await bus.close();
  const atRest = idle.counts.map((counts) => perSecond(counts, idle.tookMs));
  const [commands = [], requests = []] = TITLES.map((_, which) =>
    [...passes, atRest].map((counts) => byService(counts[which]!, run.env.DATABASE_PREFIX!)),
  );
  const columns = ['one client', `${clients} clients`, `${LESSONS} lessons`, 'at rest, /s'];
  return [
    ...[commands, requests].map((counts, which) => commandTable(TITLES[which]!, columns, counts)),
    figure('commands of a booking, one client', totalOf(commands[0]!), { atMost: 15 }),
    figure(`commands of a booking, ${clients} clients`, totalOf(commands[1]!), { atMost: 3 }),
    figure(`commands of a booking of ${LESSONS} lessons`, totalOf(commands[2]!), { atMost: 25 }),
    figure('commands a second at rest', totalOf(commands[3]!), { atMost: 25 }),
    figure('requests over the bus of a booking, one client', totalOf(requests[0]!)),
    '',
  ].join('\n');
}

const perSecond = (counts: Counts, tookMs: number): Counts =>
  new Map([...counts].map(([name, count]) => [name, (count * 1_000) / tookMs]));

/** Renames `<prefix>_<service>_<environment>/<command>` to `<service> <command>`. */
function byService(counts: Counts, prefix: string) {
  const shown: Counts = new Map();
  for (const [name, count] of counts) {
    const [, database, command] = name.match(/^([^/ ]+)\/(.*)$/) ?? [];
    const service = database?.replace(`${prefix}_`, '').replace(/_(keys_)?(live|test)$/, '');
    const as = service === undefined ? name : `${service} ${command}`;
    shown.set(as, (shown.get(as) ?? 0) + count);
  }
  return shown;
}

/** Counts the requests to services, and those to the counters of the rate limits. */
async function countRequests(natsUrl: string) {
  const connection = await connect({ servers: natsUrl });
  let counts: Counts = new Map();
  const note = (_: Error | null, { subject }: { subject: string }) => {
    const name = subject.startsWith('limits.') ? 'bus limits' : `bus ${subject}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const subject of ['rpc.>', 'limits.>']) connection.subscribe(subject, { callback: note });
  await connection.flush();
  const take = () => {
    const taken = counts;
    counts = new Map();
    return taken;
  };
  return { take, close: () => connection.close() };
}
