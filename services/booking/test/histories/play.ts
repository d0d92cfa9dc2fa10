import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { Audit } from '../../src/audit/audit.service.js';
import { Outcome } from './checks.js';
import { histories } from './commands.js';
import { History } from './history.js';
import type { Services } from './services.js';

/** Histories that run at the same time. */
const SIDE_BY_SIDE = 40;
/** Histories that are audited together. */
const BATCH = 200;
/** Fewer writes than a service has for the first commands of several histories. */
const CRASH_AT = 20;

/** Within which the services consume an event on a busy machine; only a history that differs waits for it. */
const EVENTS_WITHIN_MS = 60_000;
const PAUSE_MS = 200;

/** Which histories are played: those of a seed, from one index to another. */
export interface Range {
  seed: number;
  from: number;
  to: number;
}

type Sampled = ReturnType<typeof histories.generate>['value'];

interface Played {
  index: number;
  history: History;
  /** The error; null after a success. */
  fault: unknown;
}

/**
 * Plays histories in batches; returns a report of each that failed. Each batch prints a line and its reports as it ends: a run of
 * thousands shows how far it is, and what it has found is known when it is stopped.
 */
export async function playAll(services: Services, audit: Audit, { seed, from, to }: Range): Promise<string[]> {
  const sampled = fc.sample(histories, { numRuns: to, seed });
  const reports: string[] = [];
  const startMs = performance.now();
  for (let start = from; start < to; start += BATCH) {
    const end = Math.min(start + BATCH, to);
    const found = (await playBatch(services, audit, sampled.slice(start, end), start)).map((each) =>
      reportOf(seed, each),
    );
    reports.push(...found);
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    print(
      `histories ${from} to ${end} of ${to}: ${reports.length} failed, ${services.crashes} crashes, ${services.load.current} requests in flight, ${seconds} s (HISTORY_SEED=${seed})`,
      ...found,
    );
  }
  return reports;
}

/**
 * Plays histories side by side, of which the first has the index `first`, until all has come to rest; returns those that failed.
 */
async function playBatch(services: Services, audit: Audit, sampled: Sampled[], first: number): Promise<Played[]> {
  const batch = sampled.map((commands, at) => ({
    commands,
    played: { index: first + at, history: new History(services), fault: null as unknown },
  }));
  const waiting = batch.values();
  const player = async () => {
    for (const { commands, played } of waiting) played.fault = await play(commands, played.history);
  };
  // The commands of thirty histories have no crash in one run of fifty.
  if (batch.length > 1) services.crash(first / BATCH, CRASH_AT);
  await services.elapsing(() => Promise.all(Array.from({ length: SIDE_BY_SIDE }, player)));
  await services.untilIdle();
  const all = batch.map(({ played }) => played);
  await check(services, audit, all);
  services.traffic.forget();
  return all.filter(({ fault }) => fault !== null);
}

// Jest would keep what `console` prints until the file ends.
const print = (...lines: string[]): boolean => process.stdout.write(`${lines.join('\n\n')}\n`);

/** Runs the commands of a history; resolves with what went wrong. */
async function play([beginning, commands]: Sampled, history: History): Promise<unknown> {
  try {
    const model = { bookings: 0, payments: 0, lessons: 0 };
    for (const command of beginning) await command.run(model, history);
    await fc.asyncModelRun(() => ({ model, real: history }), commands);
    return null;
  } catch (error) {
    return error;
  }
}

/** Checks the histories that have run to their end; those that differ once more, since events may be on their way. */
async function check(services: Services, audit: Audit, batch: Played[]): Promise<void> {
  const endsAtMs = performance.now() + EVENTS_WITHIN_MS;
  for (let open = batch.filter(({ fault }) => fault === null); open.length > 0; ) {
    const histories = open.map(({ history }) => history);
    const outcome = await Outcome.read(services, histories, audit);
    for (const played of open) played.fault = faultOf(outcome, played.history);
    open = performance.now() > endsAtMs ? [] : open.filter(({ fault }) => fault !== null);
    if (open.length > 0) await pause(PAUSE_MS);
  }
}

function faultOf(outcome: Outcome, history: History): unknown {
  try {
    outcome.expectWhole(history);
    return null;
  } catch (error) {
    return error;
  }
}

const reportOf = (seed: number, { index, history, fault }: Played): string =>
  `HISTORY_SEED=${seed} HISTORY=${index}:\n${history.log.join('\n')}\n${(fault as Error).stack}`;
