import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Environment, type ServiceName } from '@swim/contracts';
import { HEALTH, type HealthServer, LOGGER, type Logger, SERVICE_NAME, whenChanged } from '@swim/platform';
import mongoose, { type Connection, type Model, type Schema } from 'mongoose';
import { engine } from '../engine/engine.js';
import { type EngineProbe, proveRaces } from '../engine/engine-probe.js';
import { explainStorageFault } from '../engine/storage-fault.js';
import { tenantGuard } from '../guard/tenant-guard.js';
import { CLIENT_OPTIONS, exitWhenSilent, releaseWriters } from './client-watch.js';
import { DatabaseClock, readDatabaseTime } from './database-clock.js';
import { MONGO_CONFIG, type MongoConfig } from './mongo-config.js';

/** The model of one collection in each environment's database. */
export type EnvironmentModels<D> = Record<Environment, Model<D>>;

// An index of a large collection takes longer than any other command.
const LONG_COMMAND = { timeoutMS: 3_600_000 };
const PREPARE_PAUSE_MS = 500;
const ATTEMPTS_PER_LINE = 60;
const MOVE_PAUSE_MS = 5_000;
/** No command runs for longer, but that which makes an index. */
const LEAVE_MS = 60_000;
// Unauthorized, and AuthenticationFailed.
const REFUSED = new Set<unknown>([13, 18]);

mongoose.set({
  strictQuery: 'throw',
  sanitizeFilter: true,
  autoIndex: false,
  autoCreate: false,
  bufferCommands: false,
});

/**
 * The databases of this service: one per environment, named `<prefix>_<service>_<env>`, and those beside them for keys and
 * for users. Connected, probed and indexed before the service is ready.
 */
@Injectable()
export class Databases implements OnModuleInit, OnApplicationShutdown {
  /** Another one after a change of its address. */
  connection: Connection = mongoose.createConnection();
  /** The address that the connection was opened by. */
  private address = '';
  private isMoving = false;
  private endSilence = (): void => undefined;
  readonly clock = new DatabaseClock(() => readDatabaseTime(this.database('live')));
  private readonly models: Model<unknown>[] = [];
  /** The models of each collection, by the name of its live database and its own. */
  private readonly registered = new Map<string, EnvironmentModels<unknown>>();
  private readonly probes: EngineProbe[] = [];
  private readonly watches: (() => unknown)[] = [];
  private isStopping = false;

  constructor(
    @Inject(MONGO_CONFIG) private readonly config: MongoConfig,
    @Inject(SERVICE_NAME) private readonly service: ServiceName,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(HEALTH) private readonly health: HealthServer,
  ) {}

  /**
   * Registers a collection, which has its row in the service's `Collections`; its indexes exist before the service is ready.
   * Several repositories of one collection share its models.
   */
  collection<D>(name: string, schema: Schema<D>): EnvironmentModels<D> {
    return this.collectionIn((env) => this.nameOf(env), name, schema);
  }

  /** As `collection`, in the databases `<prefix>_<service>_keys_<env>`, whose backups are kept for days only. */
  keyCollection<D>(name: string, schema: Schema<D>): EnvironmentModels<D> {
    return this.collectionIn((env) => `${this.config.DATABASE_PREFIX}_${this.service}_keys_${env}`, name, schema);
  }

  /**
   * As `collection`, in the database `<prefix>_<service>_users`, which belongs to neither environment: users of the dashboard
   * have one sign-in for both. The models of both environments are the same.
   */
  userCollection<D>(name: string, schema: Schema<D>): EnvironmentModels<D> {
    return this.collectionIn(() => `${this.config.DATABASE_PREFIX}_${this.service}_users`, name, schema);
  }

  private collectionIn<D>(
    databaseOf: (env: Environment) => string,
    name: string,
    schema: Schema<D>,
  ): EnvironmentModels<D> {
    const known = this.registered.get(`${databaseOf('live')}.${name}`);
    if (known) return known as unknown as EnvironmentModels<D>;
    // A schema is of its module: in a test process, services that start again use the same one.
    schema.plugin(tenantGuard, { deduplicate: true });
    engine.addFields(schema);
    const inEnvironment = (env: Environment): Model<D> => {
      const database = this.connection.useDb(databaseOf(env), { useCache: true });
      const model = database.model<D>(name, schema, name);
      this.models.push(model as unknown as Model<unknown>);
      return model;
    };
    const live = inEnvironment('live');
    const models = { live, test: databaseOf('test') === databaseOf('live') ? live : inEnvironment('test') };
    this.registered.set(`${databaseOf('live')}.${name}`, models as unknown as EnvironmentModels<unknown>);
    return models;
  }

  /** Registers updates that must exclude each other: they are probed before the service is ready. */
  prove(probes: readonly EngineProbe[]): void {
    this.probes.push(...probes);
  }

