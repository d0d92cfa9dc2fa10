import { Inject, Injectable } from '@nestjs/common';
import {
  type Environment,
  eraseBookingsOfAccount,
  eraseEventsOfAccount,
  erasePaymentsOfAccount,
  eraseTimesOfAccount,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { CONFIG, systemContext } from '@swim/platform';
import type { Config } from '../../config.js';
import { KeyEndsService } from '../../identity/keys/key-ends.service.js';
import { AGAIN_MS, nextAfter, type Step } from './erasure.rules.js';
import type { ErasureDocument } from './erasure.schema.js';
import { ErasuresRepository } from './erasures.repository.js';
import { PeopleErasureService } from './people-erasure.service.js';

/**
 * Runs the steps of an erasure. Each is an idempotent and bounded request to the owning service, repeated until it is done. A
 * superseded run stops.
 */
@Injectable()
export class ErasureRun {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly people: PeopleErasureService,
    private readonly keys: KeyEndsService,
    private readonly rpc: RpcClient,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Continues from the current step as far as possible now. */
  async goOn(env: Environment, erasure: ErasureDocument): Promise<void> {
    let now: ErasureDocument | null = erasure;
    while (now !== null && now.step !== null) {
      const isDone = await this.take(env, now, now.step);
      const next = isDone
        ? nextAfter(now, this.config.ERASURE_DRAIN_MS)
        : { step: now.step, round: now.round, waitMs: AGAIN_MS };
      now = await this.erasures.advance(env, now, next);
      if (next.waitMs > 0) return;
    }
  }

  private async take(env: Environment, erasure: ErasureDocument, step: Step): Promise<boolean> {
    const { accountId } = erasure;
    const context = systemContext(env, accountId);
    switch (step) {
      case 'keys':
        await this.keys.endAll(env, accountId);
        return true;
      case 'scheduling':
        return (await this.rpc.call(eraseTimesOfAccount, { accountId }, context)).done;
      case 'booking':
        return (await this.rpc.call(eraseBookingsOfAccount, { accountId }, context)).done;
      case 'payment':
        return (await this.rpc.call(erasePaymentsOfAccount, { accountId }, context)).done;
      case 'notification':
        return (await this.rpc.call(eraseEventsOfAccount, { accountId }, context)).done;
      default:
        return this.people.take(step, erasure, context);
    }
  }
}
