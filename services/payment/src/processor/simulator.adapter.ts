import { Inject, Injectable } from '@nestjs/common';
import { Clock, CONFIG } from '@swim/platform';
import type { Config } from '../config.js';
import type { Card, Charge, ChargeOutcome, Processor } from './processor.js';
import { SandboxRepository } from './sandbox.repository.js';
import { describeCard, verdictOn } from './sandbox.rules.js';
import type { SandboxCharge } from './sandbox.schema.js';

function outcomeOf({ state, failureCode }: SandboxCharge): ChargeOutcome {
  if (state === 'failed') return { status: 'failed', failureCode: failureCode! };
  return { status: state === 'succeeded' ? 'succeeded' : 'unknown' };
}

/** The processor of the sandbox. It stores charges in a collection of its own, so that `find` returns the true outcome. */
@Injectable()
export class SimulatorAdapter implements Processor {
  constructor(
    private readonly charges: SandboxRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async describeMethod(token: string): Promise<Card | null> {
    return describeCard(token, this.clock.now());
  }

  /** Its test cards are shared: it stores nothing about their owners. */
  async removeMethod(_token: string): Promise<void> {}

  async charge(charge: Charge): Promise<ChargeOutcome> {
    return outcomeOf(await this.charges.insert(charge, verdictOn(charge.token), this.config.SANDBOX_SETTLING_MS));
  }

  async find(paymentId: string): Promise<ChargeOutcome | null> {
    await this.charges.settleIfDue(paymentId);
    const charge = await this.charges.findById(paymentId);
    return charge && outcomeOf(charge);
  }
}
