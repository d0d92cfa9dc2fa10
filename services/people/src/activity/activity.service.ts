import { Injectable } from '@nestjs/common';
import { newId, type RequestContext, sharedClock } from '@swim/platform';
import { ActivityRepository } from './activity.repository.js';

/** What users do with sign-ins, passwords, users and invitations; requests for data are in the log of requests. */
export type Action = 'signed_up' | 'signed_in' | 'signed_out' | 'signed_out_everywhere' | 'password_reset';

/** Who did something. */
export interface Actor {
  _id: string;
  accountId: string;
}

/** The log of what the users of an account did. */
@Injectable()
export class ActivityService {
  constructor(private readonly entries: ActivityRepository) {}

  /** Stores an entry; resolves when it is stored. */
  async record(
    { _id: userId, accountId }: Actor,
    action: Action,
    { network }: Pick<RequestContext, 'network'>,
    object: string | null = null,
  ): Promise<void> {
    const createdAt = sharedClock.now();
    await this.entries.insert({ _id: newId('act'), readers: [accountId], userId, action, object, network, createdAt });
  }
}
