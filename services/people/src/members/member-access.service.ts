import { Injectable } from '@nestjs/common';
import { AppError, accountTime, Clock, type RequestContext } from '@swim/platform';
import { AccountClocksService } from '../accounts/account-clocks.service.js';
import type { MemberDocument } from './member.schema.js';
import { MembersRepository } from './members.repository.js';
import { readersAt } from './school-rights.rules.js';

/** The members that an account may read now; the right of a school ends by its own clock or that of the member's account. */
@Injectable()
export class MemberAccess {
  constructor(
    private readonly members: MembersRepository,
    private readonly clocks: AccountClocksService,
    private readonly clock: Clock,
  ) {}

  /** Throws `resource_not_found` for a member that the account may not read. */
  async getReadable(context: RequestContext, id: string): Promise<MemberDocument> {
    const [member] = await this.findReadable(context, [id]);
    if (!member) throw new AppError('resource_not_found');
    return member;
  }

  /** Those of these members that the account may read. */
  async findReadable(context: RequestContext, ids: readonly string[]): Promise<MemberDocument[]> {
    const { env, accountId } = context.principal;
    const readable = await this.members.findReadable(context, ids, this.clock.now());
    const shared = readable.filter((member) => member.accountId !== accountId);
    if (shared.length === 0) return readable;
    const offsets = await this.clocks.offsetsOf(env, [accountId, ...shared.map((member) => member.accountId)]);
    return readable.filter((member) => {
      const offsetMs = Math.max(offsets.get(accountId) ?? 0, offsets.get(member.accountId) ?? 0);
      return readersAt(member, accountTime(this.clock, env, offsetMs)).includes(accountId);
    });
  }
}
