import { Injectable } from '@nestjs/common';
import { EVENT_STREAM_LEASE_MS, MOST_EVENT_STREAMS, type StreamLease } from '@swim/contracts';
import { asSystem, Databases, hasPassed, Repository } from '@swim/mongo';
import { sharedClock } from '@swim/platform';
import mongoose from 'mongoose';
import { type EventStreamDocument, eventStreamSchema } from './event-stream.schema.js';

const REASON = 'gateways hold the places of the streams of all accounts';
const holding = asSystem(REASON);

const idOf = (accountId: string, slot: number): string => `${accountId}.${slot}`;
const ownIds = (accountId: string): string[] =>
  Array.from({ length: MOST_EVENT_STREAMS }, (_, slot) => idOf(accountId, slot));
const leaseEnd = (): Date => sharedClock.inMs(EVENT_STREAM_LEASE_MS);

/** Storage of the places of open streams, at most MOST_EVENT_STREAMS of an account. */
@Injectable()
export class EventStreamsRepository extends Repository<EventStreamDocument> {
  constructor(databases: Databases) {
    super(databases.collection('event_streams', eventStreamSchema));
  }

  /** The places of an account that are taken, lapsed ones among them. */
  findOf(accountId: string): Promise<EventStreamDocument[]> {
    return this.lookUpAll(holding, ownIds(accountId));
  }

  /** Takes a place that nobody has; false when another stream was first. */
  take({ accountId, slot, token }: StreamLease): Promise<boolean> {
    const document = { _id: idOf(accountId, slot), accountId, readers: [accountId], slot, token, until: leaseEnd() };
    return this.tryInsert(holding, document);
  }

  /** Takes a place over whose lease has lapsed by the database's clock; false when it has not, or another was first. */
  takeOver(lease: StreamLease, formerToken: string): Promise<boolean> {
    const filter = { _id: idOf(lease.accountId, lease.slot), token: formerToken };
    return this.updateIf(holding, filter, hasPassed('until'), { token: lease.token, until: leaseEnd() });
  }

  /** Prolongs leases; returns the tokens of those that are gone. */
  async renew(leases: readonly StreamLease[]): Promise<string[]> {
    const update = { $set: { until: leaseEnd() } };
    const count = await this.updateEach(
      holding,
      leases.map(({ accountId, slot, token }) => ({ filter: { _id: idOf(accountId, slot), token }, update })),
    );
    if (count === leases.length) return [];
    const found = await this.lookUpAll(
      holding,
      leases.map(({ accountId, slot }) => idOf(accountId, slot)),
    );
    const held = new Set(found.map(({ token }) => token));
    return leases.map(({ token }) => token).filter((token) => !held.has(token));
  }

  /** Releases places. */
  async release(leases: readonly StreamLease[]): Promise<void> {
    const these = {
      _id: mongoose.trusted({ $in: leases.map(({ accountId, slot }) => idOf(accountId, slot)) }),
      token: mongoose.trusted({ $in: leases.map(({ token }) => token) }),
    };
    await this.model(holding).deleteMany(these as never, { asSystem: REASON } as object);
  }

  /** Removes up to `limit` places whose lease lapsed before an instant; returns how many. */
  async removeLapsed(before: Date, limit: number): Promise<number> {
    const lapsed = await this.findMany(holding, { until: { $lt: before } }, {}, limit);
    for (const { _id, token } of lapsed) await this.remove(holding, { _id, token });
    return lapsed.length;
  }
}
