import { Injectable } from '@nestjs/common';
import type { describeParticipants, ParsedOf, Participants } from '@swim/contracts';
import { clockOffsetIn, type RequestContext } from '@swim/platform';
import { AccountClocksService } from '../accounts/account-clocks.service.js';
import { AccountsService, isEnding } from '../accounts/accounts.service.js';
import { InstructorsService } from '../instructors/instructors.service.js';
import { MembersService } from '../members/members.service.js';

/** Describes the participants of a lesson: the instructor with the school's rules, and the members. */
@Injectable()
export class ParticipantsService {
  constructor(
    private readonly instructors: InstructorsService,
    private readonly members: MembersService,
    private readonly accounts: AccountsService,
    private readonly clocks: AccountClocksService,
  ) {}

  async describe(
    { instructorId, memberIds }: ParsedOf<typeof describeParticipants>,
    context: RequestContext,
  ): Promise<Participants> {
    const [instructor, members] = await Promise.all([
      instructorId === null ? null : this.instructors.findTeacher(instructorId, context),
      this.members.findUsable(memberIds, context),
    ]);
    const { env, accountId } = context.principal;
    const [member] = members.filter((each) => each !== null);
    // Both read accounts, with one query.
    const [school, clockOffsetMs] = await Promise.all([
      instructor && this.accounts.findFacts(env, instructor.schoolId),
      this.clocks.latestOffset(env, [member?.accountId ?? accountId, ...(instructor ? [instructor.schoolId] : [])]),
    ]);
    // A school that is about to be erased gets no new sessions.
    const teacher =
      instructor && school && isEnding(school) ? { ...instructor, status: 'inactive' as const } : instructor;
    return { instructor: teacher, policies: school?.policies ?? null, members, ...clockOffsetIn(env, clockOffsetMs) };
  }
}
