import { Injectable } from '@nestjs/common';
import type { describeParty, ParsedOf, Party } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AccountsService } from '../accounts/accounts.service.js';
import { InstructorsService } from '../instructors/instructors.service.js';
import { MembersService } from '../members/members.service.js';

/** Who meets in a lesson: the teacher with the rules of the school, and the members. */
@Injectable()
export class PartiesService {
  constructor(
    private readonly instructors: InstructorsService,
    private readonly members: MembersService,
    private readonly accounts: AccountsService,
  ) {}

  async describe({ instructorId, memberIds }: ParsedOf<typeof describeParty>, call: Call): Promise<Party> {
    const [instructor, members] = await Promise.all([
      this.instructors.findTeacher(instructorId, call),
      this.members.findUsable(memberIds, call),
    ]);
    const school = instructor && (await this.accounts.findFacts(call.principal.env, instructor.schoolId));
    return { instructor, policies: school?.policies ?? null, members };
  }
}
