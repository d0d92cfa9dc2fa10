import { connect } from '@nats-io/transport-node';
import { claimBooking } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { Deadline, makeRequestContext, newId } from '@swim/platform';
import { describeFigure } from '../measuring/report.mjs';
import { percentileOf } from './timing.mjs';

const RACERS = 64;
const SLOT_MINUTES = 15;
const FIRST_SLOT_MINUTE = 8 * 60;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const HOLDINGS = [
  { held: 30, target: 0.5 },
  { held: 200, target: 0.3 },
];
const SCHEDULE = {
  weekly: [],
  overrides: [],
  buffer_before_minutes: 0,
  buffer_after_minutes: 0,
  minimum_notice_minutes: 0,
  maximum_days_ahead: 365,
  slot_interval_minutes: 30,
};

/**
 * Has 64 racers claim, each a quarter of an hour of its own, on one day of one instructor, and the same on days of 64
 * instructors; what was claimed is taken away again behind the back of scheduling. They ask scheduling over the bus, as
 * booking does, so that nothing but claims is measured.
 * @param {{env: Record<string, string>}} stack
 * @param {import('./calendar-database.mjs').CalendarDatabase} database
 * @param {{rounds: number, seconds: number}} plan
 * @param {(line: string) => void} log
 * @returns {Promise<string>} the figures, for a person.
 */
export async function raceFigures({ env }, database, plan, log) {
  const connection = await connect({ servers: env.NATS_URL });
  const client = new RpcClient(connection);
  const dayMs = (Math.floor(Date.now() / DAY_MS) + 10) * DAY_MS;
  try {
    const figures = [];
    for (const { held, target } of HOLDINGS) {
      log(`claim beside ${held} claims`);
      const [one, ...many] = Array.from({ length: RACERS + 1 }, () => newId('ins'));
      await database.fillDays([one, ...many], dayMs, held, FIRST_SLOT_MINUTE);
      const sides = [
        { name: 'one instructor', racers: racersOf([one], dayMs) },
        { name: `${RACERS} instructors`, racers: racersOf(many, dayMs) },
      ];
      const passes = await inTurn({ client, database }, sides, plan, log);
      const [ours, floor] = sides.map(({ name }, index) => ({ name, passes: passes[index] }));
      const title = `${RACERS} racers claim beside ${held} claims a day`;
      figures.push(describeFigure({ title, ours, floor, target }));
    }
    return figures.join('\n');
  } finally {
    await client.close();
    await connection.close();
  }
}

const racersOf = (instructorIds, dayMs) =>
  Array.from({ length: RACERS }, (_, index) => ({
    instructorId: instructorIds[index % instructorIds.length],
    memberId: newId('mem'),
    date: new Date(dayMs + (FIRST_SLOT_MINUTE + index * SLOT_MINUTES) * MINUTE_MS).toISOString(),
  }));

async function inTurn(parts, sides, { rounds, seconds }, log) {
  for (const { racers } of sides) await race(parts, racers, Math.min(seconds, 1));
  const passes = sides.map(() => []);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, { racers }] of sides.entries()) passes[index].push(await race(parts, racers, seconds));
    const rates = sides.map(({ name }, side) => `${name} ${Math.round(passes[side].at(-1).requestsPerSecond)}/s`);
    log(`round ${round} of ${rounds}: ${rates.join(', ')}`);
  }
  return passes;
}

/** One pass, as `describeFigure` takes it. */
async function race({ client, database }, racers, seconds) {
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + seconds * 1_000;
  const times = [];
  const run = async (racer) => {
    while (performance.now() < endsAtMs) {
      const beganAtMs = performance.now();
      const { bookingId, dayIds } = await claim(client, racer);
      times.push(performance.now() - beganAtMs);
      await database.takeAway(bookingId, dayIds);
    }
  };
  await Promise.all(racers.map(run));
  return {
    requests: times.length,
    requestsPerSecond: (times.length * 1_000) / (performance.now() - startedAtMs),
    p50Ms: percentileOf(times, 50),
    p99Ms: percentileOf(times, 99),
    cpuMicroseconds: null,
    cpuPercent: null,
    drainedAfterMs: 0,
  };
}

async function claim(client, { instructorId, memberId, date }) {
  const bookingId = newId('bkg');
  const accountId = newId('acct');
  const principal = { accountId, kind: 'school', env: 'test', keyId: newId('key'), scopes: [] };
  const context = makeRequestContext({ requestId: newId('req'), principal, deadline: new Deadline(10_000) });
  const rules = { instructorId, schoolId: accountId, timezone: 'UTC', schedule: SCHEDULE, enforceAvailability: false };
  const sessions = [{ id: newId('ses'), memberId }];
  const requested = {
    bookingId,
    accountId,
    rules: { ...rules, defaultPoolId: null },
    currency: 'EUR',
    location: null,
    notes: null,
    slots: [{ date, durationMinutes: SLOT_MINUTES, priceCents: 0, sessions }],
    onConflict: 'fail',
    dryRun: false,
  };
  await client.call(claimBooking, requested, context);
  return { bookingId, dayIds: [instructorId, memberId].map((id) => `${id}:${date.slice(0, 10)}`) };
}
