/** Injection token of what the mongo library is configured with. */
export const MONGO_CONFIG = Symbol('mongo config');

/** What the mongo library needs to know. */
export interface MongoConfig {
  MONGODB_URI: string;
  DATABASE_PREFIX: string;
  DATA_KEY: Buffer;
  /** Keys that stood, or will stand, in the place of DATA_KEY. */
  DATA_KEYS_ALSO_READ?: Buffer[];
  CURSOR_SECRET: Buffer;
  IDEMPOTENCY_LEASE_MS: number;
  /** Folder of ordered migrations; absent or missing: none. */
  migrations?: URL;
}
