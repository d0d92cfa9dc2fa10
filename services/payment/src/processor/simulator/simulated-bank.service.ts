import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@swim/platform';
import type { Config } from '../../config.js';
import { SimulatorRepository } from './simulator.repository.js';
import { AUTHENTICATION_FAILED } from './simulator.rules.js';
import type { SimulatedCharge } from './simulator.schema.js';

/** The state of a charge after the answer of its cardholder. */
type Answered = Pick<SimulatedCharge, 'state' | 'failureCode'>;

/** The bank of the sandbox, which asks cardholders to authenticate themselves (3-D Secure). */
@Injectable()
export class SimulatedBank {
  constructor(
    private readonly charges: SimulatorRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Takes the answer of the cardholder whom a charge waits for; the same answer again changes nothing. Null where it does not wait, or has
   * the opposite answer.
   */
  async answer(paymentId: string, isAuthenticated: boolean, isDryRun: boolean): Promise<Answered | null> {
    const charge = await this.charges.findById(paymentId);
    if (charge?.state === 'requires_action' && isDryRun)
      return isAuthenticated
        ? { state: charge.settlesAs!, failureCode: null }
        : { state: 'failed', failureCode: AUTHENTICATION_FAILED };
    const after = charge && (await this.charges.authenticate(charge, isAuthenticated, this.config.SANDBOX_SETTLING_MS));
    return after?.isAuthenticated === isAuthenticated ? after : null;
  }
}
