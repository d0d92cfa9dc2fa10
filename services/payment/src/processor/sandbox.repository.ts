import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import type { Charge } from './processor.js';
import type { Verdict } from './sandbox.rules.js';
import { type SandboxCharge, sandboxChargeSchema } from './sandbox.schema.js';

const SCOPE = asSystem('test', 'the sandbox processor stands for another company and knows no accounts');

/** Storage of the sandbox processor: it outlives our processes, like a real processor. */
@Injectable()
export class SandboxRepository extends Repository<SandboxCharge> {
  constructor(private readonly databases: Databases) {
    super(databases.collection('processor_charges', sandboxChargeSchema));
  }

  /** Stores a charge, unless one of this payment exists; returns the stored one. */
  async insert({ paymentId, ...charge }: Charge, verdict: Verdict, settlingMs: number): Promise<SandboxCharge> {
    const { clock } = this.databases;
    const fresh = { _id: paymentId, ...charge, ...verdict, settlesAt: clock.inMs(settlingMs), createdAt: clock.now() };
    if (await this.tryInsert(SCOPE, fresh)) return fresh;
    return (await this.findById(paymentId))!;
  }

  findById(paymentId: string): Promise<SandboxCharge | null> {
    return this.lookUp(SCOPE, paymentId);
  }

  /** processing → succeeded, when it is due by the database's clock. */
  async settleIfDue(paymentId: string): Promise<void> {
    await this.updateOncePast(SCOPE, { _id: paymentId, state: 'processing' }, 'settlesAt', { state: 'succeeded' });
  }
}
