import { connect } from '@nats-io/transport-node';
import { claimBooking, type Principal } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { Deadline, makeRequestContext, newId } from '@swim/platform';
import { percentileOf } from '../measuring/latency.ts';
import type { Pass } from '../measuring/load.ts';
import { describeFigure } from '../measuring/report.ts';
import type { Plan } from '../measuring/rounds.ts';
import { measureInTurn } from '../measuring/rounds.ts';
import { isBusyError } from '../measuring/turned-away.ts';
import type { CalendarDatabase } from './calendar-database.ts';

const SLOT_MINUTES = 15;
const FIRST_SLOT_MINUTE = 8 * 60;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const HOLDINGS = [
  { held: 30, target: 0.5 },
  { held: 200, target: 0.3 },
];
const CONFLICTS = new Set(['instructor_busy', 'member_busy', 'conflicting_dates']);
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
 * Runs concurrent claims, each of its own quarter of an hour, on one day of one instructor, and on days of as many
 * instructors; the claims are removed directly in the database. They request scheduling over NATS, as booking does, so that
 * only claims are measured.
 * @param plan - at most 64 racers, which fill the day.
 * @returns the figures, for a person.
 */
export async function raceFigures(
  { env }: { env: Record<string, string> },
  database: CalendarDatabase,
  plan: Plan & { racers: number },
  log: (line: string) => void,
): Promise<string> {
  const connection = await connect({ servers: env.NATS_URL! });
  const client = new RpcClient(connection);
  const connections = { client, database };
  const dayMs = (Math.floor(Date.now() / DAY_MS) + 10) * DAY_MS;
  try {
    const figures: string[] = [];
    for (const { held, target } of HOLDINGS) {
      log(`claim beside ${held} claims`);
      const [one = '', ...many] = Array.from({ length: plan.racers + 1 }, () => newId('ins'));
      await database.fillDays([one, ...many], dayMs, held, FIRST_SLOT_MINUTE);
      const subjects = [
        { name: 'one instructor', pass: racing(connections, plan.racers, [one], dayMs) },
        { name: `${plan.racers} instructors`, pass: racing(connections, plan.racers, many, dayMs) },
      ];
      const passes = await measureInTurn(subjects, plan, log);
      const [ours, floor] = subjects.map((subject) => ({ name: subject.name, passes: passes.get(subject) ?? [] }));
      const title = `${plan.racers} racers claim beside ${held} claims a day`;
      figures.push(describeFigure({ title, ours: ours!, floor: floor!, target }));
    }
    return figures.join('\n');
  } finally {
    await client.close();
    await connection.close();
  }
}

interface Connections {
  client: RpcClient;
  database: CalendarDatabase;
}

/** A client that claims the same time repeatedly. */
interface Racer {
  instructorId: string;
  memberId: string;
  date: string;
  /** Claims of unknown outcome. */
  unknown: { bookingId: string; sessionId: string; dayIds: string[] }[];
}

/** Passes of racers, as `measureInTurn` takes them. */
function racing(connections: Connections, count: number, instructorIds: string[], dayMs: number) {
  const racers = Array.from(
    { length: count },
    (_, index): Racer => ({
      instructorId: instructorIds[index % instructorIds.length]!,
      memberId: newId('mem'),
      date: new Date(dayMs + (FIRST_SLOT_MINUTE + index * SLOT_MINUTES) * MINUTE_MS).toISOString(),
      unknown: [],
    }),
  );
  return (seconds: number) => race(connections, racers, seconds);
}

async function race(connections: Connections, racers: Racer[], seconds: number): Promise<Pass> {
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + seconds * 1_000;
  const times: number[] = [];
  let turnedAway = 0;
  const run = async (racer: Racer) => {
    while (performance.now() < endsAtMs) {
      const ms = await claimOnce(connections, racer);
      if (ms === null) turnedAway += 1;
      else times.push(ms);
    }
  };
  await Promise.all(racers.map(run));
  return {
    requests: times.length,
    turnedAway,
    requestsPerSecond: (times.length * 1_000) / (performance.now() - startedAtMs),
    p50Ms: percentileOf(times, 50),
    p99Ms: percentileOf(times, 99),
    cpuMicroseconds: null,
    cpuPercent: null,
    drainedAfterMs: 0,
  };
}

/**
 * Claims the racer's time and removes the claim.
 * @returns how long the claim took; null when it was rejected.
 */
async function claimOnce({ client, database }: Connections, racer: Racer): Promise<number | null> {
  const [bookingId, sessionId] = [newId('bkg'), newId('ses')];
  const dayIds = [racer.instructorId, racer.memberId].map((id) => `${id}:${racer.date.slice(0, 10)}`);
  const beganAtMs = performance.now();
  const error = await claim(client, racer, { bookingId, sessionId }).then(
    () => null,
    (thrown) => thrown,
  );
  const ms = performance.now() - beganAtMs;
  // A rejected claim may still be made later, and then blocks the same racer's next ones.
  const isByLateClaim = racer.unknown.length > 0 && CONFLICTS.has(error?.reason);
  if (error && !isBusyError(error) && !isByLateClaim) throw error;
  if (error) racer.unknown.push({ bookingId, sessionId, dayIds });
  else await database.takeAway({ bookingId, sessionId, dayIds });
  if (error) for (const each of racer.unknown) await database.takeAway(each);
  return error ? null : ms;
}

async function claim(
  client: RpcClient,
  { instructorId, memberId, date }: Racer,
  { bookingId, sessionId }: { bookingId: string; sessionId: string },
) {
  const accountId = newId('acct');
  const principal: Principal = { accountId, kind: 'school', env: 'test', keyId: newId('key'), scopes: [] };
  const context = makeRequestContext({ requestId: newId('req'), principal, deadline: new Deadline(10_000) });
  const rules = { instructorId, schoolId: accountId, timezone: 'UTC', schedule: SCHEDULE, enforceAvailability: false };
  const sessions = [{ id: sessionId, memberId }];
  const requested: Parameters<typeof client.call<typeof claimBooking>>[1] = {
    bookingId,
    accountId,
    rules: { ...rules, defaultPoolId: null },
    terms: {
      hourlyRateCents: 0,
      freeCancellationHours: 24,
      lateFeePercent: 50,
      noShowFeePercent: 100,
      makeupCredits: true,
    },
    currency: 'EUR',
    location: null,
    notes: null,
    slots: [{ date, durationMinutes: SLOT_MINUTES, priceCents: 0, sessions }],
    onConflict: 'fail',
    dryRun: false,
  };
  await client.call(claimBooking, requested, context);
}
