import { Module } from '@nestjs/common';
import { Processors } from './processors.service.js';
import { SandboxRepository } from './sandbox.repository.js';
import { SimulatorAdapter } from './simulator.adapter.js';

/** Payment processors. */
@Module({
  providers: [Processors, SimulatorAdapter, SandboxRepository],
  exports: [Processors],
})
export class ProcessorModule {}
