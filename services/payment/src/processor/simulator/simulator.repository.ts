import { Injectable } from '@nestjs/common';
import { asSystem, Databases, hasPassed, Repository } from '@swim/mongo';
import type { Charge } from '../processor.js';
import { AUTHENTICATION_FAILED, disputeOf } from './simulator.rules.js';
import type { SimulatedCharge, SimulatedRefund } from './simulator.schema.js';
import { simulatedChargeSchema } from './simulator.schema.js';

const REASON = 'the simulator stands for another company and knows no accounts';
const SCOPE = asSystem('test', REASON);

/** The fields of a new charge that its token decides. */
export type Decided = Pick<SimulatedCharge, 'state' | 'failureCode' | 'settlesAs'>;

/** Storage of the simulator: it outlives our processes, like a real processor. */
@Injectable()
export class SimulatorRepository extends Repository<SimulatedCharge> {
  /** Charges with a notice that is to be sent. */
  readonly noticed = this.work({ name: 'sandbox-notices', due: 'noticeAt', reason: REASON, environments: ['test'] });

  constructor(private readonly databases: Databases) {
    super(databases.collection('processor_charges', simulatedChargeSchema));
  }

  /** Stores a charge, unless one of this payment exists; returns the stored one. */
  async insert(charge: Charge, decided: Decided, settlingMs: number): Promise<SimulatedCharge> {
    const { clock } = this.databases;
    const { paymentId: _id, token, amountCents, currency } = charge;
    const times = { settlesAt: clock.inMs(settlingMs), createdAt: clock.now() };
    const reached = this.reached(decided.state, token, settlingMs);
    const fresh = { _id, token, amountCents, currency, ...decided, ...times, ...reached };
    if (await this.tryInsert(SCOPE, fresh)) return fresh;
    return (await this.findById(_id))!;
  }

  findById(paymentId: string): Promise<SimulatedCharge | null> {
    return this.lookUp(SCOPE, paymentId);
  }

  /** processing → succeeded or authorized, when it is due by the database's clock. */
  async settleIfDue({ _id, token, settlesAs }: SimulatedCharge, settlingMs: number): Promise<void> {
    const settled = this.reached(settlesAs!, token, settlingMs);
    await this.updateIf(SCOPE, { _id, state: 'processing' }, hasPassed('settlesAt'), settled);
  }

  /** requires_action → succeeded, authorized or failed. Returns the charge as it is then; null without one. */
  async authenticate({ _id, token, settlesAs }: SimulatedCharge, isAuthenticated: boolean, settlingMs: number) {
    const ended = isAuthenticated
      ? this.reached(settlesAs!, token, settlingMs)
      : ({ state: 'failed', failureCode: AUTHENTICATION_FAILED } as const);
    await this.update(SCOPE, { _id, state: 'requires_action' }, { $set: { ...ended, isAuthenticated } });
    return this.findById(_id);
  }

  /** authorized → succeeded. */
  async capture({ paymentId, token }: Charge, settlingMs: number): Promise<void> {
    const captured = this.reached('succeeded', token, settlingMs);
    await this.update(SCOPE, { _id: paymentId, state: 'authorized' }, { $set: captured });
  }

  /** authorized, processing or requires_action → voided. */
  async void(paymentId: string): Promise<void> {
    const open = { _id: paymentId, state: { $in: ['authorized', 'processing', 'requires_action'] } };
    await this.update(SCOPE, open, { $set: { state: 'voided' } });
  }

  /** Adds a refund once, if the charge has as much left; returns whether it did. */
  addRefund({ _id, amountCents }: SimulatedCharge, refund: SimulatedRefund): Promise<boolean> {
    const { state } = refund.next ?? refund;
    const moved = state === 'failed' || state === 'refused' ? 0 : refund.amountCents;
    const notice = refund.next ? { $set: { noticeAt: refund.next.at } } : {};
    const left = {
      _id,
      state: 'succeeded',
      'refunds.key': { $ne: refund.key },
      refundedCents: { $not: { $gt: amountCents - moved } },
    };
    return this.update(SCOPE, left, { $push: { refunds: refund }, $inc: { refundedCents: moved }, ...notice });
  }

  /** Sets when the next notice of a charge is due, unless that was set meanwhile; null for never. */
  async moveNotice({ _id, noticeAt }: SimulatedCharge, next: Date | null): Promise<void> {
    await this.update(SCOPE, { _id, noticeAt }, { $set: { noticeAt: next } });
  }

  /** The fields of a charge that comes to a state: a dispute begins the settling time after its success, and lasts as long. */
  private reached(state: SimulatedCharge['state'], token: string, settlingMs: number) {
    const { clock } = this.databases;
    const end = disputeOf(token);
    if (state !== 'succeeded' || end === null) return { state };
    const [disputedAt, decidedAt] = [clock.inMs(settlingMs), clock.inMs(2 * settlingMs)];
    return { state, disputedAt, noticeAt: disputedAt, ...(end === 'open' ? {} : { decidedAt }) };
  }
}
