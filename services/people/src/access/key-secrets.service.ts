import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { formatApiKey, hashKeySecret, parseApiKey, sameHash } from '@swim/platform';
import { config } from '../config.js';
import type { KeyDocument, Verifier } from './key.schema.js';

/** A key's text, to be shown once, and what is kept of it. */
export interface FreshSecret {
  text: string;
  verifier: Verifier;
}

/** The secrets of keys: HMAC-SHA256 under the pepper of today; older and newer peppers still know their keys. */
@Injectable()
export class KeySecretsService {
  private readonly current = config.KEY_PEPPER_VERSION;
  private readonly peppers = new Map([...config.KEY_PEPPERS, [this.current, config.KEY_PEPPER] as const]);

  /** A secret for a key of this environment: 256 random bits unless given. */
  make(env: Environment, keyId: string, secretBytes: Buffer = randomBytes(32)): FreshSecret {
    const text = formatApiKey(env, keyId, secretBytes);
    return { text, verifier: { ...this.hashed(parseApiKey(text)!.secret), last4: text.slice(-4) } };
  }

  /** Whether this is the key's secret. An unknown id costs the same hash and comparison as a wrong secret. */
  opens(key: KeyDocument | null, secret: string): key is KeyDocument {
    const hash = hashKeySecret(secret, this.pepperOf(key?.pepperVersion ?? this.current));
    return sameHash(hash, key ? Buffer.from(key.hash, 'base64') : Buffer.alloc(hash.length)) && key !== null;
  }

  /** The key under today's pepper; null when it is, or when a replica that was configured later knows a newer one. */
  renewed({ pepperVersion, last4 }: Verifier, secret: string): Verifier | null {
    return pepperVersion < this.current ? { ...this.hashed(secret), last4 } : null;
  }

  private hashed(secret: string): Pick<Verifier, 'hash' | 'pepperVersion'> {
    const hash = hashKeySecret(secret, this.pepperOf(this.current)).toString('base64');
    return { hash, pepperVersion: this.current };
  }

  private pepperOf(version: number): Buffer {
    const pepper = this.peppers.get(version);
    // Nothing is known about such a key, so that this is no refusal.
    if (!pepper) throw new Error(`There is no pepper of version ${version}.`);
    return pepper;
  }
}
