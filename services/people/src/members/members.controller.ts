import { Controller } from '@nestjs/common';
import {
  type BusEvent,
  createMember,
  type ErasedMember,
  eraseMember,
  getMember,
  listMembers,
  type Member,
  memberErased,
  type Page,
  type ParsedOf,
  type SessionObject,
  sessionCreated,
  updateMember,
} from '@swim/contracts';
import { type Call, On, Serve } from '@swim/messaging';
import { MembersService } from './members.service.js';

@Controller()
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Serve(createMember)
  async create(input: ParsedOf<typeof createMember>, call: Call): Promise<Member> {
    return this.members.create(input, call);
  }

  @Serve(getMember)
  async get(input: ParsedOf<typeof getMember>, call: Call): Promise<Member> {
    return this.members.get(input.member_id, call);
  }

  @Serve(listMembers)
  async list(input: ParsedOf<typeof listMembers>, call: Call): Promise<Page<Member>> {
    return this.members.list(input, call);
  }

  @Serve(updateMember)
  async update(input: ParsedOf<typeof updateMember>, call: Call): Promise<Member> {
    return this.members.update(input, call);
  }

  @Serve(eraseMember)
  async erase(input: ParsedOf<typeof eraseMember>, call: Call): Promise<Record<string, never>> {
    return this.members.erase(input, call);
  }

  @On(sessionCreated)
  async onSessionCreated(event: BusEvent<SessionObject>): Promise<void> {
    await this.members.admitSchool(event);
  }

  @On(memberErased)
  async onMemberErased(event: BusEvent<ErasedMember>): Promise<void> {
    await this.members.forgetAnswers(event);
  }
}
