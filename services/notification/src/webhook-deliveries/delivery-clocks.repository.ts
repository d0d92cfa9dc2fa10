import { Injectable } from '@nestjs/common';
import { type AccountClock, asSystem, Databases, dueBy, Repository } from '@swim/mongo';
import mongoose from 'mongoose';
import { type WebhookDeliveryDocument, webhookDeliverySchema } from './webhook-delivery.schema.js';

const SANDBOX = asSystem('test', 'an advanced clock moves the retries of its account');

/** Storage of the deliveries of test accounts whose clocks are advanced. */
@Injectable()
export class DeliveryClocksRepository extends Repository<WebhookDeliveryDocument> {
  constructor(databases: Databases) {
    super(databases.collection('webhook_deliveries', webhookDeliverySchema));
  }

  /**
   * Applies the clock of a test account, advanced from an offset, to its deliveries that wait for a retry: to each up to the offset at
   * which the retry is due, so that the pause before the one after it begins there, or up to the clock's if that comes earlier.
   */
  async advance({ accountId, offsetMs, madeBefore }: AccountClock, fromMs: number, now: Date): Promise<void> {
    const made = madeBefore === undefined ? {} : { createdAt: { $lt: new Date(madeBefore) } };
    const waiting = { accountId, dueAt: { $type: 'date' }, claim: { $exists: false }, ...made };
    const earlier = [{ clockOffsetMs: { $exists: false } }, { clockOffsetMs: { $lt: offsetMs } }];
    // Deliveries are made without an offset.
    const before = { $max: [{ $ifNull: ['$clockOffsetMs', fromMs] }, fromMs] };
    const dueInMs = { $max: [{ $subtract: ['$dueAt', now] }, 0] };
    const reached = { $min: [{ $add: [before, dueInMs] }, offsetMs] };
    const dueAt = { $subtract: ['$dueAt', { $subtract: [reached, before] }] };
    await this.model(SANDBOX).collection.updateMany({ $and: [waiting, { $or: earlier }] } as object, [
      { $set: { dueAt, clockOffsetMs: reached } },
    ]);
  }

  /** The ids of deliveries of a test account whose try is due. */
  async findIdsDue(accountId: string, now: Date, limit: number): Promise<string[]> {
    const due = { accountId, dueAt: dueBy(now), claim: { $exists: false } };
    return (await this.findPicked(SANDBOX, due, [], { limit })).map(({ _id }) => _id);
  }

  /** How many of these deliveries are due, or claimed for a try, at `now`. */
  countTrying(ids: readonly string[], now: Date): Promise<number> {
    const trying = [{ claim: mongoose.trusted({ $exists: true }) }, { dueAt: mongoose.trusted(dueBy(now)) }];
    return this.count(SANDBOX, { _id: { $in: [...ids] }, $or: trying });
  }
}
