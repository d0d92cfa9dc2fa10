import type { AccountEvent } from '@swim/contracts';
import type { Deployment } from './deployment.ts';
import type { Customers } from './first-booking.ts';
import { failuresDuring } from './load.ts';
import { lookUntil } from './look-until.ts';
import type { Report, Seen } from './report.ts';

/** What comes first under each load: no request may fail then either. */
export const BASELINE = 'nothing is done';
const SHOWN_FAILURES = 8;
const EVENTS_WITHIN_MS = 60_000;
/** It ends with 1 when it has found a difference. */
const AUDIT =
  'docker compose exec -T --env AUDIT_MINUTES= --env AUDIT_SETTLED_SECONDS=0 audit node dist/audit.js || [ $? = 1 ]';

/** Acts that no request of a load may fail under. */
export class UnderLoad {
  readonly #deployment: Deployment;
  readonly #report: Report;
  readonly #customers: Customers;
  /** Ids of what was made. */
  readonly made: string[] = [];

  constructor(deployment: Deployment, report: Report, customers: Customers) {
    this.#deployment = deployment;
    this.#report = report;
    this.#customers = customers;
  }

  during(title: string, act: () => Promise<unknown>, retries = 0) {
    const wanted = retries === 0 ? '0 failed' : `0 failed after ${retries} retries`;
    const options = { retries, made: this.made };
    return this.#report.row(title, wanted, () => failuresDuring(this.#deployment, this.#customers, act, options));
  }

  /** `inexact`: ids of what may differ, since it was made while a backup was. */
  audit(inexact: readonly string[] = []) {
    const wanted = inexact.length === 0 ? '0 differences' : 'no differences but of what was made during the backup';
    return this.#report.row('the audit', wanted, async () => readAudit(await this.#deployment.sh(AUDIT), inexact));
  }

  /** Afterwards the money is right, and no event is missing. */
  async compare() {
    await this.audit();
    await this.#report.row('the events of the family', 'no gap, 0 missing', () => findGaps(this.#customers, this.made));
  }
}

interface AuditLine {
  bookings?: number;
  bookingId?: string;
  paymentId?: string;
}

/** Reads what an audit printed: it has to have found no difference, but in bookings and payments of `inexact`. */
export function readAudit(printed: string, inexact: readonly string[] = []): Seen {
  const lines = printed.split('\n').filter((line) => line.startsWith('{'));
  const all = lines.map((line): AuditLine => JSON.parse(line));
  const isExpected = ({ bookingId = '', paymentId = '' }: AuditLine) =>
    inexact.includes(bookingId) || inexact.includes(paymentId);
  const audits = all.filter(({ bookings }) => bookings !== undefined);
  const found = all.filter(({ bookings }) => bookings === undefined);
  const differences = found.filter((each) => !isExpected(each)).length;
  return {
    seen: printed.trim().split('\n').join(' '),
    passed: audits.length > 0 && differences === 0,
    counts: { differences },
  };
}

/** Every event of the family, in their order. */
async function readEvents({ family }: Customers) {
  const events: AccountEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.sequence ?? 0;
    const page = await family.get<AccountEvent[]>(`/events?limit=100&after_sequence=${after}`);
    if (page.length === 0) return events;
    events.push(...page);
  }
}

/** The sequence of the family's events has no gap, and whatever was made under load has its event. */
export async function findGaps(customers: Customers, made: readonly string[] = []): Promise<Seen> {
  const lacking = async () => {
    const events = await readEvents(customers);
    const known = new Set(events.map(({ data }) => data.object.id));
    const missing = made.filter((id) => !known.has(id));
    const isGapFree = events.every(({ sequence }, index) => sequence === index + 1);
    return { count: events.length, missing, isGapFree };
  };
  const { count, missing, isGapFree } = await lookUntil(lacking, (seen) => seen.missing.length === 0, EVENTS_WITHIN_MS);
  const text = `${count} events, ${isGapFree ? 'no gap' : 'a gap'}; of ${made.length} objects made ${missing.length} lack theirs`;
  const counts = { gaps: isGapFree ? 0 : 1, lostEvents: missing.length };
  return {
    seen: [text, ...missing.slice(0, SHOWN_FAILURES)].join('\n'),
    passed: isGapFree && missing.length === 0,
    counts,
  };
}
