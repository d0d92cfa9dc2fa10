import type { RecordedMethod, Statement, StatementSums } from '@swim/contracts';
import { Temporal } from 'temporal-polyfill';

/** A movement of money, as far as a statement contains it. */
export interface StatedMovement {
  kind: string;
  /** A charge has it, except one by card. */
  method?: RecordedMethod | undefined;
  amountCents: number;
  /** ISO 8601 UTC. */
  at: string;
}

/** The days of a month in a time zone. */
export interface MonthDays {
  /** `YYYY-MM-DD`, in order. */
  dates: string[];
  /** The instants at which the days begin, ISO 8601 UTC, and at which the last one ends. */
  boundaries: string[];
}

/** The days of a month, `YYYY-MM`. A day whose midnight the clocks skip begins at its first instant. */
export function daysOf(month: string, timezone: string): MonthDays {
  const first = Temporal.PlainYearMonth.from(month);
  const days = Array.from({ length: first.daysInMonth }, (_, index) => first.toPlainDate({ day: index + 1 }));
  const startOf = (day: Temporal.PlainDate) =>
    new Date(day.toZonedDateTime(timezone).startOfDay().epochMilliseconds).toISOString();
  return {
    dates: days.map(String),
    boundaries: [...days, days.at(-1)!.add({ days: 1 })].map(startOf),
  };
}

type MoneySums = Omit<StatementSums, 'lessons' | 'charged_by_method'>;

/** The sum that a kind of movement belongs to, and its sign there; kinds without one concern no money that moved. */
const STATED: Record<string, readonly [keyof MoneySums, 1 | -1]> = {
  charge: ['charged_cents', 1],
  refund: ['refunded_cents', 1],
  dispute_lost: ['refunded_cents', 1],
  fee: ['fees_cents', 1],
  credit_converted: ['credits_issued_cents', 1],
  credit_excused: ['credits_issued_cents', 1],
  credit_spent: ['credits_spent_cents', 1],
  credit_returned: ['credits_spent_cents', -1],
};

const nothing = (): StatementSums => ({
  lessons: 0,
  charged_cents: 0,
  charged_by_method: { card: 0, cash: 0, transfer: 0, terminal: 0, voucher: 0 },
  refunded_cents: 0,
  fees_cents: 0,
  credits_issued_cents: 0,
  credits_spent_cents: 0,
});

/** The sums of each day, and of the month, of movements within it and of the lessons of each day. */
export function sumsOf(
  { dates, boundaries }: MonthDays,
  movements: Iterable<StatedMovement>,
  lessons: readonly number[],
): Pick<Statement, 'days' | 'totals'> {
  const days = dates.map((date, index) => ({ date, ...nothing(), lessons: lessons[index] ?? 0 }));
  const totals = nothing();
  for (const { kind, method = 'card', amountCents, at } of movements) {
    const [sum, sign] = STATED[kind] ?? [];
    const day = days[dayOf(boundaries, at)];
    if (!sum || !day) continue;
    for (const sums of [day, totals]) {
      sums[sum] += amountCents * sign!;
      if (kind === 'charge') sums.charged_by_method[method] += amountCents;
    }
  }
  for (const day of days) totals.lessons += day.lessons;
  return { days, totals };
}

/** The position of the day of an instant; -1 before the first. Instants in this format ascend as texts. */
function dayOf(boundaries: readonly string[], at: string): number {
  let [low, high] = [0, boundaries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (boundaries[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
