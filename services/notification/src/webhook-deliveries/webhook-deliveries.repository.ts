import { Injectable } from '@nestjs/common';
import type { Environment, listWebhookDeliveries, Page, ParsedOf } from '@swim/contracts';
import {
  asSystem,
  Databases,
  dueBy,
  executeAll,
  type Filter,
  isDuplicate,
  type ListQuery,
  onceFor,
  oneOf,
  Repository,
} from '@swim/mongo';
import { CursorCodec, lowestIdAt, type RequestContext, sharedClock } from '@swim/platform';
import mongoose from 'mongoose';
import type { DeliveryJob } from './sending/delivery-queue.js';
import { type StoredAttempt, type WebhookDeliveryDocument, webhookDeliverySchema } from './webhook-delivery.schema.js';

const REASON = 'webhooks of all accounts are delivered together';
const delivering = asSystem(REASON);
const MOST_ATTEMPTS = 20;
const NEITHER_TRIED_NOR_PARKED = {
  claim: { $exists: false },
  parked: { $exists: false },
};
/** Bytes of a delivery beside its attempts. */
const FIXED_BYTES = 512;

/** A claim on deliveries. */
export interface Claim {
  /** Names the claim. */
  token: string;
  /** When the lease ends. */
  until: Date;
}

/** The fields of a delivery after a try. */
export interface StoredResult {
  job: DeliveryJob;
  /** Absent when there was no try. */
  attempt?: StoredAttempt;
  status: WebhookDeliveryDocument['status'];
  tries: number;
  /** When the next try is due. */
  dueAt?: Date;
}

/** A delivery that is to be stored by a replay. */
export type ReplayedDelivery = Omit<WebhookDeliveryDocument, 'dueAt' | 'parked' | 'claim' | 'replay' | 'body' | 'ops'>;

/** What is read of a parked delivery to find out whose it is, and since when it waits. */
export type ParkedDelivery = Pick<WebhookDeliveryDocument, 'endpointId' | 'tries' | 'createdAt' | 'updatedAt'>;

/** The account that reads its deliveries. */
interface Reader {
  env: Environment;
  accountId: string;
}

