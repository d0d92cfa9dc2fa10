import { Injectable } from '@nestjs/common';
import type { RecordedMethod } from '@swim/contracts';
import { Databases, Repository } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import type { Movement } from '../../money/balance.rules.js';
import { type BookingDocument, bookingSchema } from './booking.schema.js';

// Positions in an ISO 8601 instant, `2027-03-01T16:30:00.000Z`.
const HOUR_BYTES = 13;
const MINUTE_AT = 14;

/** A range of time, ISO 8601 UTC: from inclusive, to exclusive. */
export interface MovementsRange {
  from: string;
  to: string;
  currency: string;
}

/** Movements of one kind and method that began in the same quarter of an hour. */
export interface SummedMovements {
  kind: Movement['kind'];
  /** Charges have it, except those by card. */
  method?: RecordedMethod;
  amountCents: number;
  /** The beginning of the quarter, ISO 8601 UTC. */
  at: string;
}

interface QuarterKey {
  kind: Movement['kind'];
  method?: RecordedMethod;
  hour: string;
  quarter: number;
}

/** The movements of money of all bookings. Each is changed with its booking, by `BookingsRepository`. */
@Injectable()
export class MovementsRepository extends Repository<BookingDocument> {
  constructor(databases: Databases) {
    super(databases.collection('bookings', bookingSchema));
  }

  /**
   * The movements in a range of the bookings with the account's school, summed by kind, method and quarter of an hour: the finest at which
   * a day begins in any time zone. The database sums them, since there may be many.
   */
  async sum({ principal }: RequestContext, { from, to, currency }: MovementsRange): Promise<SummedMovements[]> {
    const { accountId } = principal;
    // The filter repeats the type that is the condition of the index: see `dueBy`.
    const within = { 'movements.at': { $type: 'string', $gte: from, $lt: to } };
    const quarter = { $floor: { $divide: [{ $toInt: { $substrBytes: ['$movements.at', MINUTE_AT, 2] } }, 15] } };
    const how = { kind: '$movements.kind', method: '$movements.method' };
    const key = { ...how, hour: { $substrBytes: ['$movements.at', 0, HOUR_BYTES] }, quarter };
    const groups = await this.model(principal).aggregate<{ _id: QuarterKey; cents: number }>([
      { $match: { readers: accountId, schoolId: accountId, currency, ...within } },
      { $unwind: '$movements' },
      { $match: within },
      { $group: { _id: key, cents: { $sum: '$movements.amountCents' } } },
    ]);
    return groups.map(({ _id: { kind, method, hour, quarter: part }, cents }) => ({
      kind,
      ...(method ? { method } : {}),
      amountCents: cents,
      at: `${hour}:${String(part * 15).padStart(2, '0')}:00.000Z`,
    }));
  }
}
