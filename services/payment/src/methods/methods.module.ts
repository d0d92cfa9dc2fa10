import { Module } from '@nestjs/common';
import { ProcessorModule } from '../processor/processor.module.js';
import { CustomersService } from './customers.service.js';
import { DetachingService } from './detaching.service.js';
import { MethodsRepository } from './methods.repository.js';
import { MethodsService } from './methods.service.js';

/** Payment methods of accounts. */
@Module({
  imports: [ProcessorModule],
  providers: [MethodsService, CustomersService, DetachingService, MethodsRepository],
  exports: [MethodsService],
})
export class MethodsModule {}
