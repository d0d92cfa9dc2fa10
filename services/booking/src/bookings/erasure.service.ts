import { Injectable } from '@nestjs/common';
import type { BusEvent, ErasedMember } from '@swim/contracts';
import { systemCall } from '@swim/messaging';
import { ErasedMembers, Idempotency } from '@swim/mongo';
import { AppError } from '@swim/platform';
import type { BookingDocument } from './booking.schema.js';
import { BookingsRepository } from './bookings.repository.js';

/** What becomes of the bookings of a member that is erased: they stay, and what was written about them goes. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly erased: ErasedMembers,
    private readonly idempotency: Idempotency,
  ) {}

  /** Safe to repeat. The notes of a group may tell of any of its members: they go with the first that is erased. */
  async erase({ env, object, audience, occurredAt }: BusEvent<ErasedMember>): Promise<void> {
    const { id: memberId, account_id: accountId } = object;
    await this.erased.mark(env, memberId, accountId);
    const call = systemCall(env, accountId);
    for (const id of await this.bookings.findIdsWithNotes(env, memberId)) await this.bookings.clearNotes(call, id);
    await this.idempotency.forget({ env, memberId, accountIds: audience, erasedAt: new Date(occurredAt) });
  }

  /** Ends a booking, just stored, of a member that was erased since people described it: `not_found`. */
  async refuseErased(env: BusEvent['env'], booking: BookingDocument): Promise<void> {
    const [memberId] = await this.erased.findAmong(env, booking.memberIds);
    if (memberId === undefined) return;
    const refusal = new AppError('not_found', { field: `member_ids.${booking.memberIds.indexOf(memberId)}` });
    const call = systemCall(env, booking.accountId);
    await this.bookings.markFailed(call, booking, refusal.toBody());
    await this.bookings.clearNotes(call, booking._id);
    throw refusal;
  }
}
