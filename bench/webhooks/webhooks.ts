import { newId } from '@swim/platform';
import { serviceProcess } from '../../deploy/local/product-processes.ts';
import { countCommands } from '../booking/command-counter.ts';
import type { Run, Stack } from '../booking/stack.ts';
import { milliseconds, percentileOf } from '../measuring/latency.ts';
import { cpuSeconds, residentMegabytes } from '../measuring/process-use.ts';
import { Notification, waitUntil } from './notification.ts';
import { type Receipt, Receivers } from './receivers.ts';

interface Plan {
  accounts: number;
  endpoints: number;
  /** Events to all accounts at once, each to all endpoints of its account. */
  burst: number;
  isolation: { count: number; perSecond: number };
  latency: { accounts: number; count: number; perSecond: number };
  replayed: number;
  fresh: { count: number; perSecond: number };
  counted: { count: number; perSecond: number };
}

// 200 endpoints, of which two of each account hang or fail: 20 and 20.
const LONG: Plan = {
  accounts: 20,
  endpoints: 10,
  burst: 1_000,
  isolation: { count: 1_000, perSecond: 50 },
  latency: { accounts: 10, count: 10_000, perSecond: 500 },
  replayed: 10_000,
  fresh: { count: 100, perSecond: 10 },
  counted: { count: 500, perSecond: 50 },
};
const SHORT: Plan = {
  accounts: 2,
  endpoints: 4,
  burst: 10,
  isolation: { count: 10, perSecond: 20 },
  latency: { accounts: 2, count: 20, perSecond: 50 },
  replayed: 20,
  fresh: { count: 4, perSecond: 10 },
  counted: { count: 10, perSecond: 50 },
};
const NAME_WIDTH = 54;
const PROCESS = 'notification';
const SAMPLED_EVERY_MS = 1_000;

/** A figure: as it is printed, its target, and whether that is met. */
interface Figure {
  name: string;
  value: string;
  target: string;
  isMet: boolean;
}

/** What the passes of this measurement use. */
interface Bench {
  run: Run;
  stack: Stack;
  plan: Plan;
  notification: Notification;
  receivers: Receivers;
  /** Accounts with their endpoints, by the names of these at the receivers. */
  accounts: Map<string, string[]>;
}

/**
 * Measures the delivery of webhooks to local receivers: how many a second, beside endpoints that hang and fail, how soon after an
 * event, and during a replay; what notification keeps resident, and the database commands of a delivery.
 * @returns the figures, for a person.
 */
export async function webhooks(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const [notification, receivers] = [
    await Notification.open(
      // Past the counter of commands.
      { ...stack.env, MONGODB_URI: run.env.MONGODB_URI ?? '' },
    ),
    await Receivers.start(),
  ];
  run.atEnd(async () => void (await Promise.all([notification.close(), receivers.stop()])));
  const memory = sampleMemory(run);
  try {
    const bench = { run, stack, plan, notification, receivers, accounts: new Map<string, string[]>() };
    for (let index = 0; index < plan.accounts; index += 1) await addAccount(bench, plan.endpoints);
    const figures: Figure[] = [];
    // Isolation comes last: what its endpoints leave behind is tried again for minutes.
    for (const pass of [burst, latency, replay, commands, isolation]) {
      run.log(`webhooks: ${pass.name}`);
      receivers.clear();
      figures.push(...(await pass(bench)));
    }
    figures.push(figureOf('resident memory of notification, at most', memory.most(), 'MB', { atMost: 200 }));
    return describe(figures);
  } finally {
    memory.stop();
  }
}

async function addAccount({ notification, receivers, accounts }: Bench, endpoints: number) {
  const accountId = newId('acct');
  const names = Array.from({ length: endpoints }, (_, index) => `${accountId}-${index}`);
  await Promise.all(names.map((name) => notification.makeEndpoint(accountId, receivers.urlOf(name))));
  accounts.set(accountId, names);
  return accountId;
}

