import type { Model } from 'mongoose';
import { valueIf } from '../commands/conditional-writes.js';

/** A document whose decisions go by the clock of its account and its school (`docs/adr/0014-sandbox-clocks.md`). */
export interface Clocked {
  /** How far that clock is ahead of real time, in ms. Absent where neither was advanced, and in live. */
  clockOffsetMs?: number;
}

/** The clock of a test account. */
export interface AccountClock {
  accountId: string;
  offsetMs: number;
  /** ISO 8601 UTC: what was made at or after this instant stays as it is, as the clock may have been set back since. */
  madeBefore?: string | undefined;
}

/** Which documents of a collection go by the clock of their account, and what of them is due by it. */
export interface ClockedDocuments {
  /** Beside the account, which is among the readers of a document. */
  filter: Readonly<Record<string, unknown>>;
  /** Dates in real time that an advance moves back. */
  dates: readonly string[];
  /** The least offset that their dates are stored with, where documents are stored without one; by default 0. */
  fromMs?: number;
}

/**
 * Applies a clock to the account's documents with a smaller offset, in one command: their dates move back by the difference. A
 * change of one that was decided before is decided again. Idempotent: an offset that a document has is no smaller one.
 */
export async function applyClock<D>(
  model: Model<D>,
  { accountId, offsetMs, madeBefore }: AccountClock,
  { filter, dates, fromMs = 0 }: ClockedDocuments,
): Promise<void> {
  if (offsetMs === 0) return;
  const earlier = [{ clockOffsetMs: { $exists: false } }, { clockOffsetMs: { $lt: offsetMs } }];
  const by = { $subtract: [offsetMs, { $max: [{ $ifNull: ['$clockOffsetMs', fromMs] }, fromMs] }] };
  const moved = (date: string) =>
    valueIf({ $eq: [{ $type: `$${date}` }, 'date'] }, { $subtract: [`$${date}`, by] }, date);
  const set = Object.fromEntries(dates.map((date) => [date, moved(date)]));
  const made = madeBefore === undefined ? {} : { createdAt: { $lt: new Date(madeBefore) } };
  await model.collection.updateMany(
    { $and: [{ readers: accountId, ...filter, ...made }, { $or: earlier }] } as object,
    [{ $set: { ...set, clockOffsetMs: offsetMs, rev: valueIf({ $isNumber: '$rev' }, { $add: ['$rev', 1] }, 'rev') } }],
  );
}

/** The offset at which a date in real time of a document is reached. */
export const offsetAt = ({ clockOffsetMs = 0 }: Clocked, date: Date, now: Date): number =>
  clockOffsetMs + date.getTime() - now.getTime();

/** A date in real time of a document as its account sees it. */
export const shownDate = ({ clockOffsetMs = 0 }: Clocked, date: Date): Date => new Date(date.getTime() + clockOffsetMs);
