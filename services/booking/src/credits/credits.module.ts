import { Module } from '@nestjs/common';
import { CreditsRepository } from './credits.repository.js';
import { CreditsService } from './credits.service.js';

/** Makeup credits: what schools owe for lessons that were paid and did not take place. */
@Module({
  providers: [CreditsService, CreditsRepository],
  exports: [CreditsService],
})
export class CreditsModule {}
