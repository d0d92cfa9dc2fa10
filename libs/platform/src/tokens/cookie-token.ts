import { hash, randomBytes } from 'node:crypto';
import { type IdPrefix, id as idOf } from '@swim/contracts';

const TOKEN = /^([0-9a-hjkmnp-tv-z]{26})\.([\w-]{43})$/;

/** A cookie before it is looked up. */
export interface PresentedToken {
  /** The id of its document. */
  id: string;
  /** SHA-256 of the secret, base64url: sufficient to verify the cookie, but not to use it. */
  digest: string;
}

/** The value of a new cookie for a document, with 256 random bits, and the digest of these. */
export function newCookieToken(id: string): PresentedToken & { token: string } {
  const secret = randomBytes(32).toString('base64url');
  return { token: `${id.slice(id.indexOf('_') + 1)}.${secret}`, id, digest: hash('sha256', secret, 'base64url') };
}

/** Parses the value of a cookie for a document with this prefix; null for a wrong form, so that junk causes no look-up. */
export function parseCookieToken(prefix: IdPrefix, text: string): PresentedToken | null {
  const match = TOKEN.exec(text);
  const id = `${prefix}_${match?.[1]}`;
  if (!match || !idOf(prefix).safeParse(id).success) return null;
  return { id, digest: hash('sha256', match[2]!, 'base64url') };
}
