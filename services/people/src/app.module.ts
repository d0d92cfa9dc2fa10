import { Module } from '@nestjs/common';
import { MongoModule } from '@swim/mongo';
import { COLLECTIONS } from './collections.js';
import { config } from './config.js';
import { IdentityModule } from './identity/identity.module.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { PeopleModule } from './people/people.module.js';

@Module({ imports: [MongoModule.forService(config, COLLECTIONS), IdentityModule, PeopleModule, LifecycleModule] })
export class AppModule {}
