import { Inject, Injectable } from '@nestjs/common';
import { centsStep } from '@swim/contracts';
import { Clock, CONFIG } from '@swim/platform';
import type { Config } from '../../config.js';
import {
  type AttachedMethod,
  type Card,
  type Charge,
  type ChargeOutcome,
  type Dispute,
  NOT_REPRESENTABLE,
  type Processor,
  type RefundOutcome,
  type RefundRequest,
  type ReportedRefund,
} from '../processor.js';
import { type Decided, SimulatorRepository } from './simulator.repository.js';
import {
  attachFailureOf,
  describeCard,
  disputeCountOf,
  disputeOf,
  refundsEndOf,
  TEST_TOKENS,
  verdictOn,
} from './simulator.rules.js';
import type { SimulatedCharge, SimulatedRefund } from './simulator.schema.js';

function outcomeOf({ _id, state, failureCode }: SimulatedCharge): ChargeOutcome {
  if (state === 'failed') return { status: 'failed', failureCode: failureCode! };
  // As live payments ask for it: apps give the secret to a library, whose place `SimulatedBank` takes here.
  const nextAction = { type: 'use_processor_sdk', redirectUrl: null, clientSecret: `${_id}_secret` } as const;
  if (state === 'requires_action') return { status: state, nextAction };
  return { status: state === 'processing' ? 'unknown' : state };
}

function decide({ token, capture, offSession, amountCents, currency }: Charge): Decided {
  if (amountCents % centsStep(currency) !== 0) return { state: 'failed', failureCode: NOT_REPRESENTABLE };
  const verdict = verdictOn(token, offSession);
  const settlesAs = capture ? 'succeeded' : 'authorized';
  return { ...verdict, settlesAs, state: verdict.state === 'succeeded' ? settlesAs : verdict.state };
}

type MadeRefund = SimulatedRefund & { state: ReportedRefund['state'] };

const stateOfRefund = ({ state, next }: MadeRefund, now: Date): MadeRefund['state'] =>
  next && next.at <= now ? next.state : state;

/** The refunds of a charge, without those that were refused. */
const madeOf = (charge: SimulatedCharge | null): MadeRefund[] =>
  (charge?.refunds ?? []).filter((each): each is MadeRefund => each.state !== 'refused');

/** The id with which the key of a refund begins when our service requested it. */
const OUR_ID = /^rfd_[^:]+/;

/** The simulator, the processor of the sandbox. It stores charges in a collection of its own, so that `find` returns the true outcome. */
@Injectable()
export class SimulatorAdapter implements Processor {
  readonly tokens = TEST_TOKENS;

  constructor(
    private readonly charges: SimulatorRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Its test cards are shared: it stores nothing about their owners. */
  async createCustomer(_accountId: string): Promise<null> {
    return null;
  }

  async removeCustomer(_customerId: string): Promise<void> {}

  async setUpMethod(_customerId: string | null): Promise<null> {
    return null;
  }

  async describeMethod(token: string): Promise<Card | null> {
    return describeCard(token, this.clock.now());
  }

  async attachMethod(token: string): Promise<AttachedMethod | { failureCode: string } | null> {
    const failureCode = attachFailureOf(token);
    if (failureCode !== null) return { failureCode };
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
    const before = await this.charges.findById(request.charge.paymentId);
    if (!before) return { status: 'failed', failureCode: 'charge_not_found' };
    const isDisputed = this.disputesIn(before).some(({ state }) => state !== 'won');
    const isMade = !isDisputed && (await this.charges.addRefund(before, this.decideRefund(before, request)));
    // A key keeps its first answer: another request under it, which is on its way, refunds nothing.
    const { key, amountCents } = request;
    if (!isMade) await this.charges.addRefund(before, { key, amountCents, state: 'refused' });
    const failureCode = isDisputed ? 'charge_disputed' : 'amount_too_large';
    return (await this.findRefund(request)) ?? { status: 'failed', failureCode };
  }

  async findRefund({ key, charge }: RefundRequest): Promise<RefundOutcome | null> {
    const found = await this.charges.findById(charge.paymentId);
    const refund = madeOf(found).find((each) => each.key === key);
    if (!refund) return null;
    const state = stateOfRefund(refund, this.clock.now());
    if (state === 'failed') return { status: 'failed', failureCode: 'refund_failed' };
    return { status: state === 'pending' ? 'unknown' : state };
  }

  async refundsOf({ paymentId }: Charge): Promise<ReportedRefund[]> {
    const found = await this.charges.findById(paymentId);
    const now = this.clock.now();
    return madeOf(found).map((refund) => {
      const { key: id, amountCents } = refund;
      const refundId = OUR_ID.exec(id)?.[0] ?? null;
      return { id, refundId, amountCents, state: stateOfRefund(refund, now), createdAt: found!.createdAt };
    });
  }

  async disputesOf({ paymentId }: Charge): Promise<Dispute[]> {
    const found = await this.charges.findById(paymentId);
    return found ? this.disputesIn(found) : [];
  }

  private disputesIn({ _id, state, token, amountCents, disputedAt, decidedAt }: SimulatedCharge): Dispute[] {
    const now = this.clock.now();
    if (state !== 'succeeded' || !disputedAt || disputedAt > now) return [];
    const isDecided = decidedAt !== undefined && decidedAt <= now;
    const dispute = { state: isDecided ? disputeOf(token)! : 'open', amountCents } as const;
    return Array.from({ length: disputeCountOf(token) }, (_, index) => ({
      id: index === 0 ? `dp_${_id}` : `dp_${_id}_${index + 1}`,
      ...dispute,
    }));
  }

  private decideRefund(charge: SimulatedCharge, { key, amountCents }: RefundRequest): SimulatedRefund {
    const end = refundsEndOf(charge.token);
    const at = new Date(this.clock.now().getTime() + this.config.SANDBOX_SETTLING_MS);
    if (end === 'late success') return { key, amountCents, state: 'pending', next: { state: 'succeeded', at } };
    if (end === 'late failure') return { key, amountCents, state: 'succeeded', next: { state: 'failed', at } };
    return { key, amountCents, state: end === 'first fails' && madeOf(charge).length === 0 ? 'failed' : 'succeeded' };
  }
}
