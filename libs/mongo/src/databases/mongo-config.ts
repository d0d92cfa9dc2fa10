/** Injection token of the mongo library's configuration. */
export const MONGO_CONFIG = Symbol('mongo config');

/** Configuration of the mongo library. */
export interface MongoConfig {
  MONGODB_URI: string;
  DATABASE_PREFIX: string;
  DATA_KEY: Buffer;
  /** Former and future values of DATA_KEY. */
  DATA_KEYS_ALSO_READ?: Buffer[];
  CURSOR_SECRET: Buffer;
  IDEMPOTENCY_LEASE_MS: number;
}
