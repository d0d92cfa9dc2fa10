import { Injectable } from '@nestjs/common';
import { type ParsedOf, setUpPaymentMethod } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
import { Processors } from '../processor/processors.service.js';
import { type Decide, MethodsRepository } from './methods.repository.js';
import { isFull, MOST_METHODS, type WalletContents } from './wallet.rules.js';

export function requireOwn(accountId: string, { principal }: RequestContext): void {
  if (accountId !== principal.accountId) throw new AppError('foreign_account', { field: 'account_id' });
}

export const tooManyMethods = (): AppError =>
  new AppError('limit_reached', {
    message: `An account may have ${MOST_METHODS} payment methods. Remove one first.`,
    details: { maximum: MOST_METHODS },
  });

/** The processor's customer of an account, for whom it keeps methods. */
@Injectable()
export class CustomersService {
  constructor(
    private readonly wallets: MethodsRepository,
    private readonly processors: Processors,
  ) {}

  /** What the processor's browser library keeps becomes a method of the account when it is added. */
  @Serve(setUpPaymentMethod)
  async setUp({ account_id }: ParsedOf<typeof setUpPaymentMethod>, context: RequestContext) {
    requireOwn(account_id, context);
    const processor = this.processors.current();
    const wallet = await this.wallets.find(context);
    if (isFull(wallet)) throw tooManyMethods();
    return { client_secret: context.dryRun ? null : await processor.setUpMethod(await this.obtain(wallet, context)) };
  }

  /** The customer of the account, stored before anything is attached to it; null where the processor keeps none. */
  async obtain({ customerId: known }: WalletContents, context: RequestContext): Promise<string | null> {
    const { accountId } = context.principal;
    const customerId = known ?? (await this.processors.current().createCustomer(accountId));
    if (known || customerId === null) return customerId;
    const keep: Decide = (now) => (now.customerId ? null : { set: { customerId }, unseen: true });
    return (await this.wallets.change(context, keep)).document.customerId ?? null;
  }
}
