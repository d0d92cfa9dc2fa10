import { Controller } from '@nestjs/common';
import {
  createMember,
  eraseMember,
  getMember,
  listMembers,
  listOwnMembers,
  type Member,
  type Page,
  type ParsedOf,
  updateMember,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { MembersService } from './members.service.js';

@Controller()
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Serve(createMember)
  async create(input: ParsedOf<typeof createMember>, context: RequestContext): Promise<Member> {
    return this.members.create(input, context);
  }

  @Serve(getMember)
  async get(input: ParsedOf<typeof getMember>, context: RequestContext): Promise<Member> {
    return this.members.get(input.member_id, context);
  }

  @Serve(listMembers)
  async list(input: ParsedOf<typeof listMembers>, context: RequestContext): Promise<Page<Member>> {
    return this.members.list(input, context);
  }

  @Serve(listOwnMembers)
  async listOwn(input: ParsedOf<typeof listOwnMembers>, context: RequestContext): Promise<Page<Member>> {
    return this.members.listOwn(input, context);
  }

  @Serve(updateMember)
  async update(input: ParsedOf<typeof updateMember>, context: RequestContext): Promise<Member> {
    return this.members.update(input, context);
  }

  @Serve(eraseMember)
  async erase(input: ParsedOf<typeof eraseMember>, context: RequestContext): Promise<Record<string, never>> {
    return this.members.erase(input, context);
  }
}
