import { Injectable } from '@nestjs/common';
import type { Page, RecordedAction } from '@swim/contracts';
import type { ListQuery } from '@swim/mongo';
import { currentEnvironment, newId, type RequestContext, sharedClock, timeOfId } from '@swim/platform';
import { ActivityRepository } from './activity.repository.js';
import type { ActivityEntryDocument } from './activity-entry.schema.js';

/** What users do with sign-ins, passwords, users and invitations, which belong to neither environment. */
export type Action =
  | 'signed_up'
  | 'signed_in'
  | 'sign_in_failed'
  | 'second_factor_failed'
  | 'signed_out'
  | 'signed_out_everywhere'
  | 'account_switched'
  | 'session_ended'
  | 'password_reset'
  | 'password_changed'
  | 'password_failed'
  | 'totp_enabled'
  | 'totp_disabled'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes_replaced'
  | 'role_changed'
  | 'user_removed'
  | 'invitation_created'
  | 'invitation_removed'
  | 'invitation_accepted';

/** A user who did something in an account; without one it concerns all accounts of the user. */
export interface Actor {
  _id: string;
  accountId?: string;
  readers: readonly string[];
}

/** The log of what the users of an account did. */
@Injectable()
export class ActivityService {
  constructor(private readonly entries: ActivityRepository) {}

  /** Stores an entry; resolves when it is stored. */
  async record(
    { _id: userId, accountId, readers }: Actor,
    action: Action,
    { network }: Pick<RequestContext, 'network'>,
    object: string | null = null,
  ): Promise<void> {
    const createdAt = sharedClock.now();
    const entry = { userId, action, object, network, createdAt, env: null };
    const accountIds = accountId === undefined ? readers : [accountId];
    await this.entries.insertAll(accountIds.map((each) => ({ _id: newId('act'), readers: [each], ...entry })));
  }

  /** Stores what users changed by public routes. Idempotent. */
  recordAll(actions: readonly RecordedAction[]): Promise<void> {
    const env = currentEnvironment();
    return this.entries.insertAll(
      actions.map(({ id, account_id, user_id: userId, ...rest }) => ({
        _id: id,
        readers: [account_id],
        userId,
        ...rest,
        env,
        createdAt: timeOfId(id),
      })),
    );
  }

  /** The entries of the requesting account, newest first. */
  list(query: ListQuery, context: RequestContext): Promise<Page<ActivityEntryDocument>> {
    return this.entries.list(context, query);
  }

  /** Removes the entries of an erased account. Idempotent. */
  removeAllOf(accountId: string): Promise<void> {
    return this.entries.removeAllOf(accountId);
  }
}
