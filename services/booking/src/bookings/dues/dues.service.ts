import { Injectable } from '@nestjs/common';
import {
  describeConsents,
  describeDues,
  findOwing,
  findOwnChange,
  listPaymentMethods,
  type OutputOf,
  type ParsedOf,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { type RequestContext, systemContext } from '@swim/platform';
import { dueCents, reservedCents } from '../../money/balance.rules.js';
import { useOfConsent } from '../../money/consent.rules.js';
import { duesAt } from '../../money/due-parts.rules.js';
import { ConsentsService } from '../following/consents.service.js';
import { type ConsentedBooking, DuesRepository } from './dues.repository.js';

// A wallet has at most half as many.
const MOST_METHODS = 100;

function toConsent(booking: ConsentedBooking) {
  const { leftCents, ...use } = useOfConsent(booking, booking.consent);
  // A lower price or a waiver lowers what may be charged below what was agreed.
  const openCents = Math.max(dueCents(booking) - reservedCents(booking), 0);
  return {
    bookingId: booking._id,
    currency: booking.currency,
    ...use,
    leftCents: Math.min(leftCents, openCents),
  };
}

/** What families owe a school on bookings. */
@Injectable()
export class DuesService {
  constructor(
    private readonly dues: DuesRepository,
    private readonly consents: ConsentsService,
    private readonly rpc: RpcClient,
  ) {}

  @Serve(findOwing)
  async findOwing(_: ParsedOf<typeof findOwing>, context: RequestContext): Promise<OutputOf<typeof findOwing>> {
    return { accountIds: await this.dues.findOwing(context) };
  }

  @Serve(describeConsents)
  async describeConsents(
    { accountId }: ParsedOf<typeof describeConsents>,
    context: RequestContext,
  ): Promise<OutputOf<typeof describeConsents>> {
    const bookings = await this.dues.findConsented(context, accountId);
    if (bookings.length === 0) return { consents: [] };
    // A consent ends with its method, of which bookings know nothing, and with the connection.
    const pair = { accountId, schoolId: context.principal.accountId };
    const [methods, since] = await Promise.all([
      this.findMethods(accountId),
      this.consents.lastingSince(pair, context),
    ]);
    const lasts = ({ paymentMethodId, consent }: ConsentedBooking) =>
      since !== null && consent.at > since && methods.has(paymentMethodId);
    const lasting = bookings.filter(lasts);
    return { consents: lasting.map(toConsent) };
  }

  /** By the clock of the two. */
  @Serve(findOwnChange)
  async findOwnChange(pair: ParsedOf<typeof findOwnChange>): Promise<OutputOf<typeof findOwnChange>> {
    const changedAt = await this.dues.findOwnChange(pair);
    return { changedAt: changedAt?.toISOString() ?? null };
  }

  private async findMethods(accountId: string): Promise<Set<string | null>> {
    const input = { account_id: accountId, limit: MOST_METHODS };
    const { items } = await this.rpc.call(listPaymentMethods, input, systemContext(accountId));
    return new Set(items.map(({ id }) => id));
  }

  @Serve(describeDues)
  async describe(
    { accounts }: ParsedOf<typeof describeDues>,
    context: RequestContext,
  ): Promise<OutputOf<typeof describeDues>> {
    const ids = accounts.map(({ id }) => id);
    const bookings = Map.groupBy(await this.dues.findDue(context, ids), ({ accountId }) => accountId);
    return {
      dues: accounts.map(({ id: accountId, now }) => ({ accountId, ...duesAt(bookings.get(accountId) ?? [], now) })),
    };
  }
}
