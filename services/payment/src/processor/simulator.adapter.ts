import { Inject, Injectable } from '@nestjs/common';
import { Clock, CONFIG } from '@swim/platform';
import type { Config } from '../config.js';
import type {
  AttachedMethod,
  Card,
  Charge,
  ChargeOutcome,
  Dispute,
  Processor,
  RefundOutcome,
  RefundRequest,
} from './processor.js';
import { type Decided, SandboxRepository } from './sandbox.repository.js';
import { describeCard, disputeOf, failsFirstRefund, verdictOn } from './sandbox.rules.js';
import type { SandboxCharge, SandboxRefund } from './sandbox.schema.js';

function outcomeOf({ state, failureCode }: SandboxCharge): ChargeOutcome {
  if (state === 'failed') return { status: 'failed', failureCode: failureCode! };
  return { status: state === 'processing' ? 'unknown' : state };
}

function decide({ token, capture }: Charge): Decided {
  const verdict = verdictOn(token);
  const settlesAs = capture ? 'succeeded' : 'authorized';
  return { ...verdict, settlesAs, state: verdict.state === 'succeeded' ? settlesAs : verdict.state };
}

const refundOutcomeOf = ({ state }: SandboxRefund): RefundOutcome =>
  state === 'failed' ? { status: 'failed', failureCode: 'refund_failed' } : { status: 'succeeded' };

/** The processor of the sandbox. It stores charges in a collection of its own, so that `find` returns the true outcome. */
@Injectable()
export class SimulatorAdapter implements Processor {
  constructor(
    private readonly charges: SandboxRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Its test cards are shared: it stores nothing about their owners. */
  async createCustomer(_accountId: string): Promise<null> {
    return null;
  }

  async removeCustomer(_customerId: string): Promise<void> {}

  async describeMethod(token: string): Promise<Card | null> {
    return describeCard(token, this.clock.now());
  }

  async attachMethod(token: string): Promise<AttachedMethod | null> {
    const card = await this.describeMethod(token);
    return card && { ...card, token };
  }

  async detachMethod(_token: string): Promise<void> {}

  async charge(charge: Charge): Promise<ChargeOutcome> {
    return outcomeOf(await this.charges.insert(charge, decide(charge), this.config.SANDBOX_SETTLING_MS));
  }

  async find({ paymentId }: Charge): Promise<ChargeOutcome | null> {
    const found = await this.charges.findById(paymentId);
    if (found?.state !== 'processing') return found && outcomeOf(found);
    await this.charges.settleIfDue(found, this.config.SANDBOX_SETTLING_MS);
    return outcomeOf((await this.charges.findById(paymentId))!);
  }

  async capture(charge: Charge): Promise<ChargeOutcome> {
    await this.charges.capture(charge, this.config.SANDBOX_SETTLING_MS);
    return (await this.find(charge)) ?? { status: 'unknown' };
  }

  async cancel(charge: Charge): Promise<ChargeOutcome> {
    // A charge that arrives after this one finds it there.
    const ended = { state: 'voided', failureCode: null } as const;
    await this.charges.insert(charge, ended, 0);
    await this.charges.void(charge.paymentId);
    return (await this.find(charge))!;
  }

  async refund(request: RefundRequest): Promise<RefundOutcome> {
    const { key, charge, amountCents } = request;
    const before = await this.charges.findById(charge.paymentId);
    if (!before) return { status: 'failed', failureCode: 'charge_not_found' };
    const state = failsFirstRefund(before.token) && !before.refunds?.length ? 'failed' : 'succeeded';
    await this.charges.addRefund(before, { key, amountCents, state });
    return (await this.findRefund(request)) ?? { status: 'failed', failureCode: 'amount_too_large' };
  }

  async findRefund({ key, charge }: RefundRequest): Promise<RefundOutcome | null> {
    const found = await this.charges.findById(charge.paymentId);
    const refund = found?.refunds?.find((each) => each.key === key);
    return refund ? refundOutcomeOf(refund) : null;
  }

  async disputesOf({ paymentId }: Charge): Promise<Dispute[]> {
    const found = await this.charges.findById(paymentId);
    const now = this.clock.now();
    if (found?.state !== 'succeeded' || !found.disputedAt || found.disputedAt > now) return [];
    const isDecided = found.decidedAt !== undefined && found.decidedAt <= now;
    const state = isDecided ? disputeOf(found.token)! : 'open';
    return [{ id: `dp_${paymentId}`, state, amountCents: found.amountCents }];
  }
}
