import { Controller } from '@nestjs/common';
import {
  type Account,
  type BusEvent,
  type ErasedMember,
  eraseAccount,
  memberErased,
  type OutputOf,
  type ParsedOf,
  restoreAccount,
} from '@swim/contracts';
import { On, Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { MembersService } from '../members/members.service.js';
import { AccountClosingService } from './account-closing.service.js';
import { ErasuresRepository } from './erasures.repository.js';

@Controller()
export class ErasureController {
  constructor(
    private readonly closing: AccountClosingService,
    private readonly members: MembersService,
    private readonly erasures: ErasuresRepository,
  ) {}

  @Serve(eraseAccount)
  async erase(input: ParsedOf<typeof eraseAccount>, context: RequestContext): Promise<OutputOf<typeof eraseAccount>> {
    return this.closing.erase(input, context);
  }

  @Serve(restoreAccount)
  async restore(input: ParsedOf<typeof restoreAccount>, context: RequestContext): Promise<Account> {
    return this.closing.restore(input, context);
  }

  @On(memberErased)
  async onMemberErased(event: BusEvent<ErasedMember>): Promise<void> {
    const { env, object } = event;
    const erasedAt = new Date(object.erased_at);
    await this.erasures.list(env, { _id: object.id, accountId: object.account_id, erasedAt });
    await this.members.forget(event);
  }
}
