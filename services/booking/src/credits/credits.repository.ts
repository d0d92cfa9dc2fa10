import { Injectable } from '@nestjs/common';
import { type Credit, listCredits, type Page, type ParsedOf } from '@swim/contracts';
import { type AccountClock, AggregateRepository, asSystem, Databases, type Filter, OutboxRelay } from '@swim/mongo';
import { CursorCodec, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import type { CreditChange } from './credit.rules.js';
import { type CreditDocument, creditSchema, type NewCredit } from './credit.schema.js';

// Longer than the lease of the booking that reserves, so that it is over by then.
const COMPARED_AFTER_MS = 20_000;

type ListedCredits = ParsedOf<typeof listCredits>;

const REASON = 'bookings give and use credits';
const ofBookings = asSystem(REASON);

/** Storage of makeup credits. */
@Injectable()
export class CreditsRepository extends AggregateRepository<CreditDocument> {
  /** Credits with reservations that should have ended. */
  readonly reserved = this.work({
    name: 'credit reservations',
    due: 'dueAt',
    reason: REASON,
    leaseMs: COMPARED_AFTER_MS,
    atOnce: 50,
  });

  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('credits', creditSchema), relay);
  }

  /** Stores a credit, once. */
  async insert(context: RequestContext, credit: NewCredit): Promise<void> {
    await this.create(context, credit);
  }

  /** The credit as the account sees it, or null. */
  findVisible(context: RequestContext, id: string): Promise<CreditDocument | null> {
    return this.lookUp(context.principal, id);
  }

  listVisible(context: RequestContext, query: ListedCredits, now: Date): Promise<Page<CreditDocument>> {
    const { account_id: _, ...page } = query;
    const list = { name: listCredits.name, filter: ofStatus(query.status, now), cursors: this.cursors };
    return this.listPage(context.principal, page, list);
  }

  /**
   * Changes what bookings use of a credit, in one conditional update; `decide` may throw, or return null when there is nothing to
   * do. Null when there is no such credit.
   */
  async change(
    context: RequestContext,
    id: string,
    decide: (now: CreditDocument) => CreditChange | null,
  ): Promise<CreditDocument | null> {
    const quiet = { ...context, opId: null };
    const changed = await this.mutate(ofBookings, id, quiet, (now) => {
      const change = decide(now);
      if (!change) return null;
      const isReserved = change.spends.some(({ state }) => state === 'reserved');
      return { set: { ...change, dueAt: isReserved ? this.databases.clock.inMs(COMPARED_AFTER_MS) : null } };
    });
    return changed?.document ?? null;
  }

  /** Applies the clock of a test account to its credits. */
  applyClock(clock: AccountClock): Promise<void> {
    return this.applyClockTo({ filter: {}, dates: ['expiresAt'] }, clock);
  }
}

// A credit expires by itself: its status follows from the time.
function ofStatus(statuses: Credit['status'][] | undefined, now: Date): Filter {
  const some = mongoose.trusted({ $gt: 0 });
  const filters: Record<Credit['status'], object> = {
    available: { leftCents: some, expiresAt: mongoose.trusted({ $gt: now }) },
    expired: { leftCents: some, expiresAt: mongoose.trusted({ $lte: now }) },
    spent: { leftCents: 0 },
  };
  return statuses ? { $or: statuses.map((status) => filters[status]) } : {};
}
