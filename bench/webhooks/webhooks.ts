import { newId } from '@swim/platform';
import { serviceProcess } from '../../deploy/local/stack/product-processes.ts';
import { cpuMsOf } from '../measuring/process-use.ts';
import { figure } from '../measuring/report.ts';
import { percentileOf } from '../measuring/statistics.ts';
import { countCommands } from '../stack/command-counter.ts';
import { processesOf, type Run, type Stack } from '../stack/stack.ts';
import { Notification, until } from './notification.ts';
import { type Receipt, Receivers } from './receivers.ts';

// Two endpoints of each account misbehave: of the 200 endpoints, 20 hang and 20 fail.
const LONG = {
  accounts: 20,
  endpoints: 10,
  /**
   * The number of events, published to all accounts at once; every endpoint of an account receives each of its events.
   */
  burst: 1_000,
  latency: { accounts: 10, count: 10_000, perSecond: 500 },
  replayed: 10_000,
  fresh: { count: 100, perSecond: 10 },
  counted: { count: 500, perSecond: 50 },
  isolation: { count: 1_000, perSecond: 50 },
};
const SHORT: typeof LONG = {
  accounts: 2,
  endpoints: 4,
  burst: 10,
  latency: { accounts: 2, count: 20, perSecond: 50 },
  replayed: 20,
  fresh: { count: 4, perSecond: 10 },
  counted: { count: 10, perSecond: 50 },
  isolation: { count: 10, perSecond: 20 },
};
const PROCESS = 'notification';

interface Bench {
  run: Run;
  stack: Stack;
  plan: typeof LONG;
  notification: Notification;
  receivers: Receivers;
  /** Each account with the names of its endpoints at the receivers. */
  accounts: Map<string, string[]>;
}

/**
 * Measures the delivery of webhooks to local receivers: the rate, the latency after an event, a replay, the database
 * commands of a delivery, and all that beside endpoints that hang and fail.
 * @returns the figures as text.
 */
export async function webhooks(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const [notification, receivers] = [await Notification.open(stack), await Receivers.start()];
  run.atEnd(async () => void (await Promise.all([notification.close(), receivers.stop()])));
  const bench: Bench = { run, stack, plan, notification, receivers, accounts: new Map() };
  for (let index = 0; index < plan.accounts; index += 1) await addAccount(bench, plan.endpoints);
  const figures: string[] = [];
  // Isolation comes last: deliveries to its endpoints are retried for minutes.
  for (const pass of [burst, latency, replay, commands, isolation]) {
    run.log(`webhooks: ${pass.name}`);
    receivers.receipts.length = 0;
    figures.push(...(await pass(bench)));
  }
  return ['Webhooks to local receivers', ...figures, ''].join('\n');
}

async function addAccount({ notification, receivers, accounts }: Bench, endpoints: number) {
  const accountId = newId('acct');
  const names = Array.from({ length: endpoints }, (_, index) => `${accountId}-${index}`);
  await Promise.all(names.map((name) => notification.makeEndpoint(accountId, receivers.urlOf(name))));
  accounts.set(accountId, names);
  return accountId;
}

/** All endpoints are healthy, and events come as fast as the stream accepts them. */
async function burst({ run, plan, notification, receivers, accounts }: Bench) {
  const expected = plan.burst * plan.endpoints;
  const cpu = () => cpuMsOf(processesOf(run, [PROCESS])).get(PROCESS) ?? Number.NaN;
  const [cpuBefore, beganAtMs] = [cpu(), performance.now()];
  const publishing = notification.publish({ accounts: [...accounts.keys()], count: plan.burst, perSecond: 100_000 });
  await until(async () => receivers.receipts.length >= expected, `${expected} webhooks`);
  await publishing;
  await notification.untilStored([...accounts.keys()], expected);
  return [
    rateFigure('deliveries/s to healthy receivers, attempts stored', expected, beganAtMs),
    // Other work on the machine affects this figure less than the rate: 2 ms are 500 a second on one core.
    figure('processor time of notification for one of them', (cpu() - cpuBefore) / expected, { atMost: 2, unit: 'ms' }),
  ];
}

