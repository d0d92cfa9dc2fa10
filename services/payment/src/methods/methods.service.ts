import { Inject, Injectable } from '@nestjs/common';
import {
  addPaymentMethod,
  getPaymentMethod,
  type ListFilters,
  listPaymentMethods,
  type Page,
  type ParsedOf,
  type PaymentMethod,
  paymentMethodAdded,
  paymentMethodRemoved,
  type removePaymentMethod,
  updatePaymentMethod,
} from '@swim/contracts';
import { ownerContext, RpcClient, Serve } from '@swim/messaging';
import type { Decision } from '@swim/mongo';
import { AppError, Clock, CursorCodec, type RequestContext, systemContext, timeOfId } from '@swim/platform';
import { type Processor, Processors } from '../processor/processors.service.js';
import { CustomersService, requireOwn, tooManyMethods } from './customers.service.js';
import { changedAt, toPaymentMethod } from './method.mapper.js';
import { type Decide, MethodsRepository } from './methods.repository.js';
import {
  defaultAfter,
  findMethod,
  isDetaching,
  isFull,
  sliceOf,
  type WalletContents,
  type WalletMethod,
  withMethod,
  withoutMethod,
  withTimes,
} from './wallet.rules.js';
import type { Wallet } from './wallet.schema.js';

// A method has one event when it is added and one when it is removed.
const FIRST_EVENT = 1;
const LAST_EVENT = 2;

function getMethod(wallet: WalletContents, id: string): WalletMethod {
  const method = findMethod(wallet, id);
  if (!method) throw new AppError('resource_not_found', { field: 'payment_method_id' });
  return method;
}

/** Whether a list with these filters has a method. Texts of instants sort by time. */
function matches(method: WalletMethod, { ids, updated_from: from, updated_to: to }: ListFilters): boolean {
  const at = changedAt(method).toISOString();
  return (!ids || ids.includes(method.id)) && (!from || at >= from) && (!to || at < to);
}

const TOKEN = { field: 'processor_payment_method_id' };

const UNKNOWN_TEST_CARD = `${TOKEN.field} must name a test card of the sandbox, such as pm_card_visa; \`allowed\` lists them.`;

const unknownMethod = ({ tokens }: Processor) =>
  new AppError('invalid_payment_method', {
    ...TOKEN,
    ...(tokens ? { message: UNKNOWN_TEST_CARD, bounds: { allowed: [...tokens] } } : {}),
  });

function adding(method: WalletMethod, asDefault: boolean, processor: Processor): Decide {
  return (now) => {
    if (findMethod(now, method.id)) return null;
    if (isFull(now)) throw tooManyMethods();
    if (isDetaching(now, method.token)) throw unknownMethod(processor);
    const object = (after: Wallet) => toPaymentMethod(method, after);
    return {
      set: withMethod(now, method, asDefault),
      events: [{ type: paymentMethodAdded, object, about: { id: method.id, n: FIRST_EVENT } }],
    };
  };
}

function removing(id: string, at: Date): Decide {
  return (now) => {
    const object = toPaymentMethod(getMethod(now, id), now);
    if (now.charging?.some(({ methodId }) => methodId === id))
      throw new AppError('change_in_progress', { field: 'payment_method_id', retryAfterSeconds: 1 });
    const after = withoutMethod(now, id);
    return {
      set: { ...after, ...(after.detaching ? { detachAt: at } : {}) },
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
        message: 'The only payment method of an account is its default. Add another one first.',
      });
    return defaultId === now.defaultId ? null : { set: { defaultId } };
  };
}

/** A charge by the consent of an account. */
interface ConsentedCharge {
  accountId: string;
  methodId: string;
  paymentId: string;
}

/** The wallet of an account: its payment methods. */
@Injectable()
export class MethodsService {
  @Inject(CustomersService) private readonly customers!: CustomersService;

  constructor(
    private readonly wallets: MethodsRepository,
    private readonly processors: Processors,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    private readonly rpc: RpcClient,
  ) {}

  @Serve(addPaymentMethod)
  async add(input: ParsedOf<typeof addPaymentMethod>, context: RequestContext): Promise<PaymentMethod> {
    requireOwn(input.account_id, context);
    // The method may have filled the wallet, or be removed since: it is not attached once more.
    const earlier = await this.wallets.findEarlierAnswer(context);
    if (earlier !== undefined) return earlier as PaymentMethod;
    const processor = this.processors.current();
    const attached = await this.attach(input.processor_payment_method_id, processor, context);
    if (!attached) throw unknownMethod(processor);
    if ('failureCode' in attached)
      throw new AppError('card_declined', { ...TOKEN, details: { decline_code: attached.failureCode } });
    const method = { ...attached, id: context.newId('pm') };
    return this.change(context, adding(method, input.is_default, processor), (after) => toPaymentMethod(method, after));
  }

  /** The context of the account of a method, where a school acts for it. */
  async asOwner(id: string, context: RequestContext, kind?: { reads: boolean }): Promise<RequestContext> {
    const owner = context.principal.kind === 'school' ? await this.wallets.findOwnerOf(id) : null;
    return (owner && (await ownerContext(this.rpc, owner, context, kind))) || context;
  }

  /** A method of the requesting account. */
  @Serve(getPaymentMethod)
  async get(
    { payment_method_id: id }: ParsedOf<typeof getPaymentMethod>,
    context: RequestContext,
  ): Promise<PaymentMethod> {
    const wallet = await this.wallets.find(await this.asOwner(id, context, { reads: true }));
    return toPaymentMethod(getMethod(wallet, id), wallet);
  }

