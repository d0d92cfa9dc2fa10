import { Injectable } from '@nestjs/common';
import type { Page } from '@swim/contracts';
import { AppError, accountTime, Clock, type RequestContext, systemContext } from '@swim/platform';
import { AccountClocksService } from '../../identity/accounts/account-clocks.service.js';
import type { MemberDocument } from './member.schema.js';
import { type MembersQuery, MembersRepository } from './members.repository.js';
import { type Readable, readersAt } from './school-rights/school-rights.rules.js';
import { SchoolRightsService } from './school-rights/school-rights.service.js';

/** The members that an account may read now; the right of a school ends by its own clock or that of the member's account. */
@Injectable()
export class MemberAccess {
  constructor(
    private readonly members: MembersRepository,
    private readonly clocks: AccountClocksService,
    private readonly clock: Clock,
    private readonly rights: SchoolRightsService,
  ) {}

  /** Throws `resource_not_found` for a member that the account may not read. */
  async getReadable(context: RequestContext, id: string): Promise<MemberDocument> {
    const [member] = await this.findReadable(context, [id]);
    if (!member) throw new AppError('resource_not_found');
    return member;
  }

  /** As `getReadable`, for a change: its event reaches the schools of the lessons that were booked a moment ago, too. */
  async getChangeable(context: RequestContext, id: string): Promise<MemberDocument> {
    const { accountId } = await this.getReadable(context, id);
    await this.rights.tryUpdate(systemContext(accountId), [id]);
    return this.getReadable(context, id);
  }

  /** Those of these members that the account may read; without an error where `update` tolerates that scheduling is away. */
  async findReadable(
    context: RequestContext,
    ids: readonly string[],
    update: 'update' | 'tryUpdate' = 'update',
  ): Promise<MemberDocument[]> {
    const find = async () =>
      this.byLaterClocks(context, await this.members.findReadable(context, ids, this.clock.now()));
    const known = await find();
    const others = ids.filter((id) => !known.some(({ _id }) => _id === id));
    if (others.length === 0) return known;
    await this.rights[update](context, others);
    return find();
  }

  /** One page of the members that the account may read. */
  async listReadable(context: RequestContext, query: MembersQuery): Promise<Page<MemberDocument>> {
    const { kind } = context.principal;
    const [at] = await Promise.all([this.clocks.now(context), kind === 'school' && this.rights.tryUpdate(context)]);
    return this.members.listReadable(context, query, { at, lapsed: await this.findLapsed(context, at) });
  }

  // The query knows one time: whom the school lost by a clock that is later than its own is left out by id.
  private async findLapsed(context: RequestContext, at: Date): Promise<string[]> {
    if (context.principal.env === 'live' || context.principal.kind !== 'school') return [];
    const pupils = await this.members.findPupils(context, at);
    const readable = new Set(await this.byLaterClocks(context, pupils));
    return pupils.filter((pupil) => !readable.has(pupil)).map(({ _id }) => _id);
  }

  private async byLaterClocks<M extends Readable & Pick<MemberDocument, 'accountId'>>(
    context: RequestContext,
    readable: M[],
  ): Promise<M[]> {
    const { env, accountId } = context.principal;
    const shared = readable.filter((member) => member.accountId !== accountId);
    if (shared.length === 0) return readable;
    const offsets = await this.clocks.offsetsOf([accountId, ...shared.map((member) => member.accountId)]);
    return readable.filter((member) => {
      const offsetMs = Math.max(offsets.get(accountId) ?? 0, offsets.get(member.accountId) ?? 0);
      return readersAt(member, accountTime(this.clock, env, offsetMs)).includes(accountId);
    });
  }
}
