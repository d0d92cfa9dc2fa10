import { Injectable } from '@nestjs/common';
import {
  type Credit,
  type Lesson,
  listBookableLessons,
  listCreditOptions,
  listCredits,
  type Page,
  type ParsedOf,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { type AccountClock, shownDate } from '@swim/mongo';
import { AppError, Clock, type RequestContext } from '@swim/platform';
import { toCredit } from './credit.mapper.js';
import {
  CREDIT_DAYS,
  type Reservation,
  type Revocation,
  released,
  reserved,
  revoked,
  settled,
  statusOf,
} from './credit.rules.js';
import type { CreditDocument } from './credit.schema.js';
import { CreditsRepository } from './credits.repository.js';

export type { CreditDocument };

const DAY_MS = 24 * 3_600_000;
const FIELD = { field: 'makeup_credit_id' };

/** A credit that a booking gives. */
export interface GivenCredit {
  id: string;
  accountId: string;
  schoolId: string;
  /** The readers are those of the booking: an account that was reset reads neither. */
  readers: string[];
  memberId: string;
  sessionId: string;
  amountCents: number;
  currency: string;
  /** When the booking gave it, by its clock, ISO 8601 UTC: it expires 180 days later. */
  at: string;
  /** How far that clock is ahead of real time. */
  clockOffsetMs?: number | undefined;
}

/** What a booking is for, as far as it decides which credits can pay it. */
export interface Purpose {
  accountId: string;
  schoolId: string;
  currency: string;
}

/** Makeup credits: given by bookings, listed, and used by other bookings. */
@Injectable()
export class CreditsService {
  constructor(
    private readonly credits: CreditsRepository,
    private readonly clock: Clock,
    private readonly rpc: RpcClient,
  ) {}

  @Serve(listCredits)
  async list(query: ParsedOf<typeof listCredits>, context: RequestContext): Promise<Page<Credit>> {
    if (query.account_id !== context.principal.accountId) throw new AppError('foreign_account');
    const now = this.clock.now();
    const { items, pagination } = await this.credits.listVisible(context, query, now);
    return { items: items.map((credit) => toCredit(credit, now)), pagination };
  }

  @Serve(listCreditOptions)
  async listOptions(
    { credit_id: id, member_id, date_from, date_to, ...page }: ParsedOf<typeof listCreditOptions>,
    context: RequestContext,
  ): Promise<Page<Lesson>> {
    const credit = await this.credits.findVisible(context, id);
    if (!credit) throw new AppError('resource_not_found');
    const expiresAt = shownDate(credit, credit.expiresAt).toISOString();
    const to = date_to === undefined || date_to > expiresAt ? expiresAt : date_to;
    const isOver = statusOf(credit, this.clock.now()) !== 'available' || (date_from ?? '') > to;
    const { accountId: account_id, schoolId: school_id, currency } = credit;
    return this.rpc.call(
      listBookableLessons,
      {
        ...{ school_id, account_id, currency, member_id: member_id ?? credit.memberId },
        ...{ date_from: isOver ? to : date_from, date_to: to, ...page },
      },
      context,
    );
  }

  /** Stores a credit that a booking gives. Idempotent. */
  give({ id, amountCents, at, clockOffsetMs = 0, ...given }: GivenCredit, context: RequestContext): Promise<void> {
    return this.credits.insert(context, {
      ...given,
      _id: id,
      issuedCents: amountCents,
      leftCents: amountCents,
      expiresAt: new Date(Date.parse(at) + CREDIT_DAYS * DAY_MS - clockOffsetMs),
      spends: [],
      dueAt: null,
      ...(clockOffsetMs > 0 ? { clockOffsetMs } : {}),
    });
  }

  /**
   * What is left of a credit for a booking. Throws `not_found` for one that the account does not see or that belongs to another
   * account than the members, `credit_of_other_school`, `currency_mismatch`, and as `requireSome` when nothing is left.
   */
  async spendableCents(id: string, purpose: Purpose, context: RequestContext): Promise<number> {
    const credit = await this.credits.findVisible(context, id);
    if (credit?.accountId !== purpose.accountId) throw new AppError('not_found', FIELD);
    if (credit.schoolId !== purpose.schoolId) throw new AppError('credit_of_other_school', FIELD);
    if (credit.currency !== purpose.currency)
      throw new AppError('currency_mismatch', {
        ...FIELD,
        message: `makeup_credit_id must name a credit in ${purpose.currency}, the currency of the instructor; you sent one in ${credit.currency}.`,
        bounds: { expected: `the id of a makeup credit in ${purpose.currency}` },
      });
    this.requireSome(credit);
    return credit.leftCents;
  }

  /**
   * Reserves what a booking that is being made uses of a credit, and returns the amount: at most what is left. Idempotent for a
   * run; 0 when nothing is left, and when the credit does not exist. Throws `change_in_progress` when a later run has reserved it.
   */
  async reserve(id: string, reservation: Reservation, context: RequestContext): Promise<number> {
    let amountCents = 0;
    await this.credits.change(context, id, (now) => {
      const result = reserved(now, reservation, this.clock.now());
      if (result === 'superseded') throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      amountCents = result.amountCents;
      return result.change;
    });
    return amountCents;
  }

  /** Throws when nothing is left of a credit: `invalid_state`, or `change_in_progress` while bookings in progress reserve it. */
  async requireLeft(id: string, context: RequestContext): Promise<never> {
    const credit = await this.credits.findVisible(context, id);
    if (credit) this.requireSome(credit);
    // It was released between the reservation and this read.
    throw new AppError('change_in_progress', { ...FIELD, retryAfterSeconds: 1 });
  }

  /** Records what a booking that was made uses of a credit. Idempotent, in any order. */
  async settle(id: string, bookingId: string, usedCents: number, context: RequestContext): Promise<void> {
    await this.credits.change(context, id, (now) => settled(now, bookingId, usedCents));
  }

  /** Takes back what is not spent of a credit, up to this amount in all, or returns some of it. Idempotent, in any order. */
  async revoke(id: string, revocation: Revocation, context: RequestContext): Promise<void> {
    await this.credits.change(context, id, (now) => revoked(now, revocation));
  }

  /** Ends what runs of a booking that was not made, up to this attempt, have reserved. Idempotent. */
  async release(id: string, bookingId: string, attempt: number, context: RequestContext): Promise<void> {
    await this.credits.change(context, id, (now) => released(now, bookingId, attempt));
  }

  /** Applies the clock of a test account to its credits. */
  applyClock(clock: AccountClock): Promise<void> {
    return this.credits.applyClock(clock);
  }

  /** Credits with reservations that should have ended. */
  get reserved(): CreditsRepository['reserved'] {
    return this.credits.reserved;
  }

  private requireSome(credit: CreditDocument): void {
    const status = statusOf(credit, this.clock.now());
    if (status === 'available') return;
    if (credit.spends.some(({ state }) => state === 'reserved'))
      throw new AppError('change_in_progress', { ...FIELD, retryAfterSeconds: 1 });
    const message =
      status === 'spent'
        ? 'Nothing is left of this makeup credit. Use another one, or book without.'
        : `This makeup credit expired at ${shownDate(credit, credit.expiresAt).toISOString()}. Use another one, or book without.`;
    throw new AppError('invalid_state', { ...FIELD, message, details: { status } });
  }
}
