import { Injectable } from '@nestjs/common';
import {
  type Booking,
  claimBooking,
  describeParty,
  listBookings,
  listPaymentMethods,
  type Page,
  type ParsedOf,
  type Party,
  type Session,
  sessionsOfBookings,
  teachingRulesOf,
} from '@swim/contracts';
import { type Call, causeOf, RpcClient } from '@swim/messaging';
import { AppError, Clock, derivedId } from '@swim/platform';
import { config } from '../config.js';
import { toBookable, toBooking, toRehearsed } from './booking.mapper.js';
import { askedSlots, batchesOf, refusalOf, termsOf, type WantedBooking } from './booking.rules.js';
import type { BookingDocument, NewBooking } from './booking.schema.js';
import { BookingSaga, claimOf } from './booking-saga.service.js';
import { BookingsRepository } from './bookings.repository.js';
import { ErasureService } from './erasure.service.js';
import { refuse } from './refusal.js';

// A wallet holds no more than half as many.
const MOST_METHODS = 100;

/** Bookings as accounts and schools use them. */
@Injectable()
export class BookingsService {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly saga: BookingSaga,
    private readonly rpc: RpcClient,
    private readonly erasure: ErasureService,
    private readonly clock: Clock,
  ) {}

  /** Books all dates or none; with `on_conflict: skip` those that are free. */
  async create(wanted: WantedBooking, call: Call): Promise<Booking> {
    const id = call.newId('bkg');
    const earlier = call.retaken ? await this.saga.resume(id, call) : null;
    if (earlier) return this.answer(earlier, call);
    const party = await this.rpc.call(
      describeParty,
      { instructorId: wanted.instructor_id, memberIds: wanted.member_ids },
      call,
    );
    const refusal = refusalOf({ wanted, party, makerId: call.principal.accountId, now: this.clock.now() });
    if (refusal) refuse(refusal);
    await this.requireOwnMethod(wanted.payment_method_id, call);
    const rules = teachingRulesOf(party.instructor!, party.policies);
    const fresh = newBooking(id, wanted, party, call);
    if (call.dryRun) return this.rehearse(fresh, rules, call);
    const booking = await this.bookings.insertClaiming(call, fresh);
    // Somebody else has finished this very booking in the meantime: the same request, made again, answers what came of it.
    if (booking.status !== 'claiming') throw new AppError('unavailable', { retryAfterSeconds: 1 });
    await this.erasure.refuseErased(call.principal.env, booking);
    const made = await this.saga.run(booking, rules, call);
    return toBooking(made.booking, made.sessions);
  }

  /** Refuses a payment method that is not in the caller's wallet; asked of payment only when one is named. */
  private async requireOwnMethod(methodId: string | null | undefined, call: Call): Promise<void> {
    if (!methodId) return;
    const wallet = { account_id: call.principal.accountId, limit: MOST_METHODS };
    const { items } = await this.rpc.call(listPaymentMethods, wallet, call);
    if (!items.some(({ id }) => id === methodId)) throw new AppError('not_found', { field: 'payment_method_id' });
  }

  async get(id: string, call: Call): Promise<Booking> {
    return this.answer(await this.bookings.getVisible(call, id), call);
  }

  async list(query: ParsedOf<typeof listBookings>, call: Call): Promise<Page<Booking>> {
    const { accountId } = call.principal;
    if ((query.account_id ?? accountId) !== accountId) throw new AppError('foreign_account');
    const { items, pagination } = await this.bookings.listVisible(call, listBookings.name, query);
    const sessions = Map.groupBy(await this.sessionsOf(items, call), (session) => session.booking_id);
    return { items: items.map((booking) => toBooking(booking, sessions.get(booking._id) ?? [])), pagination };
  }

  private async answer(booking: BookingDocument, call: Call): Promise<Booking> {
    return toBooking(booking, await this.sessionsOf([booking], call));
  }

  private async rehearse(fresh: NewBooking, rules: ReturnType<typeof teachingRulesOf>, call: Call): Promise<Booking> {
    const asked = fresh.asked!;
    const claim = await this.rpc.call(claimBooking, { ...claimOf(fresh, asked), rules, dryRun: true }, call);
    const now = this.clock.now();
    // A hold's sessions have ids of their own, and all of them are booked.
    const free = asked.holdId ? asked.slots.flatMap((slot) => slot.sessions.map(({ id }) => id)) : claim.sessionIds;
    const sessions = toBookable(asked, free);
    const payUntil = new Date(now.getTime() + config.PREPAYMENT_MINUTES * 60_000);
    const terms = termsOf(
      sessions.map(({ priceCents }) => priceCents),
      fresh.prepay,
      payUntil,
    );
    const skipped = asked.onConflict === 'skip' ? claim.skipped : null;
    return toRehearsed({ ...fresh, skipped }, terms, sessions, now);
  }

  private async sessionsOf(bookings: BookingDocument[], call: Call): Promise<Session[]> {
    const batches = batchesOf(bookings).map((batch) => batch.map(({ _id }) => _id));
    const found = await Promise.all(
      batches.map((bookingIds) => this.rpc.call(sessionsOfBookings, { bookingIds }, call)),
    );
    return found.flat();
  }
}

function newBooking(
  id: string,
  wanted: WantedBooking,
  { instructor, members, policies }: Party,
  call: Call,
): NewBooking {
  const sessionId = (index: number, memberId: string) => derivedId('ses', id, `${index}/${memberId}`);
  return {
    _id: id,
    readers: [],
    accountId: members[0]!.accountId,
    schoolId: instructor!.schoolId,
    instructorId: wanted.instructor_id,
    memberIds: wanted.member_ids,
    paymentMethodId: wanted.payment_method_id ?? null,
    notes: wanted.notes ?? null,
    status: 'claiming',
    cause: causeOf(call),
    asked: {
      slots: askedSlots(wanted, instructor!, sessionId),
      onConflict: wanted.on_conflict,
      location: wanted.location ?? null,
      holdId: wanted.hold_id ?? null,
    },
    prepay: policies?.requirePrepayment ?? false,
    sessions: [],
    skipped: null,
    amountCents: 0,
    currency: instructor!.currency,
    payments: [],
    expiresAt: null,
    freeing: false,
    attempt: 1,
    refusal: null,
    failedAt: null,
    version: 1,
  };
}
