import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { AppError, CONFIG, LOGGER, type Logger } from '@swim/platform';
import type { Config } from '../config.js';
import { GuardedProcessor } from './guarded-processor.js';
import type { Processor } from './processor.js';
import { SimulatorAdapter } from './simulator.adapter.js';

const RETRY_AFTER_SECONDS = 3_600;

export type { Charge, ChargeOutcome, NextAction, RefundOutcome } from './processor.js';

/** The processor of each environment. */
@Injectable()
export class Processors {
  private readonly byEnvironment: Partial<Record<Environment, Processor>>;

  constructor(simulator: SimulatorAdapter, @Inject(CONFIG) config: Config, @Inject(LOGGER) logger: Logger) {
    this.byEnvironment = {
      test: new GuardedProcessor('processor-test', simulator, config.PROCESSOR_TIMEOUT_MS, logger),
    };
  }

  /** The processor of this environment; `unavailable` where none is configured. */
  of(env: Environment): Processor {
    const processor = this.byEnvironment[env];
    if (processor) return processor;
    const message = `No payment processor is configured for the ${env} environment: payments cannot be taken there.`;
    throw new AppError('unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
