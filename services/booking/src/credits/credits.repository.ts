import { Injectable } from '@nestjs/common';
import type { Credit, Environment, listCredits, Page, ParsedOf } from '@swim/contracts';
import { AggregateRepository, asSystem, Databases, dueBy, type Filter, OutboxRelay } from '@swim/mongo';
import { CursorCodec, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import type { CreditChange } from './credit.rules.js';
import { type CreditDocument, creditSchema, type NewCredit } from './credit.schema.js';

// Longer than the lease of the booking that reserves, so that it is over by then.
const COMPARED_AFTER_MS = 20_000;

const ofBookings = (env: Environment) => asSystem(env, 'bookings give and use credits');

/** Storage of makeup credits. */
@Injectable()
export class CreditsRepository extends AggregateRepository<CreditDocument> {
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

  listVisible(
    context: RequestContext,
    { limit, offset, cursor, account_id: _, ...filters }: ParsedOf<typeof listCredits>,
    list: string,
    now: Date,
  ): Promise<Page<CreditDocument>> {
    const { accountId, env } = context.principal;
    return this.page(context.principal, toFilter(filters, now), {
      order: 'newest',
      request: { limit, offset, cursor },
      cursors: this.cursors,
      bound: { list, accountId, env, filters: { ...filters, status: filters.status?.join() } },
    });
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
    const changed = await this.mutate(ofBookings(context.principal.env), id, quiet, (now) => {
      const change = decide(now);
      if (!change) return null;
      const isReserved = change.spends.some(({ state }) => state === 'reserved');
      return { set: { ...change, dueAt: isReserved ? this.databases.clock.inMs(COMPARED_AFTER_MS) : null } };
    });
    return changed?.document ?? null;
  }

  /** Credits with overdue reservations, the most overdue first. */
  findDue(env: Environment, limit: number): Promise<CreditDocument[]> {
    return this.findMany(ofBookings(env), { dueAt: dueBy(this.databases.clock.now()) }, { dueAt: 1 }, limit);
  }

  /** Postpones the comparison of a credit, so that one process at a time makes it; whether it did. */
  takeDue(env: Environment, { _id, dueAt }: CreditDocument): Promise<boolean> {
    const later = { dueAt: { $add: ['$$NOW', COMPARED_AFTER_MS] } };
    return this.updateOncePast(ofBookings(env), { _id, dueAt }, 'dueAt', later);
  }
}

interface CreditFilters {
  status?: Credit['status'][] | undefined;
  updated_from?: string | undefined;
  updated_to?: string | undefined;
}

function toFilter({ status, updated_from, updated_to }: CreditFilters, now: Date): Filter {
  const some = { $gt: 0 };
  const byStatus: Record<Credit['status'], object> = {
    available: { leftCents: mongoose.trusted(some), expiresAt: mongoose.trusted({ $gt: now }) },
    expired: { leftCents: mongoose.trusted(some), expiresAt: mongoose.trusted({ $lte: now }) },
    spent: { leftCents: 0 },
  };
  const updatedAt = {
    ...(updated_from === undefined ? {} : { $gte: new Date(updated_from) }),
    ...(updated_to === undefined ? {} : { $lt: new Date(updated_to) }),
  };
  return {
    ...(status ? { $or: status.map((each) => byStatus[each]) } : {}),
    ...(Object.keys(updatedAt).length === 0 ? {} : { updatedAt }),
  };
}
