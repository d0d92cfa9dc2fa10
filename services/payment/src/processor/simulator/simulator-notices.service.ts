import { Injectable } from '@nestjs/common';
import { SimulatorRepository } from './simulator.repository.js';
import type { SimulatedCharge } from './simulator.schema.js';

export type { Notice } from '../processor.js';
export type { SimulatedCharge };

/** The notices of the simulator, like the webhooks of a real one: each is sent at least once. */
@Injectable()
export class SimulatorNotices {
  constructor(private readonly charges: SimulatorRepository) {}

  /** Charges with a notice that is to be sent. */
  get due(): SimulatorRepository['noticed'] {
    return this.charges.noticed;
  }

  async markSent(charge: SimulatedCharge): Promise<void> {
    const { noticeAt, decidedAt } = charge;
    await this.charges.moveNotice(charge, decidedAt && noticeAt! < decidedAt ? decidedAt : null);
  }
}
