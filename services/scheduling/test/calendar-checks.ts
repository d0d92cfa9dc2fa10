import { expect } from '@jest/globals';
import type { Session } from '@swim/contracts';
import { until } from '@swim/testing';
import type { mongo } from 'mongoose';
import { elementsByDay } from '../src/calendar/claim.rules.js';
import type { Claim } from '../src/calendar/claim.schema.js';
import type { Day } from '../src/calendar/day.schema.js';
import type { SessionDocument } from '../src/sessions/session.schema.js';

/** Pairs of sessions that overlap, or lie nearer to each other than `gapMinutes`. */
export function overlapsOf(sessions: Session[], gapMinutes: number): [string, string][] {
  const inOrder = [...sessions].sort((a, b) => (a.date < b.date ? -1 : 1));
  return inOrder.flatMap((session, index) => {
    const next = inOrder[index + 1];
    const apart = next ? Date.parse(next.date) - Date.parse(session.end_date) : Number.POSITIVE_INFINITY;
    return apart < gapMinutes * 60_000 ? [[session.id, next!.id] as [string, string]] : [];
  });
}

interface Calendar {
  claims: Claim[];
  days: Day[];
  sessions: SessionDocument[];
}

/** Everything of the calendar as it is stored. */
export const read = async (database: mongo.Db): Promise<Calendar> => ({
  claims: await database.collection<Claim>('claims').find().toArray(),
  days: await database.collection<Day>('days').find().toArray(),
  sessions: await database.collection<SessionDocument>('sessions').find().toArray(),
});

/** Whether recovery and the outbox have nothing left to do. */
export const isQuiet = ({ claims, sessions }: Calendar): boolean =>
  claims.every((claim) => claim.state === 'confirmed' && claim.dueAt === undefined) &&
  sessions.every((session) => !session.move && session.drop.length === 0 && session.relayAt === undefined);

const SOON_MS = 15_000;
const WAIT_MS = 60_000;

/** As `isQuiet`, but holds that have long to go may stand. */
export const isSettled = ({ claims, ...rest }: Calendar): boolean =>
  isQuiet({
    ...rest,
    claims: claims.filter(({ state, until: end }) => state !== 'held' || Number(end) < Date.now() + SOON_MS),
  });

/** The calendar of one moment: each part was the same before and after all others were read. */
async function readAtOnce(database: mongo.Db): Promise<Calendar | null> {
  const [before, after] = [await read(database), await read(database)];
  return JSON.stringify(before) === JSON.stringify(after) ? after : null;
}

/**
 * Waits until recovery has nothing left to do, and then expects the calendar to be whole: each scheduled session has one
 * confirmed claim that holds it, each claim its elements on its days, and nothing else is there.
 */
export async function wholeness(database: mongo.Db): Promise<Calendar> {
  const calendar = await until(
    async () => {
      const now = await readAtOnce(database);
      return now && isQuiet(now) ? now : null;
    },
    'recovery has nothing left to do',
    WAIT_MS,
  );
  const { claims, days, sessions } = calendar;
  const scheduled = sessions.filter(({ status }) => status === 'scheduled');
  expect(claims.flatMap(({ holders }) => holders).sort()).toEqual(scheduled.map(({ _id }) => _id).sort());
  for (const session of scheduled)
    expect(claims.find(({ _id }) => _id === session.claimId)?.holders).toContain(session._id);
  const wanted = claims.flatMap((claim) =>
    elementsByDay(claim.elements).flatMap(([day, elements]) =>
      elements.flatMap((element) => {
        const holders = element.holders.filter((holder) => claim.holders.includes(holder));
        return holders.length
          ? [`${day} ${claim._id} ${element.startMs} ${element.endMs} ${holders.sort().join()}`]
          : [];
      }),
    ),
  );
  const found = days.flatMap((day) =>
    day.busy.map(({ s, e, c, h }) => `${day._id} ${c} ${s.getTime()} ${e.getTime()} ${h.sort().join()}`),
  );
  expect(found.sort()).toEqual(wanted.sort());
  return calendar;
}
