import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { AppError, CONFIG, currentEnvironment, derived, LOGGER, type Logger } from '@swim/platform';
import type { Config } from '../config.js';
import { guardedProcessor } from './guarded-processor.js';
import type { Processor } from './processor.js';
import { SimulatorAdapter } from './simulator/simulator.adapter.js';
import { StripeAdapter } from './stripe/stripe.adapter.js';
import { stripeClient } from './stripe/stripe-client.js';

const RETRY_AFTER_SECONDS = 3_600;

export type { Charge, ChargeOutcome, Dispute, NextAction, Processor, ReportedRefund } from './processor.js';

/** The processor of each environment. */
@Injectable()
export class Processors {
  private readonly byEnvironment: Record<Environment, () => Processor | null>;

  constructor(simulator: SimulatorAdapter, @Inject(CONFIG) config: Config, @Inject(LOGGER) logger: Logger) {
    const guarded = (env: Environment, processor: Processor) =>
      guardedProcessor(`processor-${env}`, processor, config.PROCESSOR_TIMEOUT_MS, logger);
    const test = guarded('test', simulator);
    const client = derived(
      () => [config.STRIPE_SECRET_KEY!],
      (key) => stripeClient(key, config),
    );
    const live = derived(
      () => [config.STRIPE_SECRET_KEY !== undefined],
      (isConfigured) => (isConfigured ? guarded('live', new StripeAdapter(client, logger)) : null),
    );
    live();
    this.byEnvironment = { test: () => test, live };
  }

  /** The processor of the current environment; `unavailable` where none is configured. */
  current(): Processor {
    const env = currentEnvironment();
    const processor = this.byEnvironment[env]();
    if (processor) return processor;
    const message = `No payment processor is configured for the ${env} environment: payments cannot be taken there.`;
    throw new AppError('unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
