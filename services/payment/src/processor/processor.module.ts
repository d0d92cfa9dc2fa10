import { Module } from '@nestjs/common';
import { Processors } from './processors.service.js';
import { SimulatedBank } from './simulator/simulated-bank.service.js';
import { SimulatorAdapter } from './simulator/simulator.adapter.js';
import { SimulatorRepository } from './simulator/simulator.repository.js';
import { SimulatorNotices } from './simulator/simulator-notices.service.js';
import { StripeWebhooks } from './stripe/stripe-webhooks.service.js';

/** Payment processors. */
@Module({
  providers: [Processors, SimulatorAdapter, SimulatorRepository, SimulatorNotices, SimulatedBank, StripeWebhooks],
  exports: [Processors, SimulatorNotices, SimulatedBank, StripeWebhooks],
})
export class ProcessorModule {}
