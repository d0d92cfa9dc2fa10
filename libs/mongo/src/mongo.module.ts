import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CursorCodec, SERVE_INTERCEPTOR } from '@swim/platform';
import { COLLECTIONS, type Collections } from './collections/collection-row.js';
import { ofEveryService } from './collections/shared-collections.js';
import { DataMigrations } from './databases/data-migrations.js';
import { Databases } from './databases/databases.js';
import { MONGO_CONFIG, type MongoConfig } from './databases/mongo-config.js';
import { Idempotency } from './idempotency/idempotency.js';
import { IdempotencyRecords } from './idempotency/idempotency-records.repository.js';
import { AccountRemains } from './lifecycle/account-remains.js';
import { AccountResets } from './lifecycle/account-resets.js';
import { ErasureTurns } from './lifecycle/erasure-turns.js';
import { OutboxRelay } from './outbox/outbox-relay.js';
import { PeriodicRunner } from './work/periodic.js';

@Module({})
export class MongoModule {
  /** Provides a service's databases, idempotency records, outbox relay and list cursors. */
  static forService(config: MongoConfig, collections: Collections): DynamicModule {
    return {
      module: MongoModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        { provide: MONGO_CONFIG, useValue: config },
        { provide: COLLECTIONS, useValue: { ...ofEveryService, ...collections } },
        { provide: CursorCodec, useValue: new CursorCodec(config) },
        { provide: SERVE_INTERCEPTOR, useExisting: Idempotency },
        Databases,
        DataMigrations,
        IdempotencyRecords,
        Idempotency,
        OutboxRelay,
        AccountRemains,
        AccountResets,
        ErasureTurns,
        PeriodicRunner,
      ],
      exports: [
        MONGO_CONFIG,
        CursorCodec,
        SERVE_INTERCEPTOR,
        Databases,
        DataMigrations,
        Idempotency,
        OutboxRelay,
        AccountRemains,
        AccountResets,
        ErasureTurns,
      ],
    };
  }
}