/** Storage of webhook deliveries. */
@Injectable()
export class WebhookDeliveriesRepository extends Repository<WebhookDeliveryDocument> {
  constructor(
    databases: Databases,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('webhook_deliveries', webhookDeliverySchema));
  }

  /** Stores new deliveries; existing ones stay. Returns the ids of those that are new. */
  async insertNew(documents: WebhookDeliveryDocument[]): Promise<Set<string>> {
    const model = this.model(delivering);
    const { errors } = await executeAll(model, 'insert', documents).finally(() => this.noteWrite(delivering));
    const fault = [...errors.values()].find((error) => !isDuplicate(error));
    if (fault) throw fault;
    return new Set(documents.flatMap(({ _id }, index) => (errors.has(index) ? [] : [_id])));
  }

  /** Deliveries whose try or lease is due, the longest first. */
  findDue(now: Date, limit: number): Promise<WebhookDeliveryDocument[]> {
    return this.findDueBy(delivering, 'dueAt', now, limit);
  }

  /** How many deliveries wait, and since when the oldest has been due. */
  async measureBacklog(now: Date): Promise<{ count: number; oldest: Date | null }> {
    const [due, parked, [first]] = await Promise.all([
      this.count(delivering, { dueAt: dueBy(now) }),
      this.count(delivering, { parked: true }),
      this.findDue(now, 1),
    ]);
    return { count: due + parked, oldest: first?.dueAt ?? null };
  }

  /** The first parked delivery of the next endpoint, in the order of ids, that has any; null after the last. */
  async findNextParked(afterEndpointId: string): Promise<ParkedDelivery | null> {
    const filter = { parked: true, endpointId: { $gt: afterEndpointId } };
    const fields = ['endpointId', 'tries', 'createdAt', 'updatedAt'] as const;
    const [next] = await this.findPicked(delivering, filter, fields, {
      sort: { endpointId: 1, _id: 1 },
      limit: 1,
    });
    return next ?? null;
  }

  /** Parked deliveries of an endpoint, in the order of their events' times. */
  findParked(endpointId: string, limit: number): Promise<WebhookDeliveryDocument[]> {
    return this.findMany(delivering, { parked: true, endpointId }, { endpointId: 1, _id: 1 }, limit);
  }

  /** Claims deliveries that are as they were read; returns those that were. */
  async claim(found: readonly WebhookDeliveryDocument[], { token, until }: Claim): Promise<WebhookDeliveryDocument[]> {
    const update = { $set: { dueAt: until, claim: token }, $unset: { parked: 1 } };
    const count = await this.updateEach(
      delivering,
      found.map((each) => ({ filter: asRead(each), update })),
    );
    if (count === found.length) return [...found];
    const ids = found.map(({ _id }) => _id);
    const own = await this.findPicked(delivering, { _id: { $in: ids }, claim: token }, []);
    const claimed = new Set(own.map(({ _id }) => _id));
    return found.filter(({ _id }) => claimed.has(_id));
  }

  /** Parks deliveries that are as they were read. */
  async park(found: readonly WebhookDeliveryDocument[]): Promise<void> {
    const update = { $set: { parked: true }, $unset: { dueAt: 1, claim: 1 } };
    await this.updateEach(
      delivering,
      found.map((each) => ({ filter: asRead(each), update })),
    );
  }

  /** Releases claims: their deliveries are parked, so that any replica takes them. */
  async release(jobs: readonly DeliveryJob[]): Promise<void> {
    const update = { $set: { parked: true }, $unset: { dueAt: 1, claim: 1 } };
    await this.updateEach(
      delivering,
      jobs.map((job) => ({ filter: asClaimed(job), update })),
    );
  }

  /** Stores the results of claims that are still valid. */
  async record(results: readonly StoredResult[]): Promise<void> {
    const updatedAt = sharedClock.now();
    const updates = results.map(({ job, attempt, status, tries, dueAt }) => ({
      filter: asClaimed(job),
      update: {
        $set: { status, tries, updatedAt, ...(dueAt ? { dueAt } : {}) },
        $unset: { claim: 1, ...(dueAt ? {} : { dueAt: 1 }) },
        ...(attempt ? { $push: { attempts: { $each: [attempt], $slice: -MOST_ATTEMPTS } } } : {}),
      },
    }));
    await this.updateEach(delivering, updates);
  }

  /** Removes deliveries to endpoints that do not exist any more. */
  async removeAll(ids: readonly string[]): Promise<void> {
    const these = { _id: mongoose.trusted({ $in: [...ids] }) };
    await this.model(delivering).deleteMany(these as never, { asSystem: REASON } as object);
  }

  /** Removes up to `limit` finished deliveries that were made before an instant; returns how many. */
  async removeOlder(instant: Date, limit: number): Promise<number> {
    // An id has the time of the event: of a replayed one it is earlier than that of the delivery.
    // A replay makes one of any age pending: it is sent first.
    const filter = {
      _id: { $lt: lowestIdAt('dlv', instant) },
      createdAt: { $lt: instant },
      status: { $ne: 'pending' },
    };
    const old = await this.findPicked(delivering, filter, [], { sort: { _id: 1 }, limit });
    if (old.length > 0) await this.removeAll(old.map(({ _id }) => _id));
    return old.length;
  }

  /**
   * Parks a page of a replay: new deliveries, and those that this replay has not had yet and that are finished or wait for a retry.
   * What is being tried, or parked, is delivered without it.
   */
  async replay(replayId: string, deliveries: readonly ReplayedDelivery[]): Promise<void> {
    const parked = { updatedAt: sharedClock.now(), parked: true as const, replay: replayId };
    const insert = (all: readonly ReplayedDelivery[]) => this.insertNew(all.map((each) => ({ ...each, ...parked })));
    const [stored, missing] = await this.divideByStored(deliveries);
    if (missing.length > 0) await insert(missing);
    const count = await this.updateEach(
      delivering,
      stored.map(({ _id, status, tries }) => ({
        filter: { _id, ...NEITHER_TRIED_NOR_PARKED, replay: { $ne: replayId } },
        update: { $set: { status, tries, ...parked }, $unset: { dueAt: 1 } },
      })),
    );
    if (count === stored.length) return;
    // It is being tried or parked, or this replay has had it; or it was removed in between, as old.
    const [, removed] = await this.divideByStored(stored);
    if (removed.length > 0) await insert(removed);
  }

  private async divideByStored(deliveries: readonly ReplayedDelivery[]) {
    const ids = deliveries.map(({ _id }) => _id);
    const found = await this.findPicked(delivering, { _id: { $in: ids } }, [], { limit: ids.length });
    const stored = new Set(found.map(({ _id }) => _id));
    return [deliveries.filter(({ _id }) => stored.has(_id)), deliveries.filter(({ _id }) => !stored.has(_id))] as const;
  }

  /** Makes a delivery of the account due, with this many tries done, once for the request, unless a try of it is in progress. */
  async makeDue(context: RequestContext, id: string, now: Date, tries: number): Promise<void> {
    const due = { $set: { status: 'pending', dueAt: now, tries, updatedAt: now }, $unset: { parked: 1 } };
    const once = onceFor(context, { filter: { _id: id, claim: { $exists: false } }, update: due });
    const { env, accountId } = context.principal;
    await this.update({ env, accountId }, once.filter, once.update, context.deadline);
  }

  /** A delivery of an endpoint of the account; null without one. */
  find({ env, accountId }: Reader, endpointId: string, id: string): Promise<WebhookDeliveryDocument | null> {
    return this.findOne({ env, accountId }, { _id: id, endpointId });
  }

  /** The deliveries of an endpoint, newest first. */
  list(reader: Reader, query: ParsedOf<typeof listWebhookDeliveries>): Promise<Page<WebhookDeliveryDocument>> {
    const { webhook_endpoint_id: endpointId, status } = query;
    return this.pageOf(reader, query, { endpointId, ...oneOf('status', status) });
  }

  /** All deliveries of the account, newest first. */
  listOwn(reader: Reader, query: ListQuery): Promise<Page<WebhookDeliveryDocument>> {
    return this.pageOf(reader, query, {});
  }

  private pageOf({ env, accountId }: Reader, query: ListQuery, filter: Filter) {
    return this.listPage({ env, accountId }, query, {
      // Cursors carry this name: those of another order do not fit.
      name: 'webhook deliveries by date',
      order: { date: 'createdAt', ascending: false },
      filter: { accountId, ...filter },
      mayLackUpdatedAt: true,
      cursors: this.cursors,
      without: ['body'],
      bytesOf: ({ attempts }) => FIXED_BYTES + attempts.reduce((sum, each) => sum + bytesOf(each), 0),
    });
  }
}

const asClaimed = ({ id, leasedUntil }: DeliveryJob): Filter => ({ _id: id, dueAt: leasedUntil });

// A parked delivery may have been claimed, tried and parked again since.
const asRead = ({ _id, dueAt, parked, tries }: WebhookDeliveryDocument): Filter =>
  parked ? { _id, parked, tries } : { _id, dueAt };

// MongoDB returns its own type for bytes.
function bytesOf({ response }: StoredAttempt): number {
  if (!response) return FIXED_BYTES / 4;
  const { length } = Buffer.isBuffer(response) ? response : (response as { buffer: Uint8Array }).buffer;
  return length + FIXED_BYTES / 4;
}
