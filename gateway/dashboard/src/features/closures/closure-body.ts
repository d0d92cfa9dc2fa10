import { parseDate } from '@internationalized/date';
import type { CreateClosureBody } from '@swim/sdk';
import { instantAt } from '../../design/values/wall-clock.ts';

/** Every pool of the school. */
export const ALL_POOLS = 'all';

/** The fields of the form of a closure, as typed; its times are by the clock of what is closed. */
export interface ClosureValues {
  /** The id of a pool or of an instructor, or all pools; empty for none yet. */
  readonly what: string;
  readonly firstDay: string;
  /** Empty for the first day alone. */
  readonly lastDay: string;
  /** Whether only some hours are closed: from a time of the first day until one of the last. */
  readonly hasHours: boolean;
  readonly start: string;
  readonly end: string;
  readonly reason: string;
  readonly lessons: CreateClosureBody['lessons'];
  readonly refundAs: 'original' | 'credit';
  readonly notify: boolean;
}

/** What decides how the values of a form are read. */
interface Reading {
  readonly timeZone: string;
  readonly poolIds: readonly string[];
}

function dayAfter(day: string): string | null {
  try {
    return parseDate(day).add({ days: 1 }).toString();
  } catch {
    return null;
  }
}

function endOf({ firstDay, lastDay, hasHours, end }: ClosureValues, timeZone: string): string | null {
  const last = lastDay || firstDay;
  if (hasHours) return instantAt({ date: last, time: end }, timeZone);
  const next = dayAfter(last);
  return next && instantAt({ date: next, time: '00:00' }, timeZone);
}

/** What is closed: a request names pools or instructors. */
type Closed = { readonly pool_ids: string[] } | { readonly instructor_ids: string[] };

function resourcesOf(what: string, poolIds: readonly string[]): Closed {
  if (what === ALL_POOLS) return { pool_ids: [...poolIds] };
  return what.startsWith('ins_') ? { instructor_ids: [what] } : { pool_ids: [what] };
}

/** The body of a request for the form; null while it is not complete. */
export function bodyOf(values: ClosureValues, { timeZone, poolIds }: Reading): CreateClosureBody | null {
  const from = instantAt({ date: values.firstDay, time: values.hasHours ? values.start : '00:00' }, timeZone);
  const to = endOf(values, timeZone);
  const reason = values.reason.trim();
  if (!values.what || !reason || from === null || to === null) return null;
  return {
    ...resourcesOf(values.what, poolIds),
    from,
    to,
    reason,
    lessons: values.lessons,
    ...(values.lessons === 'cancel' && { refund_as: values.refundAs, notify_participants: values.notify }),
  };
}
