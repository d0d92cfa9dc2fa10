import crypto from 'node:crypto';
import { readJson, writeJson } from '../system/json-file.mjs';

const SHARED = ['KEY_PEPPER', 'CURSOR_SECRET'];

/**
 * The secrets of a local stack: made once, kept as long as its data, which cannot be read without them.
 * @param {string} file where they are kept, readable by their owner only.
 * @param {string[]} services the services, each of which has a DATA_KEY of its own; they and the gateway have each a password
 *   for NATS.
 * @returns {Record<string, Record<string, string>>} service, or `gateway` → the environment that holds its secrets: 32 random bytes each,
 *   in base64; one that our own environment sets (`KEY_PEPPER`, `CURSOR_SECRET`, `DATA_KEY_<SERVICE>`, `NATS_PASSWORD_<PROCESS>`) is taken from there.
 */
export function loadSecrets(file, services) {
  const dataKey = (service) => `DATA_KEY_${service.toUpperCase()}`;
  const natsPassword = (process) => `NATS_PASSWORD_${process.toUpperCase()}`;
  const names = [...SHARED, ...services.map(dataKey), ...[...services, 'gateway'].map(natsPassword)];
  const kept = readJson(file) ?? {};
  const made = Object.fromEntries(names.map((name) => [name, kept[name] ?? crypto.randomBytes(32).toString('base64')]));
  if (names.some((name) => !kept[name])) writeJson(file, { ...kept, ...made }, 0o600);
  const use = (name) => process.env[name] || made[name];
  // A single DATA_KEY predates the keys per service: data that it encrypted are still readable.
  const alsoRead = [process.env.DATA_KEYS_ALSO_READ, process.env.DATA_KEY, kept.DATA_KEY].filter(Boolean).join(',');
  const ofServices = Object.fromEntries(
    services.map((service) => [
      service,
      {
        NATS_PASSWORD: use(natsPassword(service)),
        CURSOR_SECRET: use('CURSOR_SECRET'),
        DATA_KEY: use(dataKey(service)),
        ...(alsoRead ? { DATA_KEYS_ALSO_READ: alsoRead } : {}),
        ...(service === 'people' ? { KEY_PEPPER: use('KEY_PEPPER') } : {}),
      },
    ]),
  );
  return { ...ofServices, gateway: { NATS_PASSWORD: use(natsPassword('gateway')) } };
}
