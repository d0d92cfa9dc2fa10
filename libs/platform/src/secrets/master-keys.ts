import { createHmac } from 'node:crypto';
import { derived, type MasterKeySettings, masterKeysOf } from '../config/derived.js';
import { Cipher } from './cipher.js';

/** A data key as stored. */
export interface WrappedKey {
  /** AES-256-GCM of 32 bytes, base64. */
  wrapped: string;
  /** The name of its master key, which reveals nothing of the key. Absent where another data key wraps it. */
  master?: string;
}

/** The master keys of a service: the current one wraps, and all known ones unwrap, so that keys can be rotated. */
export class MasterKeys {
  private readonly ciphers: () => ReadonlyMap<string, Cipher>;

  constructor(
    private readonly service: string,
    settings: MasterKeySettings,
  ) {
    const named = (key: Buffer) => [this.nameOf(key), Cipher.derived(key, `${service}|data keys`)] as const;
    this.ciphers = derived(
      () => masterKeysOf(settings),
      (...keys) => new Map(keys.map(named)),
    );
  }

  /** Name of the current one. */
  get current(): string {
    return this.ciphers().keys().next().value!;
  }

  /** `context` binds a key to its place: elsewhere it cannot be unwrapped. */
  wrap(key: Buffer, context: string): Required<WrappedKey> {
    const master = this.current;
    return { wrapped: this.ciphers().get(master)!.seal(key, context).toString('base64'), master };
  }

  /** Throws for an unknown master key, or another context. */
  unwrap({ wrapped, master }: WrappedKey, context: string): Buffer {
    const cipher = master === undefined ? undefined : this.ciphers().get(master);
    if (!cipher) throw new Error('A data key is wrapped under a master key that is not known here.');
    return cipher.open(Buffer.from(wrapped, 'base64'), context);
  }

  private nameOf(key: Buffer): string {
    return createHmac('sha256', key).update(`${this.service}|name of a master key`).digest('hex').slice(0, 16);
  }
}
