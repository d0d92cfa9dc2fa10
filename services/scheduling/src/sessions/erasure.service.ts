import { Injectable } from '@nestjs/common';
import type { BusEvent, ErasedMember, WaitlistEntry } from '@swim/contracts';
import { type Call, systemCall } from '@swim/messaging';
import { Idempotency } from '@swim/mongo';
import { WaitlistService } from '../waitlist/waitlist.service.js';
import { ErasedSessionsService } from './erased-sessions.service.js';

const OPEN: readonly WaitlistEntry['status'][] = ['waiting', 'offered'];
const MOST_AT_ONCE = 100;

/** What scheduling does when a member is erased. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly sessions: ErasedSessionsService,
    private readonly waitlist: WaitlistService,
    private readonly idempotency: Idempotency,
  ) {}

  /** Safe to repeat, and repeated from the start when a step fails. */
  async erase({ env, object, audience, occurredAt }: BusEvent<ErasedMember>): Promise<void> {
    const { id: memberId, account_id: accountId } = object;
    await this.sessions.erase(env, memberId, accountId);
    await this.leaveLines(memberId, systemCall(env, accountId));
    await this.idempotency.forget({ env, memberId, accountIds: audience, erasedAt: new Date(occurredAt) });
  }

  private async leaveLines(member_id: string, call: Call): Promise<void> {
    for (const status of OPEN) {
      const { items } = await this.waitlist.list({ member_id, status, limit: MOST_AT_ONCE }, call);
      for (const { id } of items) await this.waitlist.leave(id, call);
    }
  }
}
