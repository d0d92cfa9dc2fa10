import { Injectable } from '@nestjs/common';
import type { Sweep } from '@swim/mongo';
import type { Notice } from './processor.js';
import { SandboxRepository } from './sandbox.repository.js';
import type { SandboxCharge } from './sandbox.schema.js';

export type { Notice } from './processor.js';

const BATCH = 32;

/** The notices of the sandbox processor, like the webhooks of a real one: each is sent at least once. */
@Injectable()
export class SandboxNotices {
  constructor(private readonly charges: SandboxRepository) {}

  /** Sends what is due; a notice that `send` does not accept is sent again. */
  async sendDue(sweep: Sweep, send: (notice: Notice) => Promise<unknown>): Promise<void> {
    const postpone = (charge: SandboxCharge, delayMs: number) =>
      this.charges.moveNotice(charge, new Date(charge.noticeAt!.getTime() + delayMs));
    const sendOf = async (charge: SandboxCharge) => {
      await send({ kind: 'aftermath', paymentId: charge._id });
      const { noticeAt, decidedAt } = charge;
      await this.charges.moveNotice(charge, decidedAt && noticeAt! < decidedAt ? decidedAt : null);
    };
    await sweep.each(await this.charges.findNotices(BATCH), sendOf, postpone);
  }
}