/** All endpoints are healthy, and events come as fast as the stream takes them. */
async function burst({ run, plan, notification, receivers, accounts }: Bench): Promise<Figure[]> {
  const expected = plan.burst * plan.endpoints;
  const cpuBefore = cpuOf(run);
  const beganAtMs = performance.now();
  const publishing = notification.publish({ accounts: [...accounts.keys()], count: plan.burst, perSecond: 100_000 });
  await waitUntil(() => receivers.receipts.length >= expected, `${expected} webhooks`);
  await publishing;
  await notification.untilStored([...accounts.keys()], expected);
  const perSecond = (expected * 1_000) / (performance.now() - beganAtMs);
  const cpu = cpuBefore === null ? Number.NaN : ((cpuOf(run)! - cpuBefore) * 1_000) / expected;
  return [
    figureOf('deliveries/s to healthy receivers, attempts stored', perSecond, '/s', { atLeast: 500 }),
    // Other work on the machine moves it less than the rate: 2 ms are 500 a second on one core.
    figureOf('processor time of notification for one of them', cpu, 'ms', { atMost: 2, digits: 2 }),
  ];
}

const processOf = ({ supervisor }: Run) => supervisor.processes().find(({ name }) => name === PROCESS);

/** Processor time that notification has used so far, in seconds; null where the system does not report it. */
function cpuOf(run: Run): number | null {
  const found = processOf(run);
  return found ? cpuSeconds([found.pid]) : null;
}

/** One endpoint of each account hangs, and another one fails. */
async function isolation({ plan, notification, receivers, accounts }: Bench): Promise<Figure[]> {
  const healthy = new Set<string>();
  for (const [hanging, failing, ...others] of accounts.values()) {
    receivers.behave(hanging!, 'hangs');
    receivers.behave(failing!, 'fails');
    for (const name of others) healthy.add(name);
  }
  const ofHealthy = () => receivers.receipts.filter(({ endpoint }) => healthy.has(endpoint));
  const expected = plan.isolation.count * (plan.endpoints - 2);
  await notification.publish({ accounts: [...accounts.keys()], ...plan.isolation });
  await waitUntil(() => ofHealthy().length >= expected, `${expected} webhooks of healthy endpoints`);
  const [hanging, all] = [accounts.size, accounts.size * plan.endpoints];
  const name = `p99 beside ${hanging} of ${all} that hang, ${hanging} that fail`;
  return [latencyFigure(name, 99, notification, ofHealthy(), 5_000)];
}

/** One endpoint for each account. */
async function latency(bench: Bench): Promise<Figure[]> {
  const { plan, notification, receivers } = bench;
  const accounts = new Map<string, string[]>();
  const own = { ...bench, accounts };
  for (let index = 0; index < plan.latency.accounts; index += 1) await addAccount(own, 1);
  const { count, perSecond } = plan.latency;
  const receipts = () => receivers.receipts.filter(({ endpoint }) => accounts.has(endpoint.split('-')[0]!));
  await notification.publish({ accounts: [...accounts.keys()], count, perSecond });
  await waitUntil(() => receipts().length >= count, `${count} webhooks`);
  const name = `from the event to the receiver, ${perSecond} events/s:`;
  return [
    latencyFigure(`${name} p50`, 50, notification, receipts(), 150),
    latencyFigure(`${name} p99`, 99, notification, receipts(), 1_000),
  ];
}

