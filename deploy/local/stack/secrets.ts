import crypto from 'node:crypto';
import { readJson, writeJson } from '../../system/files/json-file.ts';

const SHARED = ['KEY_PEPPER', 'CURSOR_SECRET'];
const OTHERS = ['gateway', 'bus-setup'] as const;
type Other = (typeof OTHERS)[number];

export interface ProcessSecrets extends Record<string, string> {
  NATS_PASSWORD: string;
}

/**
 * The secrets of a local stack: made once, kept as long as its data, which cannot be read without them.
 * @param file - where they are kept, readable by their owner only.
 * @param services - the services, each of which has a DATA_KEY of its own; they, the gateway and `bus-setup` have each a password
 *   for NATS.
 * @returns service, `gateway` or `bus-setup` → the environment that holds its secrets: 32 random bytes each, in base64; one that
 *   our own environment sets (`KEY_PEPPER`, `CURSOR_SECRET`, `DATA_KEY_<SERVICE>`, `NATS_PASSWORD_<PROCESS>`)
 *   is taken from there.
 */
export function loadSecrets<Service extends string>(
  file: string,
  services: readonly Service[],
): Record<Service | Other, ProcessSecrets> {
  const dataKey = (service: string) => `DATA_KEY_${service.toUpperCase()}`;
  const natsPassword = (process: string) => `NATS_PASSWORD_${process.toUpperCase().replace('-', '_')}`;
  const names = [...SHARED, ...services.map(dataKey), ...[...services, ...OTHERS].map(natsPassword)];
  const kept = keptSecrets(file, names);
  const use = (name: string) => process.env[name] || kept[name]!;
  const alsoRead = process.env.DATA_KEYS_ALSO_READ;
  const secretsOfData = (service: Service) => ({
    CURSOR_SECRET: use('CURSOR_SECRET'),
    DATA_KEY: use(dataKey(service)),
    ...(alsoRead ? { DATA_KEYS_ALSO_READ: alsoRead } : {}),
    ...(service === 'people' ? { KEY_PEPPER: use('KEY_PEPPER') } : {}),
  });
  const passwordOf = (process: string) => ({ NATS_PASSWORD: use(natsPassword(process)) });
  return Object.fromEntries([
    ...services.map((service) => [service, { ...passwordOf(service), ...secretsOfData(service) }]),
    ...OTHERS.map((process) => [process, passwordOf(process)]),
  ]) as Record<Service | Other, ProcessSecrets>;
}

/** The password of the local database is kept in the same file. */
export const databasePassword = (file: string): string => keptSecrets(file, ['DATABASE_PASSWORD']).DATABASE_PASSWORD!;

/** Returns the content of the file after adding the secrets that it lacks. */
function keptSecrets(file: string, names: string[]): Record<string, string> {
  const kept = (readJson(file) ?? {}) as Record<string, string>;
  const missing = names.filter((name) => !kept[name]);
  for (const name of missing) kept[name] = crypto.randomBytes(32).toString('base64');
  if (missing.length > 0) writeJson(file, kept, 0o600);
  return kept;
}
