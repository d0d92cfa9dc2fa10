import { Injectable } from '@nestjs/common';
import {
  AggregateRepository,
  asSystem,
  type Changed,
  Databases,
  type Decision,
  OutboxRelay,
  type Scope,
} from '@swim/mongo';
import { KeyedQueue, type RequestContext } from '@swim/platform';
import type { WalletContents } from './wallet.rules.js';
import { type Wallet, walletSchema } from './wallet.schema.js';

/** Decides on the change of a wallet: null for none; may throw an error. */
export type Decide = (now: WalletContents) => Decision<Wallet> | null;

const EMPTY: WalletContents = { methods: [], defaultId: null };

/** Longer than the processor takes to remove the methods of one wallet. */
const DETACHING_MS = 60_000;

const scopeOf = ({ principal }: RequestContext): Scope => ({ accountId: principal.accountId });

/** Storage of wallets, one document per account. */
@Injectable()
export class MethodsRepository extends AggregateRepository<Wallet> {
  /** Wallets with removed methods that the processor still keeps. */
  readonly detaching = this.work({
    name: 'payment-methods',
    due: 'detachAt',
    reason: 'methods are removed at the processor for all accounts',
    leaseMs: DETACHING_MS,
    atOnce: 16,
  });

  private readonly queue = new KeyedQueue();

  constructor(databases: Databases, relay: OutboxRelay) {
    super(databases.collection('wallets', walletSchema), relay);
  }

  /** The account's wallet, or an empty one. */
  async find(context: RequestContext): Promise<WalletContents> {
    return (await this.lookUp(scopeOf(context), context.principal.accountId)) ?? EMPTY;
  }

  /** The account whose wallet has a method; null without one. */
  async findOwnerOf(methodId: string): Promise<string | null> {
    const scope = asSystem('a school acts for accounts that nobody has claimed');
    const [wallet] = await this.findPicked(scope, { 'methods.id': methodId }, [], { limit: 1 });
    return wallet?._id ?? null;
  }

  /** The answer that an earlier run of the request stored with the wallet; undefined without one. */
  async findEarlierAnswer(context: RequestContext): Promise<unknown> {
    const wallet = await this.lookUp(scopeOf(context), context.principal.accountId);
    return wallet ? this.findAnswer(wallet, context) : undefined;
  }

  /** Removes the account's wallet. */
  async removeOwn(context: RequestContext): Promise<void> {
    await this.remove(scopeOf(context), { _id: context.principal.accountId });
  }

  /** Drops tokens that the processor keeps no more. */
  async markDetached({ _id }: Wallet, tokens: readonly string[], context: RequestContext): Promise<void> {
    await this.mutate(scopeOf(context), _id, context, ({ detaching = [] }) => {
      const left = detaching.filter((token) => !tokens.includes(token));
      return { set: { detaching: left, ...(left.length === 0 ? { detachAt: null } : {}) }, unseen: true };
    });
  }

  /** Changes the account's wallet; the first change stores it. */
  change(context: RequestContext, decide: Decide): Promise<Changed<Wallet>> {
    const { env, accountId } = context.principal;
    // `rev` serialises replicas; within one, a queue avoids needless retries.
    return this.queue.run(`${env}|${accountId}`, async () => {
      const changed = await this.mutate(scopeOf(context), accountId, context, decide);
      if (changed) return changed;
      decide(EMPTY);
      await this.create(context, { _id: accountId, readers: [accountId], ...EMPTY });
      return (await this.mutate(scopeOf(context), accountId, context, decide))!;
    });
  }
}
