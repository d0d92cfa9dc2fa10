import { Injectable } from '@nestjs/common';
import { type AccountClock, asSystem, Databases, dueBy, Repository } from '@swim/mongo';
import mongoose from 'mongoose';
import { type WebhookDeliveryDocument, webhookDeliverySchema } from '../webhook-deliveries/webhook-delivery.schema.js';

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
    // What is due already keeps its place.
    const due = { $type: 'date', $gt: now };
    const waiting = { accountId, dueAt: due, claim: { $exists: false }, ...madeUntil(madeBefore) };
    const earlier = [{ clockOffsetMs: { $exists: false } }, { clockOffsetMs: { $lt: offsetMs } }];
    // Deliveries are made without an offset.
    const before = { $max: [{ $ifNull: ['$clockOffsetMs', fromMs] }, fromMs] };
    const dueInMs = { $max: [{ $subtract: ['$dueAt', now] }, 0] };
    const reached = { $min: [{ $add: [before, dueInMs] }, offsetMs] };
    const dueAt = { $subtract: ['$dueAt', { $subtract: [reached, before] }] };
    await this.model(SANDBOX).collection.updateMany({ $and: [waiting, { $or: earlier }] } as object, [
      { $set: { dueAt, clockOffsetMs: reached } },
    ]);
    this.noteWrite(SANDBOX);
  }

  /** The ids of an account's deliveries that the clock applies to and whose retry is due, being made, or waits for its endpoint. */
  async findIdsOpen({ accountId, madeBefore }: AccountClock, now: Date, limit: number): Promise<string[]> {
    const open = { accountId, status: 'pending', tries: { $gt: 0 }, ...madeUntil(madeBefore), $or: openAt(now) };
    return (await this.findPicked(SANDBOX, open, [], { limit })).map(({ _id }) => _id);
  }

  /** How many of these deliveries are due, being tried, or wait for their endpoint. */
  countOpen(ids: readonly string[], now: Date): Promise<number> {
    return this.count(SANDBOX, { _id: { $in: [...ids] }, $or: openAt(now) });
  }
}

const madeUntil = (madeBefore: string | undefined): object =>
  madeBefore === undefined ? {} : { createdAt: { $lt: new Date(madeBefore) } };

const openAt = (now: Date): object[] => [
  { claim: mongoose.trusted({ $exists: true }) },
  { parked: true },
  { dueAt: mongoose.trusted(dueBy(now)) },
];
