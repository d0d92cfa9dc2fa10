import { Module } from '@nestjs/common';
import { Processors } from './processors.service.js';
import { SandboxRepository } from './sandbox.repository.js';
import { SandboxNotices } from './sandbox-notices.service.js';
import { SimulatorAdapter } from './simulator.adapter.js';
import { StripeWebhooks } from './stripe-webhooks.service.js';

/** Payment processors. */
@Module({
  providers: [Processors, SimulatorAdapter, SandboxRepository, SandboxNotices, StripeWebhooks],
  exports: [Processors, SandboxNotices, StripeWebhooks],
})
export class ProcessorModule {}
