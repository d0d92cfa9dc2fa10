import { Injectable } from '@nestjs/common';
import {
  type addPaymentMethod,
  type listPaymentMethods,
  type Page,
  type ParsedOf,
  type PaymentMethod,
  paymentMethodAdded,
  paymentMethodRemoved,
  type updatePaymentMethod,
} from '@swim/contracts';
import { type Decision, hasTimeFor } from '@swim/mongo';
import { AppError, CursorCodec, type RequestContext } from '@swim/platform';
import { Processors } from '../processor/processors.service.js';
import { toPaymentMethod } from './method.mapper.js';
import { type Decide, MethodsRepository } from './methods.repository.js';
import {
  defaultAfter,
  findMethod,
  isFull,
  sliceOf,
  type WalletContents,
  type WalletMethod,
  withMethod,
  withoutMethod,
} from './wallet.rules.js';
import type { Wallet } from './wallet.schema.js';

// A method has one event when it is added and one when it is removed.
const FIRST_EVENT = 1;
const LAST_EVENT = 2;

function requireOwn(accountId: string, { principal }: RequestContext): void {
  if (accountId !== principal.accountId) throw new AppError('foreign_account', { field: 'account_id' });
}

function getMethod(wallet: WalletContents, id: string): WalletMethod {
  const method = findMethod(wallet, id);
  if (!method) throw new AppError('resource_not_found', { field: 'payment_method_id' });
  return method;
}

function adding(method: WalletMethod, asDefault: boolean): Decide {
  return (now) => {
    if (findMethod(now, method.id)) return null;
    if (isFull(now)) throw new AppError('limit_reached');
    const object = (after: Wallet) => toPaymentMethod(method, after);
    return {
      set: withMethod(now, method, asDefault),
      events: [{ type: paymentMethodAdded, object, about: { id: method.id, n: FIRST_EVENT } }],
    };
  };
}

function removing(id: string): Decide {
  return (now) => {
    const object = toPaymentMethod(getMethod(now, id), now);
    return {
      set: withoutMethod(now, id),
      events: [{ type: paymentMethodRemoved, object: () => object, about: { id, n: LAST_EVENT } }],
    };
  };
}

function movingDefault(id: string, isDefault: boolean): Decide {
  return (now) => {
    getMethod(now, id);
    const defaultId = defaultAfter(now, id, isDefault);
    if (defaultId === null)
      throw new AppError('invalid_state', {
        field: 'is_default',
        message: 'The only payment method of an account is its default.',
      });
    return defaultId === now.defaultId ? null : { set: { defaultId } };
  };
}

/** The wallet of an account: its payment methods. */
@Injectable()
export class MethodsService {
  constructor(
    private readonly wallets: MethodsRepository,
    private readonly processors: Processors,
    private readonly cursors: CursorCodec,
  ) {}

  async add(input: ParsedOf<typeof addPaymentMethod>, context: RequestContext): Promise<PaymentMethod> {
    requireOwn(input.account_id, context);
    const token = input.processor_payment_method_id;
    const card = await this.processors.of(context.principal.env).describeMethod(token);
    if (!card) throw new AppError('invalid_payment_method', { field: 'processor_payment_method_id' });
    const method = { id: context.newId('pm'), token, ...card };
    return this.change(context, adding(method, input.is_default), (after) => toPaymentMethod(method, after));
  }

  /** A method of the requesting account. */
  async get(id: string, context: RequestContext): Promise<PaymentMethod> {
    const wallet = await this.wallets.find(context);
    return toPaymentMethod(getMethod(wallet, id), wallet);
  }

  async list(input: ParsedOf<typeof listPaymentMethods>, context: RequestContext): Promise<Page<PaymentMethod>> {
    requireOwn(input.account_id, context);
    const { accountId, env } = context.principal;
    const bound = { list: 'payment.listMethods', accountId, env, filters: {} };
    const afterId = input.cursor === undefined ? undefined : String(this.cursors.decode(input.cursor, bound)[0]);
    const wallet = await this.wallets.find(context);
    const { items, hasMore } = sliceOf(wallet.methods, { ...input, afterId });
    return {
      items: items.map((method) => toPaymentMethod(method, wallet)),
      pagination: {
        has_more: hasMore,
        next_cursor: hasMore ? this.cursors.encode([items.at(-1)!.id], bound) : null,
        total: wallet.methods.length,
      },
    };
  }

  async update(
    { payment_method_id: id, changes }: ParsedOf<typeof updatePaymentMethod>,
    context: RequestContext,
  ): Promise<PaymentMethod> {
    return this.change(context, movingDefault(id, changes.is_default!), (after) =>
      toPaymentMethod(getMethod(after, id), after),
    );
  }

  async remove(id: string, context: RequestContext): Promise<Record<string, never>> {
    return this.change(context, removing(id), () => ({}));
  }

  /** Removes all methods, at the processor first, and then the wallet; returns whether the deadline sufficed. Idempotent. */
  async removeAll(context: RequestContext): Promise<boolean> {
    for (const { token } of (await this.wallets.find(context)).methods) {
      if (!hasTimeFor(context.deadline)) return false;
      await this.processors.of(context.principal.env).removeMethod(token);
    }
    await this.wallets.removeOwn(context);
    return true;
  }

  /** The account's own method that a payment names; `not_found` when there is none. */
  async getOwnMethod(id: string, context: RequestContext): Promise<WalletMethod> {
    const method = findMethod(await this.wallets.find(context), id);
    if (!method) throw new AppError('not_found', { field: 'payment_method_id' });
    return method;
  }

  private async change<T>(context: RequestContext, decide: Decide, answer: (after: WalletContents) => T): Promise<T> {
    if (context.dryRun) {
      const now = await this.wallets.find(context);
      return answer({ ...now, ...decide(now)?.set });
    }
    const remembering = (now: WalletContents): Decision<Wallet> | null => {
      const decision = decide(now);
      return decision && { ...decision, answer };
    };
    const { document, earlierAnswer } = await this.wallets.change(context, remembering);
    return earlierAnswer === undefined ? answer(document) : (earlierAnswer as T);
  }
}
