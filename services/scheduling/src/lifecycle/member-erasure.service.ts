import { Inject, Injectable } from '@nestjs/common';
import { type BusEvent, type ErasedMember, memberErased, type WaitlistEntry } from '@swim/contracts';
import { On } from '@swim/messaging';
import { ErasedMembers, Idempotency } from '@swim/mongo';
import { type RequestContext, systemContext } from '@swim/platform';
import { CalendarTokensService } from '../feeds/calendar-tokens.service.js';
import { HoldErasure } from '../holds/hold-erasure.service.js';
import { ErasedSessionsService } from '../sessions/cancelling/erased-sessions.service.js';
import { WaitlistService } from '../waitlist/waitlist.service.js';

const OPEN: readonly WaitlistEntry['status'][] = ['waiting', 'offered'];
const PAGE = 100;

/** Erases a member's data in scheduling. */
@Injectable()
export class MemberErasureService {
  @Inject(HoldErasure) private readonly holds!: HoldErasure;

  constructor(
    private readonly sessions: ErasedSessionsService,
    private readonly waitlist: WaitlistService,
    private readonly calendarTokens: CalendarTokensService,
    private readonly erased: ErasedMembers,
    private readonly idempotency: Idempotency,
  ) {}

  /** Idempotent; repeated from the start when a step fails. */
  @On(memberErased)
  async erase({ env, object, audience, occurredAt }: BusEvent<ErasedMember>): Promise<void> {
    const { id: memberId, account_id: accountId } = object;
    const erased = { env, memberId, accountIds: audience, erasedAt: new Date(occurredAt) };
    await this.erased.mark(memberId, accountId);
    // What they store about the member must be there when it is searched.
    await this.idempotency.requireEnded(erased);
    await this.calendarTokens.endOfErased(memberId);
    await this.holds.eraseOf(memberId, accountId);
    await this.sessions.erase(memberId, accountId);
    await this.leaveLines(memberId, systemContext(accountId));
    await this.idempotency.forget(erased);
  }

  private async leaveLines(member_id: string, context: RequestContext): Promise<void> {
    // Entries that were left are in no list: the first page is the next one.
    for (;;) {
      const { items } = await this.waitlist.list({ member_id, status: [...OPEN], limit: PAGE }, context);
      if (items.length === 0) break;
      for (const { id } of items) await this.waitlist.leave({ waitlist_id: id }, context);
    }
  }
}
