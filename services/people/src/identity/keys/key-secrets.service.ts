import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, currentEnvironment, formatApiKey, hashKeyDigest, parseApiKey, sameHash } from '@swim/platform';
import type { Config } from '../../config.js';
import { versionOf } from '../../pepper-settings.js';
import type { KeyDocument, Verifier } from './key.schema.js';

/** A key's text, returned once, and its stored verifier. */
export interface FreshSecret {
  text: string;
  verifier: Verifier;
}

/** The secrets of keys: HMAC-SHA256 of their digests under the current pepper; older and newer peppers still verify. */
@Injectable()
export class KeySecretsService {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** A secret for a key of this environment: 256 random bits unless given. */
  make(keyId: string, secretBytes: Buffer = randomBytes(32)): FreshSecret {
    const text = formatApiKey(currentEnvironment(), keyId, secretBytes);
    return { text, verifier: { ...this.hashed(parseApiKey(text)!.digest), last4: text.slice(-4) } };
  }

  /** Whether this is the digest of the key's secret. An unknown id costs the same hash and comparison as a wrong digest. */
  opens(key: KeyDocument | null, digest: string): key is KeyDocument {
    const hash = hashKeyDigest(digest, this.pepperOf(key?.pepperVersion ?? this.current));
    return sameHash(hash, key ? Buffer.from(key.hash, 'base64') : Buffer.alloc(hash.length)) && key !== null;
  }

  /** The verifier under the current pepper; null when it is current already, or was made under a newer pepper. */
  renewed({ pepperVersion, last4 }: Verifier, digest: string): Verifier | null {
    return pepperVersion < this.current ? { ...this.hashed(digest), last4 } : null;
  }

  private hashed(digest: string): Pick<Verifier, 'hash' | 'pepperVersion'> {
    const hash = hashKeyDigest(digest, this.pepperOf(this.current)).toString('base64');
    return { hash, pepperVersion: this.current };
  }

  private get current(): number {
    return versionOf(this.config);
  }

  private pepperOf(version: number): Buffer {
    const pepper = version === this.current ? this.config.KEY_PEPPER.bytes : this.config.KEY_PEPPERS.get(version);
    // The key can be neither accepted nor rejected: this is not an authentication error.
    if (!pepper) throw new Error(`There is no pepper of version ${version}.`);
    return pepper;
  }
}
