import { Injectable } from '@nestjs/common';
import type { Managed } from '@swim/mongo';
import { systemContext } from '@swim/platform';
import { HoldReleaseService } from '../holds/hold-release.service.js';
import { ConnectionsService } from '../participants/connections.service.js';
import { WaitlistRepository } from './storage/waitlist.repository.js';
import type { WaitlistDocument } from './storage/waitlist.schema.js';

/** Connections of accounts with the schools in whose lines they are. */
@Injectable()
export class UnconnectedEntries {
  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly connections: ConnectionsService,
    private readonly ends: HoldReleaseService,
  ) {}

  /** Gives the school its right to read the member before the event that the member waits. */
  async connect({
    schoolId,
    accountId,
    memberId,
    connectionGen: generation,
  }: Omit<WaitlistDocument, Managed>): Promise<void> {
    const connection = generation === undefined ? undefined : { generation, names: false };
    await this.connections.connect({ schoolId, accountId, connection }, [memberId]);
  }

  /**
   * Ends an entry that was stored after the end of the connection by which it was joined: the end has not found it. Returns
   * whether it was. Idempotent.
   */
  async leaveIfVoid(entry: WaitlistDocument): Promise<boolean> {
    const { _id, accountId } = entry;
    if (!(await this.connections.isVoid(entry))) return false;
    const now = await this.waitlist.findVisible(systemContext(accountId), _id);
    if (now?.status === 'offered' && now.offer) await this.ends.withdraw(now.offer.holdId);
    // One whose offer was booked meanwhile ends with that booking.
    if (now) await this.waitlist.markLeft(systemContext(accountId), _id);
    return true;
  }
}
