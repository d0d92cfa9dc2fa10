import { Injectable } from '@nestjs/common';
import { type BusEvent, isCausedBy, sessionCreated, sessionRescheduled } from '@swim/contracts';
import { Clock, type RequestContext } from '@swim/platform';
import { ConnectionsRepository } from './connections.repository.js';

/** An object of an account with a school, as its events have it. */
export interface Shared {
  account_id: string;
  date?: string | null;
}

const CHOOSES_DATE: readonly string[] = [sessionCreated.type, sessionRescheduled.type];

/** Has connections last while their accounts do something with the school: what the school does prolongs nothing. */
@Injectable()
export class ConnectionActivity {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly clock: Clock,
  ) {}

  /** Notes what the requesting account does now with an object of a school. */
  async noteOwn(schoolId: string, { principal: { accountId, actingSchoolId } }: RequestContext): Promise<void> {
    if (actingSchoolId === undefined) await this.connections.prolong({ schoolId, accountId }, this.clock.now(), false);
  }

  /** Notes what an account has done with an object that its school sees, and the date that it has chosen for a lesson. Idempotent. */
  async note({ type, cause, occurredAt, audience, object }: BusEvent<Shared>): Promise<void> {
    const { account_id: accountId, date } = object;
    const schoolId = audience.find((id) => id !== accountId);
    if (!schoolId || !isCausedBy(accountId, cause)) return;
    const pair = { schoolId, accountId };
    await this.connections.prolong(pair, new Date(occurredAt), false);
    if (date && CHOOSES_DATE.includes(type)) await this.connections.prolong(pair, new Date(date), true);
  }
}
