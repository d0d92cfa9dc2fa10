import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Environment, id } from '@swim/contracts';

// swl_<env>_<26: suffix of the key's TypeID><52: 256 random bits in base32><7: CRC-32 of all before it in base32>
const KEY = /^swl_(live|test)_([0-9a-hjkmnp-tv-z]{26})([0-9a-hjkmnp-tv-z]{52})([0-9a-hjkmnp-tv-z]{7})$/;
const keyIdForm = id('key');
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** The content of a well-formed key, before it is looked up. */
export interface PresentedKey {
  env: Environment;
  /** `key_…` */
  keyId: string;
  /** SHA-256 of the secret, base64url: sufficient to verify the key, but not to use it. */
  digest: string;
}

function base32(bytes: Buffer, length: number): string {
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (text.length < length) {
    text = CROCKFORD[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base32(bytes, 7);
}

/** Formats a key around its id; `secretBytes` are its 256 random bits. */
export function formatApiKey(env: Environment, keyId: string, secretBytes: Buffer = randomBytes(32)): string {
  const body = `swl_${env}_${keyId.slice('key_'.length)}${base32(secretBytes, 52)}`;
  return body + checksum(body);
}

/** Parses a key; null for a wrong form or CRC, so that junk never causes a look-up. */
export function parseApiKey(text: string): PresentedKey | null {
  const match = KEY.exec(text);
  if (!match || checksum(text.slice(0, -7)) !== match[4]) return null;
  const keyId = `key_${match[2]}`;
  if (!keyIdForm.safeParse(keyId).success) return null;
  return { env: match[1] as Environment, keyId, digest: hash('sha256', match[3]!, 'base64url') };
}

/** HMAC-SHA256 of the digest of the secret under the pepper: the only stored form of a key. */
export const hashKeyDigest = (digest: string, pepper: Buffer): Buffer =>
  createHmac('sha256', pepper).update(digest).digest();

export const sameHash = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
