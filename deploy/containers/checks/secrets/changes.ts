import { newKey, newPassword, type SecretFiles } from './settings.ts';

const VERSION = /^(\d+):/;

/** The texts that a file has one after the other while its secret is changed; null where a step leaves it as it is. */
type Steps = [string | null, string | null, string | null];

/** How each secret is changed, as deploy/README.md says: with keys that are also read before and after, or at once. */
export class Changes {
  readonly #files: SecretFiles;
  /** The next master key of each service, and the next pepper. */
  readonly #next = new Map<string, string>();
  readonly #planned = new Map<string, Steps>();

  constructor(files: SecretFiles) {
    this.#files = files;
  }

  /** Only what it is now decides: a file that several processes read is changed once. */
  stepsOf(setting: string, file: string): Steps {
    const known = this.#planned.get(file) ?? this.#plan(setting, file);
    this.#planned.set(file, known);
    return known;
  }

  #plan(setting: string, file: string): Steps {
    const old = this.#files.read(file);
    switch (setting) {
      case 'MONGODB_URI':
        return [old.replace(/:[^:@]+@/, `:${newPassword()}@`), null, null];
      case 'NATS_PASSWORD':
        return [newPassword(), null, null];
      case 'CURSOR_SECRET':
        return [newKey(), null, null];
      case 'DATA_KEYS_ALSO_READ': {
        const current = file.replace('data_keys_also_read', 'data_key');
        return [`${this.#files.read(current)},${this.#nextOf(current)}`, null, ''];
      }
      case 'DATA_KEY':
        return [null, this.#nextOf(file), null];
      case 'KEY_PEPPERS':
        return [`1:${this.#files.read('key_pepper').replace(VERSION, '')},2:${this.#nextOf('key_pepper')}`, null, ''];
      case 'KEY_PEPPER':
        return [null, `2:${this.#nextOf(file)}`, null];
      default:
        return [OTHERS[setting]?.() ?? unknown(setting), null, null];
    }
  }

  #nextOf(file: string) {
    const next = this.#next.get(file) ?? newKey();
    this.#next.set(file, next);
    return next;
  }
}

/** Secrets of others, which they change; also their first texts. */
export const OTHERS: Record<string, () => string> = {
  SMTP_URL: () => `smtp://pool:${newPassword()}@mail.pool.example:25`,
  STRIPE_SECRET_KEY: () => `sk_live_${newPassword()}`,
  STRIPE_WEBHOOK_SECRET: () => `whsec_${newPassword()}`,
  OTEL_EXPORTER_OTLP_HEADERS: () => `authorization=${newPassword()}`,
};

function unknown(setting: string): never {
  throw new Error(`${setting} is a secret, and nothing here changes it`);
}
