import { Injectable } from '@nestjs/common';
import { type Call, KeyedQueue } from '@swim/messaging';
import { AggregateRepository, type Changed, Databases, type Decision, OutboxRelay, type Scope } from '@swim/mongo';
import { type WalletContents } from './wallet.rules.js';
import { type Wallet, walletSchema } from './wallet.schema.js';

/** Decides what becomes of a wallet: null for nothing; may throw a refusal. */
export type Decide = (now: WalletContents) => Decision<Wallet> | null;

const EMPTY: WalletContents = { methods: [], defaultId: null };

const scopeOf = ({ principal }: Call): Scope => ({ env: principal.env, accountId: principal.accountId });

/** Memory of wallets, one document for each account. */
@Injectable()
export class MethodsRepository extends AggregateRepository<Wallet> {
  private readonly queue = new KeyedQueue();

  constructor(databases: Databases, relay: OutboxRelay) {
    super(databases.collection('wallets', walletSchema), relay);
  }

  /** The caller's wallet, or an empty one. */
  async find(call: Call): Promise<WalletContents> {
    return (await this.lookUp(scopeOf(call), call.principal.accountId)) ?? EMPTY;
  }

  /** Changes the caller's wallet, which comes into being with its first change. */
  change(call: Call, decide: Decide): Promise<Changed<Wallet>> {
    const { env, accountId } = call.principal;
    // Between replicas `rev` decides; within one it is quicker to stand in line.
    return this.queue.run(`${env}|${accountId}`, async () => {
      const changed = await this.mutate(scopeOf(call), accountId, call, decide);
      if (changed) return changed;
      decide(EMPTY);
      await this.create(call, { _id: accountId, readers: [accountId], ...EMPTY });
      return (await this.mutate(scopeOf(call), accountId, call, decide))!;
    });
  }
}
