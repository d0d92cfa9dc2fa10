import { z } from 'zod';

const describe = (issue: z.core.$ZodIssue, given: object): string =>
  `  ${issue.path.join('.')}: ${issue.code === 'invalid_type' && !(issue.path[0]! in given) ? 'is missing' : issue.message}`;

/** Reads a service's configuration from the environment; an absent or wrong variable ends the process with a sentence. */
export function readConfig<S extends z.ZodObject>(schema: S, env: NodeJS.ProcessEnv = process.env): z.output<S> {
  const known = Object.fromEntries(
    Object.keys(schema.shape).flatMap((key) => (env[key] === undefined || env[key] === '' ? [] : [[key, env[key]]])),
  );
  const read = schema.safeParse(known);
  if (read.success) return read.data;
  process.stderr.write(
    `The configuration is not usable:\n${read.error.issues.map((issue) => describe(issue, known)).join('\n')}\n`,
  );
  process.exit(78);
}

/** A secret of exactly 32 bytes, written in base64. */
export const secret32 = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === 32, { error: 'must be 32 bytes in base64' });

/** Secrets of 32 bytes, each in base64, comma-separated; none when absent. */
const secrets32 = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((part) => part.trim() !== ''))
  .pipe(z.array(secret32));

/** A TCP port; 0 lets the system choose. */
export const port = z.coerce.number().int().min(0).max(65_535);

/** What every service reads, whatever else it needs. */
export const serviceConfig = {
  /** mongodb:// address; each service keeps its own databases in it. */
  MONGODB_URI: z.string().startsWith('mongodb'),
  /** Comes before the names of this service's databases, so that several installations can share one server. */
  DATABASE_PREFIX: z
    .string()
    .regex(/^[a-z0-9_]{1,24}$/)
    .default('swim'),
  /** One or more NATS addresses, comma-separated. */
  NATS_URL: z.string().min(1),
  /** Where `/health`, `/ready` and `/metrics` answer. */
  HEALTH_PORT: port.default(9090),
  /** Address on which they answer. */
  HEALTH_HOST: z.string().default('0.0.0.0'),
  /** Signs list cursors; the same for all replicas of a service. */
  CURSOR_SECRET: secret32,
  /** Master key: encrypts stored idempotent answers, and in people the keys that encrypt personal data. */
  DATA_KEY: secret32,
  /** Master keys before or after DATA_KEY, while one takes the place of another: what they encrypted is read, nothing is written. */
  DATA_KEYS_ALSO_READ: secrets32,
  /** How long, in ms, a run under an Idempotency-Key is believed alive; longer than any write may take. */
  IDEMPOTENCY_LEASE_MS: z.coerce.number().int().min(100).default(15_000),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
};
