import { Injectable } from '@nestjs/common';
import { type BusEvent, type Connection, connectionEnded } from '@swim/contracts';
import { On } from '@swim/messaging';
import { systemContext } from '@swim/platform';
import { BookingsRepository } from '../storage/bookings.repository.js';

/** Ends the consents of an account to a school with their connection, so that a later connection does not revive them. */
@Injectable()
export class ConsentsService {
  constructor(private readonly bookings: BookingsRepository) {}

  /** Idempotent. Until then each charge asks for the connection. */
  @On(connectionEnded)
  async end({ object, occurredAt }: BusEvent<Connection>): Promise<void> {
    const { account_id: accountId, school_id: schoolId } = object;
    const context = systemContext(accountId);
    const before = new Date(occurredAt);
    const ids = await this.bookings.findIdsWithConsent(accountId, schoolId);
    for (const id of ids) await this.bookings.endConsent(context, id, before);
  }
}
