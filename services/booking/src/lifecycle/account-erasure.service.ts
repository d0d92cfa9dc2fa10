import { Injectable } from '@nestjs/common';
import { eraseBookingsOfAccount, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AccountRemains, DataKeys } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';

/** Erases the texts of an account's bookings; the bookings stay. */
@Injectable()
export class AccountErasureService {
  constructor(
    private readonly keys: DataKeys,
    private readonly remains: AccountRemains,
  ) {}

  /**
   * Erases as much as the deadline permits; returns whether nothing is left. Destroys the key of the notes first: from then on
   * none is stored, and those in backups are unreadable. Idempotent.
   */
  @Serve(eraseBookingsOfAccount)
  async erase(
    { accountId }: ParsedOf<typeof eraseBookingsOfAccount>,
    context: RequestContext,
  ): Promise<{ done: boolean }> {
    await this.keys.destroy(accountId);
    return { done: await this.remains.erase(accountId, context.deadline) };
  }
}
