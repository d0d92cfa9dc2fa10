import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '@swim/contracts';

// cal_<env>_<43: 256 random bits in base64url><8: CRC-32 of all before it in hex>
const TOKEN = /^cal_(live|test)_([\w-]{43})([0-9a-f]{8})$/;

/** The content of a well-formed token of a calendar feed, before it is looked up. */
export interface PresentedFeedToken {
  env: Environment;
  /** SHA-256 of the token, base64url: sufficient to verify the token, but not to use it. */
  digest: string;
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** A new token, of 256 random bits unless given. */
export function newFeedToken(env: Environment, bytes: Buffer = randomBytes(32)): string {
  const body = `cal_${env}_${bytes.toString('base64url')}`;
  return body + checksum(body);
}

/** Parses a token; null for a wrong form or CRC, so that junk never causes a look-up. */
export function parseFeedToken(text: string): PresentedFeedToken | null {
  const match = TOKEN.exec(text);
  if (!match || checksum(text.slice(0, -8)) !== match[3]) return null;
  return { env: match[1] as Environment, digest: hash('sha256', text, 'base64url') };
}
