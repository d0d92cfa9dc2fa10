import { Injectable } from '@nestjs/common';
import { AggregateRepository, type Changed, Databases, type Decision, OutboxRelay, type Scope } from '@swim/mongo';
import { KeyedQueue, type RequestContext } from '@swim/platform';
import { type WalletContents } from './wallet.rules.js';
import { type Wallet, walletSchema } from './wallet.schema.js';

/** Decides what becomes of a wallet: null for nothing; may throw an error. */
export type Decide = (now: WalletContents) => Decision<Wallet> | null;

const EMPTY: WalletContents = { methods: [], defaultId: null };

const scopeOf = ({ principal }: RequestContext): Scope => ({ env: principal.env, accountId: principal.accountId });

/** Memory of wallets, one document for each account. */
@Injectable()
export class MethodsRepository extends AggregateRepository<Wallet> {
  private readonly queue = new KeyedQueue();

  constructor(databases: Databases, relay: OutboxRelay) {
    super(databases.collection('wallets', walletSchema), relay);
  }

  /** The caller's wallet, or an empty one. */
  async find(context: RequestContext): Promise<WalletContents> {
    return (await this.lookUp(scopeOf(context), context.principal.accountId)) ?? EMPTY;
  }

  /** Removes the caller's wallet. */
  async removeOwn(context: RequestContext): Promise<void> {
    await this.remove(scopeOf(context), { _id: context.principal.accountId });
  }

  /** Changes the caller's wallet, which comes into being with its first change. */
  change(context: RequestContext, decide: Decide): Promise<Changed<Wallet>> {
    const { env, accountId } = context.principal;
    // Between replicas `rev` decides; within one it is quicker to stand in line.
    return this.queue.run(`${env}|${accountId}`, async () => {
      const changed = await this.mutate(scopeOf(context), accountId, context, decide);
      if (changed) return changed;
      decide(EMPTY);
      await this.create(context, { _id: accountId, readers: [accountId], ...EMPTY });
      return (await this.mutate(scopeOf(context), accountId, context, decide))!;
    });
  }
}
