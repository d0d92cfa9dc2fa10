import { BOOKING_STATUSES } from '@swim/contracts';
import { CLIENT_OPTIONS, exitWhenSilent, readDatabaseTime, releaseWriters } from '@swim/mongo';
import { currentEnvironment, type Logger } from '@swim/platform';
import mongoose from 'mongoose';
import type { AuditedBooking, AuditedCredit, AuditedPayment, AuditedRefund } from './audited-money.rules.js';
import type { AuditConfig } from './config.js';

const PAGE = 100;
const WITHIN_MS = 20_000;
const CHARGED = ['succeeded', 'partially_refunded', 'refunded'];

type Collection<D> = mongoose.mongo.Collection<D & { _id: string }>;

/** What a booking needs of its document; texts of people are not read. */
const OF_BOOKING = {
  status: 1,
  currency: 1,
  amountCents: 1,
  sessions: 1,
  payments: 1,
  refunds: 1,
  movements: 1,
  creditId: 1,
  issues: 1,
  updatedAt: 1,
};
const OF_PAYMENT = {
  bookingId: 1,
  status: 1,
  amountCents: 1,
  refundedCents: 1,
  refundIds: 1,
  disputes: 1,
  method: 1,
  currency: 1,
  updatedAt: 1,
};
const OF_REFUND = { paymentId: 1, amountCents: 1, status: 1, step: 1, rejection: 1, updatedAt: 1 };
const OF_CREDIT = { issuedCents: 1, leftCents: 1, revokedCents: 1, spends: 1, updatedAt: 1 };

/**
 * The databases of booking and payment, for reading: an audit compares what both have stored, so that it reads the documents
 * themselves, as a user of the database that may write nothing. It belongs to no account and serves none.
 */
export class AuditedDatabases {
  private readonly booking: mongoose.mongo.MongoClient;
  private readonly payment: mongoose.mongo.MongoClient;
  private readonly watches = [releaseWriters()];

  constructor(private readonly config: AuditConfig) {
    const patience = { serverSelectionTimeoutMS: WITHIN_MS, waitQueueTimeoutMS: WITHIN_MS };
    const options = { ...CLIENT_OPTIONS, ...patience, appName: 'audit', maxPoolSize: 2 };
    this.booking = new mongoose.mongo.MongoClient(config.MONGODB_URI, options);
    const { PAYMENT_MONGODB_URI: other } = config;
    this.payment = other ? new mongoose.mongo.MongoClient(other, options) : this.booking;
  }

  /** Connects to both; throws why that fails. */
  async open(): Promise<void> {
    await this.booking.connect();
    await this.payment.connect();
  }

  /** Ends the process when it has lost one of them for good. */
  watch(logger: Logger): void {
    for (const client of new Set([this.booking, this.payment])) this.watches.push(exitWhenSilent(client, logger));
  }

  /** The time of the databases; the earlier one where they differ. */
  async now(): Promise<Date> {
    const times = [this.booking.db(this.nameOf('booking')), this.payment.db(this.nameOf('payment'))];
    const [one, other] = await Promise.all(times.map((database) => readDatabaseTime(database)));
    return one! < other! ? one! : other!;
  }

  /** The next bookings that clients see, in the order of their ids; none after the last. */
  bookingsAfter(id: string): Promise<AuditedBooking[]> {
    const visible = { _id: { $gt: id }, status: { $in: [...BOOKING_STATUSES] } };
    return this.ofBooking<AuditedBooking>('bookings')
      .find(visible, { projection: OF_BOOKING })
      .sort({ _id: 1 })
      .limit(PAGE)
      .toArray() as Promise<AuditedBooking[]>;
  }

  /** The bookings among these that clients see. */
  bookings(ids: string[]): Promise<AuditedBooking[]> {
    const visible = { _id: { $in: ids }, status: { $in: [...BOOKING_STATUSES] } };
    const found = this.ofBooking<AuditedBooking>('bookings').find(visible, { projection: OF_BOOKING });
    return found.toArray() as Promise<AuditedBooking[]>;
  }

  /** Which of these bookings exist. */
  async existing(ids: string[]): Promise<Set<string>> {
    const found = this.ofBooking<AuditedBooking>('bookings').find({ _id: { $in: ids } }, { projection: { _id: 1 } });
    return new Set((await found.toArray()).map(({ _id }) => _id));
  }

  credits(ids: string[]): Promise<AuditedCredit[]> {
    if (ids.length === 0) return Promise.resolve([]);
    const found = this.ofBooking<AuditedCredit>('credits').find({ _id: { $in: ids } }, { projection: OF_CREDIT });
    return found.toArray() as Promise<AuditedCredit[]>;
  }

  /** The next payments that were charged, in the order of their ids; none after the last. */
  chargedAfter(id: string): Promise<AuditedPayment[]> {
    const charged = { _id: { $gt: id }, status: { $in: CHARGED } };
    return this.ofPayment<AuditedPayment>('payments')
      .find(charged, { projection: OF_PAYMENT })
      .sort({ _id: 1 })
      .limit(PAGE)
      .toArray() as Promise<AuditedPayment[]>;
  }

  paymentsOf(bookingIds: string[]): Promise<AuditedPayment[]> {
    const found = this.ofPayment<AuditedPayment>('payments').find(
      { bookingId: { $in: bookingIds } },
      { projection: OF_PAYMENT },
    );
    return found.toArray() as Promise<AuditedPayment[]>;
  }

  refundsOf(paymentIds: string[]): Promise<AuditedRefund[]> {
    if (paymentIds.length === 0) return Promise.resolve([]);
    const found = this.ofPayment<AuditedRefund>('refunds').find(
      { paymentId: { $in: paymentIds } },
      { projection: OF_REFUND },
    );
    return found.toArray() as Promise<AuditedRefund[]>;
  }

  async close(): Promise<void> {
    await Promise.all([this.booking.close(), this.payment.close()]);
    for (const end of this.watches) end();
  }

  private ofBooking<D>(name: string): Collection<D> {
    return this.booking.db(this.nameOf('booking')).collection(name);
  }

  private ofPayment<D>(name: string): Collection<D> {
    return this.payment.db(this.nameOf('payment')).collection(name);
  }

  private nameOf(service: 'booking' | 'payment'): string {
    return `${this.config.DATABASE_PREFIX}_${service}_${currentEnvironment()}`;
  }
}
