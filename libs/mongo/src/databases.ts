import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ENVIRONMENTS, type Environment, type ServiceName } from '@swim/contracts';
import { HEALTH, LOGGER, SERVICE_NAME } from '@swim/messaging';
import type { HealthServer, Logger } from '@swim/platform';
import mongoose, { type Connection, type Model, type Schema } from 'mongoose';
import { DatabaseClock } from './database-clock.js';
import { proveConditionalUpdates } from './engine-probe.js';
import { migrate } from './migrations.js';
import { MONGO_CONFIG, type MongoConfig } from './mongo-config.js';
import { tenantGuard } from './tenant-guard.js';

/** The model of one collection in each environment's database. */
export type EnvironmentModels<D> = Record<Environment, Model<D>>;

mongoose.set({
  strictQuery: 'throw',
  sanitizeFilter: true,
  autoIndex: false,
  autoCreate: false,
  bufferCommands: false,
});

/**
 * The databases of this service: one for each environment, named `<prefix>_<service>_<env>`. Connected, proven, migrated
 * and indexed before the service says ready.
 */
@Injectable()
export class Databases implements OnModuleInit, OnApplicationShutdown {
  readonly connection: Connection = mongoose.createConnection();
  readonly clock = new DatabaseClock(async () => {
    const reply = await this.connection.db!.admin().command({ hello: 1 });
    return reply.localTime as Date;
  });
  private readonly models: Model<unknown>[] = [];

  constructor(
    @Inject(MONGO_CONFIG) private readonly config: MongoConfig,
    @Inject(SERVICE_NAME) private readonly service: ServiceName,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(HEALTH) private readonly health: HealthServer,
  ) {}

  /** Registers a collection; its indexes exist before the service says ready. */
  collection<D>(name: string, schema: Schema<D>): EnvironmentModels<D> {
    tenantGuard(schema);
    const inEnvironment = (env: Environment): Model<D> => {
      const database = this.connection.useDb(this.nameOf(env), { useCache: true });
      const model = database.model<D>(name, schema, name);
      this.models.push(model as unknown as Model<unknown>);
      return model;
    };
    return { live: inEnvironment('live'), test: inEnvironment('test') };
  }

  async onModuleInit(): Promise<void> {
    await this.connection.openUri(this.config.MONGODB_URI, {
      appName: this.service,
      maxPoolSize: 32,
      serverSelectionTimeoutMS: 20_000,
      connectTimeoutMS: 5_000,
    });
    await this.clock.start();
    this.health.addCheck('database', async () => void (await this.connection.db!.command({ ping: 1 })));
    await proveConditionalUpdates(this.database('test'));
    for (const env of ENVIRONMENTS) await migrate(this.database(env), this.config.migrations, this.logger);
    for (const model of this.models) await model.createIndexes();
  }

  async onApplicationShutdown(): Promise<void> {
    this.clock.stop();
    await this.connection.close();
  }

  private nameOf(env: Environment): string {
    return `${this.config.DATABASE_PREFIX}_${this.service}_${env}`;
  }

  private database(env: Environment) {
    return this.connection.useDb(this.nameOf(env), { useCache: true }).db!;
  }
}
