import { Injectable } from '@nestjs/common';
import type { EndedSubscription, MessageKind, Principal } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type EndedSubscriptions, endedSubscriptionsSchema } from './ended-subscriptions.schema.js';

const sending = asSystem('the link in a message names its account');

/** An address of an account, and a kind of message to it. */
export interface Subscription {
  accountId: string;
  /** The name of the address, by `addressName`. */
  address: string;
  kind: MessageKind;
}

const entryOf = ({ kind, address }: Subscription): string => `${kind}|${address}`;

/** Storage of the messages that accounts want no longer. */
@Injectable()
export class SubscriptionsRepository extends Repository<EndedSubscriptions> {
  constructor(databases: Databases) {
    super(databases.collection('ended_subscriptions', endedSubscriptionsSchema));
  }

  /** Ends messages of this kind to this address. Idempotent. */
  async end(subscription: Subscription): Promise<void> {
    const { accountId: _id } = subscription;
    await this.tryInsert(sending, { _id, readers: [_id], ended: [] });
    await this.update(sending, { _id }, { $addToSet: { ended: entryOf(subscription) } });
  }

  /** Begins them again. Idempotent. */
  async resume(subscription: Subscription): Promise<void> {
    await this.update(sending, { _id: subscription.accountId }, { $pull: { ended: entryOf(subscription) } });
  }

  /** The kinds of message that an account has ended. */
  async listEnded({ env, accountId }: Pick<Principal, 'env' | 'accountId'>): Promise<EndedSubscription[]> {
    const found = await this.lookUp({ env, accountId }, accountId);
    return (found?.ended ?? []).map((entry) => {
      const [kind, address_hash] = entry.split('|') as [MessageKind, string];
      return { kind, address_hash };
    });
  }

  /** Answers whether messages are ended, for these accounts. */
  async findEnded(accountIds: readonly string[]): Promise<(subscription: Subscription) => boolean> {
    const found = await this.lookUpAll(sending, accountIds);
    const ended = new Map(found.map((each) => [each._id, new Set(each.ended)]));
    return (subscription) => ended.get(subscription.accountId)?.has(entryOf(subscription)) ?? false;
  }
}
