import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Look, SecretFiles } from './secret-files.js';

const describe = (issue: z.core.$ZodIssue, given: object, env: NodeJS.ProcessEnv): string => {
  const [name] = issue.path;
  const file = env[`${String(name)}_FILE`];
  if (issue.code !== 'invalid_type' || name! in given) return `${issue.path.join('.')}: ${issue.message}`;
  return isSet(file) ? `${String(name)}_FILE: the file ${file} is empty` : `${issue.path.join('.')}: is missing`;
};

const isSet = (text: string | undefined): text is string => text !== undefined && text !== '';

/** Returns the value of a variable, nothing when it is absent or empty, or a message about a wrong `<variable>_FILE`. */
function readVariable(name: string, env: NodeJS.ProcessEnv): { text?: string; fault?: string } {
  const file = env[`${name}_FILE`];
  if (!isSet(file)) return isSet(env[name]) ? { text: env[name] } : {};
  if (isSet(env[name])) return { fault: `${name}: is set, and so is ${name}_FILE; set one of them` };
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return isSet(text) ? { text } : {};
  } catch (error) {
    return { fault: `${name}_FILE: the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

function look(schema: z.ZodObject, env: NodeJS.ProcessEnv): Look {
  const all = Object.keys(schema.shape).map((name) => ({ name, ...readVariable(name, env) }));
  const known = Object.fromEntries(all.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]])));
  const faulty = all.flatMap(({ name, fault }) => (fault === undefined ? [] : [{ name, fault }]));
  const read = schema.safeParse(known);
  const isFaulty = (issue: z.core.$ZodIssue) => faulty.some(({ name }) => name === issue.path[0]);
  const wrong = (read.error?.issues ?? []).filter((issue) => !isFaulty(issue));
  const faults = [...faulty.map(({ fault }) => fault), ...wrong.map((issue) => describe(issue, known, env))];
  return { texts: new Map(all.map(({ name, text }) => [name, text])), settings: read.data, faults };
}

/** Marks a setting as a secret: its file is read again while the process runs, and it belongs in no environment of a container. */
export const secret = <T extends z.ZodType>(type: T): T => type.meta({ isSecret: true });

const secretNames = new WeakMap<object, string[]>();

/** The names of the secrets among settings that `readConfig` has read. */
export const secretsOf = (settings: object): string[] => secretNames.get(settings) ?? [];

/**
 * Reads a service's configuration from the environment; an absent or wrong variable ends the process with a message. The value
 * of any variable X may be in a file named by X_FILE; the file's last newline is dropped, and an empty one counts as absent. What is
 * returned always has the secrets that the files hold now: read them where they are used (`derived`, `whenChanged`).
 */
export function readConfig<S extends z.ZodObject>(schema: S, env: NodeJS.ProcessEnv = process.env): z.output<S> {
  const read = look(schema, env);
  const { settings, faults } = read;
  if (settings && faults.length === 0) {
    const isSecret = (name: string) => (schema.shape[name] as z.ZodType).meta()?.isSecret === true;
    secretNames.set(settings, Object.keys(schema.shape).filter(isSecret));
    const secrets = secretsOf(settings).filter((name) => isSet(env[`${name}_FILE`]));
    if (secrets.length > 0) new SecretFiles(settings, secrets, () => look(schema, env), read).watch();
    return settings as z.output<S>;
  }
  process.stderr.write(`The configuration is not usable:\n${faults.map((line) => `  ${line}`).join('\n')}\n`);
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

/** A TCP port; 0 means any free port. */
export const port = z.coerce.number().int().min(0).max(65_535);

/** How a process reaches NATS. */
export const busSettings = {
  /** One or more NATS addresses, comma-separated. A user and password in the first one are used for everything. */
  NATS_URL: z.string().min(1),
  /** Password of this process's users, `<process>-rpc` and `<process>-events`; absent where the server requires none. */
  NATS_PASSWORD: secret(z.string().optional()),
  /** File of the CA certificates (PEM) for the server's certificate, read at each connection; when set, TLS is required. */
  NATS_TLS_CA: z.string().optional(),
};

const ofParent = ['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const;

/** How a process records traces: settings of OpenTelemetry. */
export const tracingSettings = {
  /** Where spans are sent (OTLP over HTTP, JSON), without `/v1/traces`; none are recorded without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Headers of these requests: `name=value`, percent-encoded, comma-separated. One may be the collector's token. */
  OTEL_EXPORTER_OTLP_HEADERS: secret(z.string().optional()),
  /** Which traces are recorded; those with a parent as the parent was, unless the name says otherwise. */
  OTEL_TRACES_SAMPLER: z.enum(['always_on', 'always_off', 'traceidratio', ...ofParent]).optional(),
  /** The share of traces that `traceidratio` records, from 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
};

const tracingConfig = z.object(tracingSettings);
export type TracingConfig = z.output<typeof tracingConfig>;

/** The settings of every service. */
export const serviceConfig = {
  /** mongodb:// or mongodb+srv:// address; each service keeps its own databases in it. */
  MONGODB_URI: secret(z.string().regex(/^mongodb(\+srv)?:\/\//, { error: 'must be mongodb:// or mongodb+srv://' })),
  /** Prefix of the names of this service's databases, so that several installations can share one server. */
  DATABASE_PREFIX: z
    .string()
    .regex(/^[a-z0-9_]{1,24}$/)
    .default('swim'),
  ...busSettings,
  ...tracingSettings,
  /** Port of `/health`, `/ready` and `/metrics`. */
  HEALTH_PORT: port.default(9090),
  /** Address of that port; by default reachable only from inside the machine or container. */
  HEALTH_HOST: z.string().default('127.0.0.1'),
  /** Signs list cursors; the same for all replicas of a service. */
  CURSOR_SECRET: secret(secret32),
  /** Master key: encrypts stored idempotent answers, and in people the keys that encrypt personal data. */
  DATA_KEY: secret(secret32),
  /** Former and future values of DATA_KEY during a rotation: they decrypt, but do not encrypt. */
  DATA_KEYS_ALSO_READ: secret(secrets32),
  /** Longest lease of a run of a write, in ms; it ends with the deadline of the run. */
  IDEMPOTENCY_LEASE_MS: z.coerce.number().int().min(100).default(15_000),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
};