  @Serve(listPaymentMethods)
  async list(input: ParsedOf<typeof listPaymentMethods>, context: RequestContext): Promise<Page<PaymentMethod>> {
    requireOwn(input.account_id, context);
    const { accountId, env } = context.principal;
    const { limit: _, offset: __, cursor: ___, ...filters } = input;
    const bound = { list: 'payment.listMethods', accountId, env, filters };
    const afterId = input.cursor === undefined ? undefined : String(this.cursors.decode(input.cursor, bound)[0]);
    const wallet = await this.wallets.find(context);
    const matching = wallet.methods.filter((method) => matches(method, filters));
    const { items, hasMore } = sliceOf(matching, { ...input, afterId });
    return {
      items: items.map((method) => toPaymentMethod(method, wallet)),
      pagination: {
        has_more: hasMore,
        next_cursor: hasMore ? this.cursors.encode([items.at(-1)!.id], bound) : null,
        total: matching.length,
      },
    };
  }

  @Serve(updatePaymentMethod)
  async update(
    { payment_method_id: id, changes }: ParsedOf<typeof updatePaymentMethod>,
    context: RequestContext,
  ): Promise<PaymentMethod> {
    return this.change(await this.asOwner(id, context), movingDefault(id, changes.is_default!), (after) =>
      toPaymentMethod(getMethod(after, id), after),
    );
  }

  /** `change_in_progress` while it is charged by consent. */
  async remove(
    { payment_method_id: id }: ParsedOf<typeof removePaymentMethod>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    return this.change(context, removing(id, this.clock.now()), () => ({}));
  }

  /** The account's methods made before an instant. */
  async idsBefore(before: Date, context: RequestContext): Promise<string[]> {
    const { methods } = await this.wallets.find(context);
    return methods.map(({ id }) => id).filter((id) => timeOfId(id) < before);
  }

  /** Marks a method as charged by a payment, by the consent of its account; `no_consent` when it is removed. Idempotent. */
  async use({
    accountId,
    methodId,
    paymentId,
  }: ConsentedCharge): Promise<{ token: string; customerId: string | null }> {
    const { document } = await this.wallets.change(systemContext(accountId), (now) => {
      if (!findMethod(now, methodId)) throw new AppError('no_consent', { field: 'booking_id' });
      const { charging = [] } = now;
      if (charging.some((each) => each.paymentId === paymentId)) return null;
      return { set: { charging: [...charging, { methodId, paymentId }] }, unseen: true };
    });
    return { token: findMethod(document, methodId)!.token, customerId: document.customerId ?? null };
  }

  /** Ends the marks of payments. Idempotent. */
  async release(accountId: string, paymentIds: readonly string[]): Promise<void> {
    const context = systemContext(accountId);
    if ((await this.chargesOf(context)).every((id) => !paymentIds.includes(id))) return;
    await this.wallets.change(context, ({ charging = [] }) => {
      const left = charging.filter(({ paymentId }) => !paymentIds.includes(paymentId));
      return left.length === charging.length ? null : { set: { charging: left }, unseen: true };
    });
  }

  /** The payments that are marked as charging methods of the account. */
  async chargesOf(context: RequestContext): Promise<string[]> {
    const { charging = [] } = await this.wallets.find(context);
    return charging.map(({ paymentId }) => paymentId);
  }

  /** Removes the account with all its methods at the processor, and then the wallet. Idempotent. */
  async removeAll(context: RequestContext): Promise<void> {
    const { customerId } = await this.wallets.find(context);
    if (customerId) await this.processors.current().removeCustomer(customerId);
    await this.wallets.removeOwn(context);
  }

  /** What the processor charges by the account's own method that a payment names; `not_found` when there is none. */
  async getOwnMethod(id: string, context: RequestContext): Promise<{ token: string; customerId: string | null }> {
    const wallet = await this.wallets.find(context);
    const method = findMethod(wallet, id);
    if (!method) throw new AppError('not_found', { field: 'payment_method_id' });
    return { token: method.token, customerId: wallet.customerId ?? null };
  }

  /** Attaches a method at the processor, or only describes it for a dry run; null when the processor does not know it. */
  private async attach(
    token: string,
    processor: Processor,
    context: RequestContext,
  ): ReturnType<Processor['attachMethod']> {
    const wallet = await this.wallets.find(context);
    if (isFull(wallet)) throw tooManyMethods();
    if (isDetaching(wallet, token)) throw unknownMethod(processor);
    if (!context.dryRun) return processor.attachMethod(token, await this.customers.obtain(wallet, context));
    const card = await processor.describeMethod(token, wallet.customerId ?? null);
    return card && { ...card, token };
  }

  private async change<T>(context: RequestContext, decide: Decide, answer: (after: WalletContents) => T): Promise<T> {
    const at = this.clock.now();
    const decideWithTimes: Decide = (now) => {
      const decision = decide(now);
      return (
        decision && { ...decision, set: { ...decision.set, methods: withTimes(now, { ...now, ...decision.set }, at) } }
      );
    };
    if (context.dryRun) {
      const now = await this.wallets.find(context);
      return answer({ ...now, ...decideWithTimes(now)?.set });
    }
    const remembering = (now: WalletContents): Decision<Wallet> | null => {
      const decision = decideWithTimes(now);
      return decision && { ...decision, answer };
    };
    const { document, earlierAnswer } = await this.wallets.change(context, remembering);
    return earlierAnswer === undefined ? answer(document) : (earlierAnswer as T);
  }
}
