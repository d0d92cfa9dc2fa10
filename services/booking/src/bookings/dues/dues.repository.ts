import { Injectable } from '@nestjs/common';
import type { findOwnChange, ParsedOf } from '@swim/contracts';
import { Databases, Repository, readableAmongFew } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import type { Ledger } from '../../money/balance.rules.js';
import type { Consent } from '../../money/consent.rules.js';
import type { DuePart } from '../../money/due-parts.rules.js';
import { type BookingDocument, bookingSchema } from '../storage/booking.schema.js';
import { IS_DUE } from '../storage/booking-filters.js';

// More than the accounts of a page have, and the maximum of one query.
const MOST_DUE = 60_000;
const MOST_CONSENTED = 100;
const LEDGER = [
  'amountCents',
  'currency',
  'payments',
  'failedCount',
  'refunds',
  'movements',
  'consent',
  'paymentMethodId',
] as const;

/** What is due for a booking. */
export type DueBooking = Pick<BookingDocument, 'accountId' | 'currency'> & { dueParts: DuePart[] };

/** The money of a booking that its account lets the school charge. */
export type ConsentedBooking = Ledger & Pick<BookingDocument, '_id' | 'paymentMethodId'> & { consent: Consent };

/** What is due for all bookings. It is changed with each booking, by `BookingsRepository`. */
@Injectable()
export class DuesRepository extends Repository<BookingDocument> {
  constructor(databases: Databases) {
    super(databases.collection('bookings', bookingSchema));
  }

  /** The accounts with a booking at the requesting school for which something is due. */
  async findOwing({ principal }: RequestContext): Promise<string[]> {
    const { accountId } = principal;
    const isDue: object = { 'dueParts.at': mongoose.trusted({ $type: 'string' }) };
    return this.model(principal).distinct('accountId', {
      schoolId: accountId,
      ...readableAmongFew([accountId]),
      ...isDue,
    });
  }

  /** The bookings of an account at the requesting school for which something is due and that may be charged by consent. */
  findConsented({ principal }: RequestContext, accountId: string): Promise<ConsentedBooking[]> {
    const consented = { 'consent.at': mongoose.trusted({ $type: 'date' }) };
    const of = { schoolId: principal.accountId, accountId, ...IS_DUE, ...consented };
    const few = { limit: MOST_CONSENTED, findsFew: true };
    return this.findPicked(principal, of, LEDGER, few) as Promise<ConsentedBooking[]>;
  }

  /** When an account has last changed one of its bookings with a school; null where it never has. */
  async findOwnChange({ accountId, schoolId }: ParsedOf<typeof findOwnChange>): Promise<Date | null> {
    const changed = { accountId, schoolId, ownChangeAt: mongoose.trusted({ $type: 'date' }) };
    const latest = { sort: { ownChangeAt: -1 }, limit: 1 } as const;
    const [last] = await this.findPicked({ accountId }, changed, ['ownChangeAt'], latest);
    return last?.ownChangeAt ?? null;
  }

  /** What is due for the bookings of these accounts at the requesting school. */
  async findDue({ principal }: RequestContext, accountIds: readonly string[]): Promise<DueBooking[]> {
    const of = { schoolId: principal.accountId, accountId: mongoose.trusted({ $in: [...accountIds] }), ...IS_DUE };
    const found = await this.findPicked(principal, of, ['accountId', 'currency', 'dueParts'], {
      limit: MOST_DUE,
      findsFew: true,
    });
    return found.map(({ accountId, currency, dueParts = [] }) => ({ accountId, currency, dueParts }));
  }
}