/** Each account has one endpoint. */
async function latency(bench: Bench) {
  const { plan, notification, receivers } = bench;
  const accounts = new Map<string, string[]>();
  for (let index = 0; index < plan.latency.accounts; index += 1) await addAccount({ ...bench, accounts }, 1);
  const { count, perSecond } = plan.latency;
  const receipts = () => receivers.receipts.filter(({ endpoint }) => accounts.has(endpoint.split('-')[0]!));
  await notification.publish({ accounts: [...accounts.keys()], count, perSecond });
  await until(async () => receipts().length >= count, `${count} webhooks`);
  const name = `from the event to the receiver, ${perSecond} events/s:`;
  const times = timesOf(bench, receipts());
  return [
    figure(`${name} p50`, percentileOf(times, 50), { atMost: 150, unit: 'ms' }),
    figure(`${name} p99`, percentileOf(times, 99), { atMost: 1_000, unit: 'ms' }),
  ];
}

/** One account's events are replayed to one endpoint, while new events come to this account and to another one. */
async function replay(bench: Bench) {
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
  await until(async () => received(false).length >= replayed, `${replayed} replayed webhooks`);
  const rate = rateFigure(`replay of ${replayed} events to one endpoint, /s`, replayed, beganAtMs);
  await publishing;
  await until(async () => received(true).length >= plan.fresh.count, `${plan.fresh.count} new webhooks`);
  const p99 = percentileOf(timesOf(bench, received(true)), 99);
  return [rate, figure('new events meanwhile: p99', p99, { atMost: 1_000, unit: 'ms' })];
}

/**
 * Counts the database commands of notification while the endpoints of one account receive events, its periodic ones
 * included.
 */
async function commands(bench: Bench) {
  const { run, stack, plan, notification } = bench;
  const counter = await countCommands(run.env.MONGODB_URI!);
  await restart(bench, counter.uri);
  const accountId = await addAccount({ ...bench, accounts: new Map() }, plan.endpoints);
  const expected = plan.counted.count * plan.endpoints;
  counter.take();
  await notification.publish({ accounts: [accountId], ...plan.counted });
  await notification.untilStored([accountId], expected);
  const each = [...counter.take().values()].reduce((sum, count) => sum + count, 0) / expected;
  await restart(bench, stack.env.MONGODB_URI!);
  counter.close();
  return [figure('database commands of a delivery', each, { atMost: 1 })];
}

/** Restarts notification with the database at this address. */
async function restart({ run, stack }: Bench, MONGODB_URI: string) {
  await run.supervisor.stop([PROCESS]);
  await run.supervisor.launch(await serviceProcess(PROCESS, { ...stack.env, MONGODB_URI }));
}

/** One endpoint of each account hangs, and another one fails. */
async function isolation(bench: Bench) {
  const { plan, notification, receivers, accounts } = bench;
  const healthy = new Set<string>();
  for (const [hanging, failing, ...others] of accounts.values()) {
    receivers.behave(hanging!, 'hangs');
    receivers.behave(failing!, 'fails');
    for (const name of others) healthy.add(name);
  }
  const ofHealthy = () => receivers.receipts.filter(({ endpoint }) => healthy.has(endpoint));
  const expected = plan.isolation.count * (plan.endpoints - 2);
  await notification.publish({ accounts: [...accounts.keys()], ...plan.isolation });
  await until(async () => ofHealthy().length >= expected, `${expected} webhooks of healthy endpoints`);
  const [hanging, all] = [accounts.size, accounts.size * plan.endpoints];
  const name = `p99 beside ${hanging} of ${all} that hang, ${hanging} that fail`;
  return [figure(name, percentileOf(timesOf(bench, ofHealthy()), 99), { atMost: 5_000, unit: 'ms' })];
}

const rateFigure = (name: string, count: number, beganAtMs: number) =>
  figure(name, (count * 1_000) / (performance.now() - beganAtMs), { atLeast: 500 });

/** Returns the time from each event to the receipt of its webhook. */
const timesOf = ({ notification: { publishedAtMs } }: Bench, receipts: Receipt[]) =>
  receipts.map(({ objectId, atMs }) => atMs - publishedAtMs.get(objectId)!);
