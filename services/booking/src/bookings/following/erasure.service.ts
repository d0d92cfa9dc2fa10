import { Injectable } from '@nestjs/common';
import { type BusEvent, type ErasedMember, eraseTextsOfBookings, memberErased } from '@swim/contracts';
import { On, RpcClient } from '@swim/messaging';
import { type Erased, ErasedMembers, Idempotency } from '@swim/mongo';
import { AppError, type RequestContext, systemContext, TooEarly } from '@swim/platform';
import type { NewDraft, OpenDraft } from '../drafts/draft.schema.js';
import { DraftsRepository } from '../drafts/drafts.repository.js';
import type { BookingDocument } from '../storage/booking.schema.js';
import { BookingsRepository } from '../storage/bookings.repository.js';

// The most bookings that one request to payment accepts.
const MOST_AT_ONCE = 100;

/** Erases a member's data from bookings: removes notes and metadata, also those of their payments; the bookings stay. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly drafts: DraftsRepository,
    private readonly bookings: BookingsRepository,
    private readonly erased: ErasedMembers,
    private readonly idempotency: Idempotency,
    private readonly rpc: RpcClient,
  ) {}

  /** Idempotent. The notes of a group may mention any of its members: they are removed with the first that is erased. */
  @On(memberErased)
  async erase({ env, object, audience, occurredAt }: BusEvent<ErasedMember>): Promise<void> {
    const { id: memberId, account_id: accountId } = object;
    const erased = { env, memberId, accountIds: audience, erasedAt: new Date(occurredAt) };
    await this.erased.mark(memberId, accountId);
    // A request with an Idempotency-Key checks nothing after it has stored its booking.
    await this.idempotency.requireEnded(erased);
    const context = systemContext(env, accountId);
    // Drafts first: a booking that is stored after the search finds that its draft has lost them.
    await this.clearDrafts(memberId);
    const noted = await this.bookings.findIdsWithNotes(memberId);
    await Promise.all(noted.map((id) => this.bookings.clearNotes(context, id)));
    await this.clearPayments(erased);
    // Answers with the texts may have been stored until they were cleared.
    await this.idempotency.forget(erased);
  }

  private async clearDrafts(memberId: string): Promise<void> {
    for (;;) {
      const ids = await this.drafts.findIdsWithTexts(memberId);
      if (ids.length === 0) return;
      await Promise.all(ids.map((id) => this.drafts.clearTexts(id)));
    }
  }

  /** Has payment remove what was written to the member's payments. One without any needs no service for payments. */
  private async clearPayments({ memberId, accountIds, erasedAt }: Erased): Promise<void> {
    const context = systemContext(accountIds[0]!);
    const all = await this.bookings.findIdsWithPayments(memberId);
    for (let from = 0; from < all.length; from += MOST_AT_ONCE) {
      const bookingIds = all.slice(from, from + MOST_AT_ONCE);
      const request = { bookingIds, accountIds: [...accountIds], erasedAt: erasedAt.toISOString() };
      const { done } = await this.rpc.call(eraseTextsOfBookings, request, context);
      if (!done) throw new TooEarly('A request about a payment of the member may still be under way.');
    }
  }

  /** Removes what was written to a booking of a member that has been erased; whether there was one. */
  async clearLate(booking: BookingDocument, context: RequestContext): Promise<boolean> {
    const erased = await this.erased.findAmong(booking.memberIds);
    if (erased.length > 0) await this.bookings.clearNotes(context, booking._id);
    return erased.length > 0;
  }

  /** Removes what was written to a draft of a member that has been erased. */
  async clearLateDraft({ _id, booking }: NewDraft): Promise<void> {
    if ((await this.erased.findAmong(booking.memberIds)).length > 0) await this.drafts.clearTexts(_id);
  }

  /**
   * Rejects a draft, just stored, of a member that was erased since people described it: `not_found`. One without notes and
   * metadata stores no data of a member here; scheduling cancels its sessions, like those of a booking made a moment earlier. An
   * erasure waits for requests with a write key that began before it; those that began later read their members after it.
   */
  async rejectErased(draft: OpenDraft, { writeKey }: RequestContext): Promise<void> {
    const { notes, metadata, memberIds } = draft.booking;
    if (writeKey !== null || (notes === null && !metadata)) return;
    const [memberId] = await this.erased.findAmong(memberIds);
    if (memberId === undefined) return;
    const rejection = new AppError('not_found', { field: `member_ids.${memberIds.indexOf(memberId)}` });
    await this.drafts.markFailed(draft, rejection.toBody());
    throw rejection;
  }
}