/** An account's events are replayed to one endpoint, while new events come to another account and to its own. */
async function replay(bench: Bench): Promise<Figure[]> {
  const { plan, notification, receivers } = bench;
  const [past, other] = [newId('acct'), await addAccount({ ...bench, accounts: new Map() }, 1)];
  await notification.publish({ accounts: [past], count: plan.replayed, perSecond: 1_000 });
  await notification.untilNumbered(past, plan.replayed);
  const old = new Set(notification.publishedAtMs.keys());
  const endpoint = await notification.makeEndpoint(past, receivers.urlOf(past));
  const received = (isNew: boolean) =>
    receivers.receipts.filter(
      ({ endpoint: name, objectId }) => name.startsWith(isNew ? '' : past) && old.has(objectId) !== isNew,
    );
  const beganAtMs = performance.now();
  const replayed = await notification.replay(past, endpoint);
  const publishing = notification.publish({ accounts: [past, other], ...plan.fresh });
  await waitUntil(() => received(false).length >= replayed, `${replayed} replayed webhooks`);
  const perSecond = (replayed * 1_000) / (performance.now() - beganAtMs);
  await publishing;
  await waitUntil(() => received(true).length >= plan.fresh.count, `${plan.fresh.count} new webhooks`);
  return [
    figureOf(`replay of ${replayed} events to one endpoint`, perSecond, '/s', { atLeast: 500 }),
    latencyFigure('new events meanwhile: p99', 99, notification, received(true), 1_000),
  ];
}

/** The commands of notification to the database while the endpoints of one account get events, its periodic ones included. */
async function commands(bench: Bench): Promise<Figure[]> {
  const { run, stack, plan, notification } = bench;
  const counter = stack.counter ?? (await countCommands(run.env.MONGODB_URI ?? ''));
  if (!stack.counter) await restart(bench, counter.uri);
  const accountId = await addAccount({ ...bench, accounts: new Map() }, plan.endpoints);
  const expected = plan.counted.count * plan.endpoints;
  counter.take();
  await notification.publish({ accounts: [accountId], ...plan.counted });
  await notification.untilStored([accountId], expected);
  const prefix = `${stack.env.DATABASE_PREFIX}_${PROCESS}_`;
  const counts = [...counter.take()].filter(([name]) => name.startsWith(prefix));
  const each = counts.reduce((sum, [, count]) => sum + count, 0) / expected;
  if (!stack.counter) {
    await restart(bench, stack.env.MONGODB_URI!);
    counter.close();
  }
  return [figureOf('database commands of a delivery', each, '', { atMost: 1, digits: 2 })];
}

/** Starts notification again, with the database at this address. */
async function restart({ run, stack }: Bench, MONGODB_URI: string) {
  await run.supervisor.stop([PROCESS]);
  await run.supervisor.launch(await serviceProcess(PROCESS, { ...stack.env, MONGODB_URI }));
}

function sampleMemory(run: Run) {
  const samples: number[] = [];
  const sample = () => {
    const found = processOf(run);
    if (found) samples.push(residentMegabytes(found.pid));
  };
  sample();
  const timer = setInterval(sample, SAMPLED_EVERY_MS);
  return {
    most: () => {
      sample();
      return Math.max(...samples);
    },
    stop: () => clearInterval(timer),
  };
}

function latencyFigure(
  name: string,
  percent: number,
  { publishedAtMs }: Notification,
  receipts: readonly Receipt[],
  atMostMs: number,
): Figure {
  const times = receipts.map(({ objectId, atMs }) => atMs - publishedAtMs.get(objectId)!);
  const value = percentileOf(times, percent);
  return { name, value: milliseconds(value), target: `at most ${milliseconds(atMostMs)}`, isMet: value <= atMostMs };
}

function figureOf(
  name: string,
  value: number,
  unit: string,
  { atLeast, atMost, digits = 0 }: { atLeast?: number; atMost?: number; digits?: number },
): Figure {
  const shown = (amount: number) =>
    `${amount.toLocaleString('en-GB', { maximumFractionDigits: digits })} ${unit}`.trim();
  const target = atLeast === undefined ? `at most ${shown(atMost!)}` : `at least ${shown(atLeast)}`;
  const isMet = atLeast === undefined ? value <= atMost! : value >= atLeast;
  return { name, value: shown(value), target, isMet };
}

const describe = (figures: Figure[]) =>
  [
    'Webhooks to local receivers',
    ...figures.map(
      ({ name, value, target, isMet }) =>
        `  ${name.padEnd(NAME_WIDTH)} ${value.padStart(10)}; target ${target}: ${isMet ? 'met' : 'missed'}`,
    ),
    '',
  ].join('\n');
