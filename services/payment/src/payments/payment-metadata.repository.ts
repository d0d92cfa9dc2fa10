import { Injectable } from '@nestjs/common';
import type { MetadataPatch, Payment } from '@swim/contracts';
import { AggregateRepository, asSystem, Databases, metadataChange, OutboxRelay } from '@swim/mongo';
import { AppError, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { toPaymentFor } from './payment.mapper.js';
import { type PaymentDocument, paymentSchema } from './payment.schema.js';

// More than the payments of a hundred bookings.
const MOST = 60_000;

const ofErased = asSystem('an erasure reaches every payment of the account');

/** Storage of what clients keep at payments: metadata, and the references of recorded ones. */
@Injectable()
export class PaymentMetadataRepository extends AggregateRepository<PaymentDocument> {
  constructor(databases: Databases, relay: OutboxRelay) {
    super(databases.collection('payments', paymentSchema), relay);
  }

  /**
   * Changes the metadata of a payment that the account sees. `change_in_progress` while a step of the payment is in progress:
   * another write would make its run give way, as to one that has taken over.
   */
  async change(context: RequestContext, id: string, changes: MetadataPatch): Promise<Payment> {
    const { accountId } = context.principal;
    const answer = (payment: PaymentDocument) => toPaymentFor(accountId, payment);
    const changed = await this.mutate({ accountId }, id, context, (now) => {
      if (now.nextAt !== null) throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      const set = metadataChange(now.metadata, changes);
      return set.metadata ? { set, answer } : null;
    });
    if (!changed) throw new AppError('resource_not_found', { field: 'payment_id' });
    return (changed.earlierAnswer as Payment | undefined) ?? answer(changed.document);
  }

  /**
   * Removes the metadata of payments that the account made or sees, which it may have written, and the answers that contain it;
   * returns how many it found, at most `limit`. Idempotent.
   */
  async clear(context: RequestContext, limit: number): Promise<number> {
    const { accountId } = context.principal;
    const some = mongoose.trusted({ $exists: true });
    const kept = {
      $and: [
        { $or: [{ 'origin.accountId': accountId }, { readers: accountId }] },
        { $or: [{ 'metadata.0': some }, { note: mongoose.trusted({ $type: 'string' }) }, { 'ops.0': some }] },
      ],
    };
    const found = await this.findPicked(ofErased, kept, [], { limit });
    await Promise.all(found.map(({ _id }) => this.clearOne(context, _id)));
    return found.length;
  }

  /**
   * Removes the metadata of the payments of these bookings, and the answers that contain it; returns the payments, each with the
   * number of its events. Idempotent.
   */
  async clearOfBookings(
    context: RequestContext,
    bookingIds: readonly string[],
  ): Promise<{ id: string; eventCount: number }[]> {
    const ofBookings = { bookingId: { $in: [...bookingIds] } };
    const found = await this.findPicked(ofErased, ofBookings, [], { limit: MOST });
    await Promise.all(found.map(({ _id }) => this.clearOne(context, _id)));
    // Read afterwards: those that follow have no metadata.
    const cleared = await this.findPicked(ofErased, ofBookings, ['eventCount'], { limit: MOST });
    return cleared.map(({ _id: id, eventCount }) => ({ id, eventCount }));
  }

  private async clearOne(context: RequestContext, id: string): Promise<void> {
    await this.mutate(ofErased, id, { ...context, opId: null }, ({ metadata = [], note = null, ops }) => {
      const isEmpty = metadata.length === 0 && note === null;
      if (isEmpty && !ops?.length) return null;
      return { set: { metadata: [], note: null }, unseen: isEmpty, forgetsAnswers: true };
    });
  }
}
