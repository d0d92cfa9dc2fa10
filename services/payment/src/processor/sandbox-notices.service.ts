import { Injectable } from '@nestjs/common';
import { SandboxRepository } from './sandbox.repository.js';
import type { SandboxCharge } from './sandbox.schema.js';

export type { Notice } from './processor.js';
export type { SandboxCharge };

/** The notices of the sandbox processor, like the webhooks of a real one: each is sent at least once. */
@Injectable()
export class SandboxNotices {
  constructor(private readonly charges: SandboxRepository) {}

  /** Charges with a notice that is to be sent. */
  get due(): SandboxRepository['noticed'] {
    return this.charges.noticed;
  }

  async markSent(charge: SandboxCharge): Promise<void> {
    const { noticeAt, decidedAt } = charge;
    await this.charges.moveNotice(charge, decidedAt && noticeAt! < decidedAt ? decidedAt : null);
  }
}
