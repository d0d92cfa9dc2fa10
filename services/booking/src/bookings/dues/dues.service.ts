import { Injectable } from '@nestjs/common';
import { describeDues, findOwing, type OutputOf, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { duesAt } from '../../money/due-parts.rules.js';
import { DuesRepository } from './dues.repository.js';

/** What families owe a school on bookings. */
@Injectable()
export class DuesService {
  constructor(private readonly dues: DuesRepository) {}

  @Serve(findOwing)
  async findOwing(_: ParsedOf<typeof findOwing>, context: RequestContext): Promise<OutputOf<typeof findOwing>> {
    return { accountIds: await this.dues.findOwing(context) };
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
