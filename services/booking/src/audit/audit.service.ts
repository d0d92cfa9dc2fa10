import type { Environment } from '@swim/contracts';
import { currentEnvironment } from '@swim/platform';
import { differencesOf } from './audit.rules.js';
import type { AuditedDatabases } from './audited-databases.repository.js';
import type { AuditedBooking, AuditedPayment, Difference } from './audited-money.rules.js';

/** Bookings that are compared at a time. */
const AT_ONCE = 100;

/** The result of an audit of one environment. */
export interface AuditResult {
  env: Environment;
  /** Compared bookings. */
  bookings: number;
  /** Charged payments whose booking was looked for. */
  payments: number;
  /** Bookings and payments that were left out, since something of them had changed a moment before. */
  leftOut: number;
  differences: number;
}

/** Gets each difference as it is found. */
type Report = (difference: Difference) => void;

interface Tally extends AuditResult {
  report: Report;
  /** What changed later is left out. Read before the documents, so that nothing changes unnoticed between two reads. */
  settledUntil: Date;
}

/** Compares the ledgers of bookings with what payment and the makeup credits store, page by page. It changes nothing. */
export class Audit {
  constructor(
    private readonly databases: AuditedDatabases,
    private readonly settledSeconds: number,
  ) {}

  /** Audits the environment of the running work; each difference is reported as it is found. */
  async run(report: Report): Promise<AuditResult> {
    const tally = newTally(report);
    await this.compareBookings(tally);
    await this.lookForBookings(tally);
    return resultOf(tally);
  }

  /** Audits these bookings alone. */
  async runOn(bookingIds: string[], report: Report): Promise<AuditResult> {
    const tally = newTally(report);
    tally.settledUntil = await this.settledUntil();
    for (let from = 0; from < bookingIds.length; from += AT_ONCE)
      await this.comparePage(await this.databases.bookings(bookingIds.slice(from, from + AT_ONCE)), tally);
    return resultOf(tally);
  }

  private async compareBookings(tally: Tally): Promise<void> {
    for (let after = ''; ; ) {
      tally.settledUntil = await this.settledUntil();
      const page = await this.databases.bookingsAfter(after);
      if (page.length === 0) return;
      await this.comparePage(page, tally);
      after = page.at(-1)!._id;
    }
  }

  private async comparePage(page: AuditedBooking[], tally: Tally): Promise<void> {
    const [payments, credits] = await Promise.all([
      this.databases.paymentsOf(idsOf(page)),
      this.databases.credits([...new Set(page.flatMap(creditIdsOf))]),
    ]);
    const refunds = await this.databases.refundsOf(idsOf(payments));
    const isYoung = ({ updatedAt }: { updatedAt: Date }) => updatedAt > tally.settledUntil;
    const young = new Set(idsOf(credits.filter(isYoung)));
    const byId = new Map(credits.filter((credit) => !isYoung(credit)).map((credit) => [credit._id, credit]));
    const paymentsOf = Map.groupBy(payments, ({ bookingId }) => bookingId);
    const refundsOf = Map.groupBy(refunds, ({ paymentId }) => paymentId);
    for (const booking of page) {
      const own = paymentsOf.get(booking._id) ?? [];
      const ownRefunds = own.flatMap(({ _id }) => refundsOf.get(_id) ?? []);
      if ([booking, ...own, ...ownRefunds].some(isYoung)) {
        tally.leftOut++;
        continue;
      }
      const ownCredits = creditIdsOf(booking).flatMap((id) => byId.get(id) ?? []);
      tally.bookings++;
      count(tally, differencesOf({ booking, payments: own, refunds: ownRefunds, credits: ownCredits, young }));
    }
  }

  /** Payments of bookings that do not exist are in no page of bookings. */
  private async lookForBookings(tally: Tally): Promise<void> {
    for (let after = ''; ; ) {
      const settledUntil = await this.settledUntil();
      const page = await this.databases.chargedAfter(after);
      if (page.length === 0) return;
      const settled = page.filter(({ updatedAt }) => updatedAt <= settledUntil);
      const known = await this.databases.existing([...new Set(settled.map(({ bookingId }) => bookingId))]);
      tally.payments += settled.length;
      tally.leftOut += page.length - settled.length;
      count(tally, settled.filter(({ bookingId }) => !known.has(bookingId)).map(withoutBooking));
      after = page.at(-1)!._id;
    }
  }

  private async settledUntil(): Promise<Date> {
    return new Date((await this.databases.now()).getTime() - this.settledSeconds * 1_000);
  }
}

const newTally = (report: Report): Tally => ({
  env: currentEnvironment(),
  report,
  settledUntil: new Date(0),
  bookings: 0,
  payments: 0,
  leftOut: 0,
  differences: 0,
});

const resultOf = ({ report: _, settledUntil: __, ...result }: Tally): AuditResult => result;

const idsOf = (documents: { _id: string }[]): string[] => documents.map(({ _id }) => _id);

const creditIdsOf = ({ creditId, issues = [] }: AuditedBooking): string[] => [
  ...(creditId ? [creditId] : []),
  ...issues.map(({ id }) => id),
];

function count(tally: Tally, differences: Difference[]): void {
  tally.differences += differences.length;
  for (const difference of differences) tally.report(difference);
}

const withoutBooking = ({ _id: paymentId, bookingId, amountCents: otherCents }: AuditedPayment): Difference => ({
  kind: 'payment_without_booking',
  bookingId,
  paymentId,
  ledgerCents: 0,
  otherCents,
});
