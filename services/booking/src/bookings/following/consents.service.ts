import { Injectable } from '@nestjs/common';
import { type BusEvent, type Connection, connectionEnded, findConnection } from '@swim/contracts';
import { On, RpcClient } from '@swim/messaging';
import { type RequestContext, systemContext } from '@swim/platform';
import type { BookingDocument } from '../storage/booking.schema.js';
import { BookingsRepository } from '../storage/bookings.repository.js';

/** Consents end with the connection of account and school, and a later connection does not revive them. */
@Injectable()
export class ConsentsService {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /** The instant after which a consent was given that lasts; null where none lasts. */
  async lastingSince(
    { accountId, schoolId }: Pick<BookingDocument, 'accountId' | 'schoolId'>,
    context: RequestContext,
  ): Promise<Date | null> {
    if (accountId === schoolId) return new Date(0);
    const { connection } = await this.rpc.call(findConnection, { schoolId, accountId }, context);
    return connection && new Date(connection.lastEndedAt ?? 0);
  }

  /** Idempotent. A consent that this leaves, as its booking was made or the event came too late, is not used either: see `lastingSince`. */
  @On(connectionEnded)
  async end({ object, occurredAt }: BusEvent<Connection>): Promise<void> {
    const { account_id: accountId, school_id: schoolId } = object;
    const context = systemContext(accountId);
    const before = new Date(occurredAt);
    const ids = await this.bookings.findIdsWithConsent(accountId, schoolId);
    for (const id of ids) await this.bookings.endConsent(context, id, before);
  }
}