  /** A collection of the driver, for operations that do not depend on a schema. */
  ofDriver<D extends mongoose.mongo.Document>(env: Environment, name: string): mongoose.mongo.Collection<D> {
    return this.database(env).collection<D>(name) as unknown as mongoose.mongo.Collection<D>;
  }

  async onModuleInit(): Promise<void> {
    this.watches.push(releaseWriters());
    await this.untilUsable(() => this.open(this.connection));
    this.endSilence = exitWhenSilent(this.connection.getClient(), this.logger);
    this.watches.push(
      () => this.endSilence(),
      whenChanged(this.config, () => void this.move()),
    );
    await this.untilUsable(() => this.clock.start());
    this.health.addCheck('database', async () => void (await this.connection.db!.command({ ping: 1 })));
    await this.untilUsable(() => this.prepare());
  }

  private async open(connection: Connection): Promise<void> {
    const { MONGODB_URI: address } = this.config;
    await connection.openUri(address, { ...CLIENT_OPTIONS, appName: this.service, maxPoolSize: 32 });
    this.address = address;
  }

  /**
   * Follows a changed address, which has another password: connects by it, and gives the new connection to the models. What runs on
   * the former one ends there. An address that is refused changes nothing, and is tried again.
   */
  private async move(): Promise<void> {
    if (this.isMoving) return;
    this.isMoving = true;
    while (this.address !== this.config.MONGODB_URI && !this.isStopping) {
      const next = mongoose.createConnection();
      try {
        await this.open(next);
        this.use(next);
      } catch (error) {
        await next.destroy();
        this.logger.error({ err: error }, 'the changed address of the database cannot be used: the former one stays');
        await pause(MOVE_PAUSE_MS, undefined, { ref: false });
      }
    }
    this.isMoving = false;
  }

  private use(next: Connection): void {
    const former = this.connection;
    this.connection = next;
    for (const model of new Set(this.models)) model.useConnection(next.useDb(model.db.name, { useCache: true }));
    this.endSilence();
    this.endSilence = exitWhenSilent(next.getClient(), this.logger);
    const timer = setTimeout(() => void former.destroy(), LEAVE_MS).unref();
    this.watches.push(() => {
      clearTimeout(timer);
      return former.destroy();
    });
  }

  /**
   * Repeats idempotent work while the database is unreachable, overloaded, or does not know the service's user, which may be made after
   * the service has started. The service is not ready until then.
   */
  private async untilUsable(work: () => Promise<void>): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!explainStorageFault(error) && !REFUSED.has((error as { code?: unknown }).code)) throw error;
        if (attempt % ATTEMPTS_PER_LINE === 0) this.logger.warn({ err: error }, 'the database cannot be used yet');
      }
      await pause(PREPARE_PAUSE_MS);
    }
  }

  /** Probes the engine and creates the indexes of the databases. */
  async prepare(): Promise<void> {
    await proveRaces(this.database('test'), this.probes);
    for (const model of this.models) await createIndexes(model);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.clock.stop();
    // A connection that is only closed stays in `mongoose.connections`, and all that its listeners refer to with it.
    await this.connection.destroy();
    await Promise.all(this.watches.map((end) => end()));
  }

  private nameOf(env: Environment): string {
    return `${this.config.DATABASE_PREFIX}_${this.service}_${env}`;
  }

  /** The database itself, without the tenant guard: for migrations. */
  database(env: Environment): mongoose.mongo.Db {
    return this.connection.useDb(this.nameOf(env), { useCache: true }).db!;
  }
}

// An index of this name exists with other options, or one of these keys with another name.
const INDEX_CONFLICTS = new Set([85, 86]);
const INDEX_NOT_FOUND = 27;

/** Creates the declared indexes. One whose options have changed since it was created is dropped first, unless it is unique. */
async function createIndexes(model: Model<unknown>): Promise<void> {
  try {
    await createDeclared(model);
  } catch (error) {
    if (!INDEX_CONFLICTS.has((error as { code?: number }).code ?? 0)) throw error;
    const { toDrop } = await model.diffIndexes();
    const declared = new Set(model.schema.indexes().map(([keys]) => nameOf(keys)));
    const existing = await model.listIndexes();
    const changed = existing.filter(
      ({ name, unique }) => toDrop.includes(name as never) && declared.has(name ?? '') && !unique,
    );
    for (const { name } of changed) await model.collection.dropIndex(name!).catch(unlessDropped);
    await createDeclared(model);
  }
}

// With one command: `Model.createIndexes` sends one for each index.
async function createDeclared(model: Model<unknown>): Promise<void> {
  const indexes = model.schema.indexes().map(([key, options]) => ({ key, ...options }));
  if (indexes.length > 0)
    await model.collection.createIndexes(indexes as mongoose.mongo.IndexDescription[], LONG_COMMAND);
}

const nameOf = (keys: object): string => Object.entries(keys).flat().join('_');

// Another replica that starts may have dropped the index.
function unlessDropped(error: { code?: number }): void {
  if (error.code !== INDEX_NOT_FOUND) throw error;
}
