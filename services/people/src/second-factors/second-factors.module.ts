import { Module } from '@nestjs/common';
import { FactorsRepository } from './factors.repository.js';
import { FactorsService } from './factors.service.js';

/** Second factors of users: authenticator apps and recovery codes. */
@Module({ providers: [FactorsService, FactorsRepository], exports: [FactorsService] })
export class SecondFactorsModule {}
