import { Inject, Injectable } from '@nestjs/common';
import {
  bookingCancelled,
  bookingCompleted,
  bookingConfirmed,
  isCausedBy,
  type Page,
  type ParsedOf,
  type updateBooking,
} from '@swim/contracts';
import {
  AggregateRepository,
  asSystem,
  BULK_DELAY_MS,
  type Clocked,
  Databases,
  type Decision,
  FreeTexts,
  isSealed,
  type ListQuery,
  metadataChange,
  type NewEvent,
  OutboxRelay,
  shownDate,
  type TextPlace,
} from '@swim/mongo';
import { AppError, CONFIG, CursorCodec, causeOf, formerValues, newId, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import type { Config } from '../../config.js';
import { dueCents } from '../../money/balance.rules.js';
import { consentTo } from '../../money/consent.rules.js';
import { requestOfIssue } from '../../money/returns.rules.js';
import { toBookingObject } from './booking.mapper.js';
import { type BookingDocument, bookingSchema } from './booking.schema.js';
import { type BookingFilters, filterOf } from './booking-filters.js';
import {
  type BookingState,
  type Facts,
  hasRequests,
  isToBeReported,
  isToBeVoided,
  withConsequences,
} from './consequences.rules.js';
import { endOfEnrollment } from './enrollment.mapper.js';

export type Change = Decision<BookingDocument>;

/** The fields that a PATCH sets at an instant, with the next version; null where nothing differs. */
export function changeOf(
  now: BookingDocument,
  { notes, metadata, payment_method_id: methodId }: ParsedOf<typeof updateBooking>['changes'],
  at: Date,
): Partial<BookingDocument> | null {
  const renoted = notes === undefined || notes === now.notes ? {} : { notes };
  const isOther = methodId !== undefined && methodId !== now.paymentMethodId;
  const consent = isOther ? { paymentMethodId: methodId, consent: methodId === null ? null : consentTo(now, at) } : {};
  const set = { ...renoted, ...metadataChange(now.metadata, metadata), ...consent };
  return Object.keys(set).length === 0 ? null : { ...set, version: now.version + 1 };
}

// Well after the process that made the change has sent them.
const REQUESTS_GRACE_MS = 3_000;
// More than any member has, and the maximum of one query.
export const MOST_OF_MEMBER = 60_000;

// Notes may mention any of the members: they are removed with the first of them that is erased, and with the account.
const placeOf = ({ _id, accountId }: BookingDocument, field: 'notes' | 'cancellation_reason'): TextPlace => ({
  owner: { id: accountId, accountId },
  field,
  documentId: _id,
});

export const REASON = 'the saga works on bookings without readers';
export const saga = asSystem(REASON);

/** Storage of bookings: how they are read, and changed with all that follows from it. */
@Injectable()
export abstract class BookingStorage extends AggregateRepository<BookingDocument> {
  /** Bookings whose money causes requests that are not accepted yet. */
  readonly requesting = this.work({
    name: 'booking requests',
    due: 'requestsAt',
    reason: REASON,
    leaseMs: () => this.config.SAGA_LEASE_MS,
    atOnce: 50,
  });

  @Inject(CONFIG) protected readonly config!: Config;

  constructor(
    protected readonly databases: Databases,
    relay: OutboxRelay,
    protected readonly cursors: CursorCodec,
    private readonly texts: FreeTexts,
  ) {
    super(databases.collection('bookings', bookingSchema), relay);
  }

  protected override opened(stored: BookingDocument[]): Promise<BookingDocument[]> {
    return Promise.all(stored.map((booking) => this.openTexts(booking)));
  }

  protected override async sealed<F extends Partial<BookingDocument>>(fields: F, of: BookingDocument): Promise<F> {
    const { notes, cancelReason } = fields;
    const sealed = { ...fields };
    // The ciphertext is stored in the text's field: readers must decrypt it first.
    const seal = async (text: string, place: TextPlace) =>
      (await this.texts.seal(text, place)) as unknown as string | null;
    if (typeof notes === 'string') sealed.notes = await seal(notes, placeOf(of, 'notes'));
    if (typeof cancelReason === 'string')
      sealed.cancelReason = await seal(cancelReason, placeOf(of, 'cancellation_reason'));
    return sealed;
  }

  /** Throws `resource_not_found` when the account sees no such booking. */
  async getVisible(context: RequestContext, id: string): Promise<BookingDocument> {
    const booking = await this.lookUp(context.principal, id);
    if (!booking) throw new AppError('resource_not_found');
    return booking;
  }

  listVisible(
    context: RequestContext,
    name: string,
    query: BookingFilters & ListQuery,
  ): Promise<Page<BookingDocument>> {
    const list = { name, filter: filterOf(query), findsFew: query.member_id !== undefined, cursors: this.cursors };
    return this.listPage(context.principal, query, list);
  }

  /** A booking, also one without readers; null when it is not made. */
  findAny(id: string): Promise<BookingDocument | null> {
    return this.lookUp(saga, id);
  }

  /**
   * Changes the sessions or the payments of a booking, with all that follows from it and its events; `decide` may throw. Null
   * when there is no such visible booking.
   */
  async follow(
    context: RequestContext,
    id: string,
    decide: (now: BookingDocument) => Partial<BookingState> | null,
  ): Promise<BookingDocument | null> {
    const scope = asSystem('the caller checks account and object');
    const decision = (now: BookingDocument): Change | null => {
      const changed = decide(now);
      if (!changed) return null;
      const set = withConsequences(now, changed, this.facts(now, context));
      return { set, events: eventsOf(now, { ...now, ...set }), unseen: set.version === undefined };
    };
    return (await this.mutate(scope, id, context, decision))?.document ?? null;
  }

  /**
   * Marks requests that were accepted: refunds, payments to void, sessions to report, and credits that were made, by their ids; and
   * how much of its own credit is recorded as spent.
   */
  async markAccepted(
    context: RequestContext,
    id: string,
    accepted: ReadonlySet<string>,
    settledCents?: number,
  ): Promise<void> {
    await this.change(context, id, (now) => {
      const refunds = now.refunds?.map((refund) =>
        refund.state === 'requested' && accepted.has(refund.id) ? { ...refund, state: 'accepted' as const } : refund,
      );
      const payments = now.payments.map((payment) =>
        isToBeVoided(payment) && accepted.has(payment.id) ? { ...payment, voiding: 'accepted' as const } : payment,
      );
      const sessions = now.sessions.map((session) =>
        isToBeReported(session) && accepted.has(session.id) ? { ...session, report: 'accepted' as const } : session,
      );
      const issues = now.issues?.map((issue) =>
        accepted.has(requestOfIssue(issue)) ? { ...issue, state: 'accepted' as const } : issue,
      );
      const after = {
        payments,
        sessions,
        ...(refunds ? { refunds } : {}),
        ...(issues ? { issues } : {}),
        ...(settledCents === undefined ? {} : { creditSettledCents: settledCents }),
      };
      const requestsAt = hasRequests({ ...now, ...after }) ? now.requestsAt! : null;
      return { set: { ...after, requestsAt }, unseen: true };
    });
  }

  /** Bookings of a member, in any state, that have notes, metadata or the reason of a cancellation. */
  async findIdsWithNotes(memberId: string): Promise<string[]> {
    const set = mongoose.trusted({ $ne: null });
    const some = mongoose.trusted({ $exists: true });
    const noted = { memberIds: memberId, $or: [{ notes: set }, { cancelReason: set }, { 'metadata.0': some }] };
    return (await this.findPicked(saga, noted, [], { limit: MOST_OF_MEMBER })).map(({ _id }) => _id);
  }

  /** Removes the texts and the metadata of a booking. Publishes nothing, but moves `updatedAt`. */
  async clearNotes(context: RequestContext, id: string): Promise<void> {
    await this.change({ ...context, opId: null }, id, ({ notes, cancelReason = null, metadata = [] }) => {
      const isEmpty = notes === null && cancelReason === null && metadata.length === 0;
      return isEmpty ? null : { set: { notes: null, cancelReason: null, metadata: [] } };
    });
  }

  /** Changes notes, metadata or payment method of a booking that the account sees; a resumed run leaves them. Throws `resource_not_found`, `too_long`. */
  async changeOwn(
    context: RequestContext,
    booking: BookingDocument,
    changes: ParsedOf<typeof updateBooking>['changes'],
  ): Promise<BookingDocument> {
    const changed = await this.mutate(context.principal, booking, context, (now) => {
      const set = changeOf(now, changes, this.databases.clock.now());
      return set && { set, answer: () => null };
    });
    if (!changed) throw new AppError('resource_not_found');
    return changed.document;
  }

  /** Also notes when the booking's own account has changed it. */
  protected override commit(
    now: BookingDocument,
    decision: Change,
    context: RequestContext,
  ): Promise<BookingDocument | null> {
    if (!isCausedBy(now.accountId, causeOf(context))) return super.commit(now, decision, context);
    const ownChangeAt = shownDate(now, this.databases.clock.now());
    return super.commit(now, { ...decision, set: { ...decision.set, ownChangeAt } }, context);
  }

  /** The bookings of an account with a school that it consents to be charged for. */
  async findIdsWithConsent(accountId: string, schoolId: string): Promise<string[]> {
    const consented = { readers: accountId, accountId, schoolId, 'consent.at': mongoose.trusted({ $type: 'date' }) };
    return (await this.findPicked(saga, consented, [], { limit: MOST_OF_MEMBER })).map(({ _id }) => _id);
  }

  /** Ends a consent that was given before an instant. Publishes nothing. */
  async endConsent(context: RequestContext, id: string, before: Date): Promise<void> {
    await this.change({ ...context, opId: null }, id, ({ consent, version }) =>
      consent && consent.at <= before ? { set: { consent: null, paymentMethodId: null, version: version + 1 } } : null,
    );
  }

  private async openTexts(stored: BookingDocument): Promise<BookingDocument> {
    const { notes, cancelReason } = stored;
    if (!isSealed(notes) && !isSealed(cancelReason)) return stored;
    const [text, reason] = await Promise.all([
      this.texts.open(notes, placeOf(stored, 'notes')),
      this.texts.open(cancelReason, placeOf(stored, 'cancellation_reason')),
    ]);
    return { ...stored, notes: text, ...(cancelReason === undefined ? {} : { cancelReason: reason }) };
  }

  // A booking is never removed while a process works on it, so it is always found.
  protected async change(
    context: RequestContext,
    id: string,
    decide: (now: BookingDocument) => Change | null,
  ): Promise<BookingDocument> {
    const changed = await this.mutate(saga, id, context, decide);
    if (!changed) throw new AppError('resource_not_found');
    return changed.document;
  }

  /** When a time to pay that begins now ends, in real time. */
  protected payUntil(): Date {
    return this.databases.clock.inMs(this.config.PREPAYMENT_MINUTES * 60_000);
  }

  protected facts(booking: Clocked, { isBulk }: Partial<RequestContext> = {}): Facts {
    const { clock } = this.databases;
    return {
      at: shownDate(booking, clock.now()).toISOString(),
      dueNow: clock.now(),
      requestsAt: clock.inMs(isBulk ? BULK_DELAY_MS : REQUESTS_GRACE_MS),
      payUntil: this.payUntil(),
      newId,
    };
  }
}

/**
 * The events of a change of status by sessions or money. A booking that is completed without its prepayment was never confirmed.
 */
export function eventsOf(now: BookingDocument, after: BookingDocument): NewEvent<BookingDocument>[] {
  if (now.status === after.status) return [];
  const { status } = after;
  const previous = formerValues(toBookingObject(now), toBookingObject(after));
  const types = { confirmed: bookingConfirmed, cancelled: bookingCancelled, completed: bookingCompleted };
  const isPrepaid = now.status === 'pending' && status === 'completed' && dueCents(after) === 0;
  const passed = isPrepaid ? (['confirmed', status] as const) : [status];
  const typed = passed.filter((each) => each in types) as (keyof typeof types)[];
  const own = typed.map((each) => ({ type: types[each], object: toBookingObject, previous }));
  return [...own, ...endOfEnrollment(now, after)];
}
