import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { derived, type MasterKeySettings, masterKeysOf } from '../config/derived.js';

const MAC_BYTES = 32;
const PART = /^[\w-]{1,80}$/;

/**
 * Tokens of public links: their parts in plain text, and an HMAC-SHA256 of these under a key of their purpose, derived by HKDF
 * from the service's master keys. The current key signs; all known ones verify, so that a rotation breaks no link.
 */
export class SignedTokens {
  private readonly keys: () => readonly Buffer[];

  constructor(purpose: string, settings: MasterKeySettings) {
    const keyOf = (key: Buffer) => Buffer.from(hkdfSync('sha256', key, '', `link|${purpose}`, MAC_BYTES));
    this.keys = derived(
      () => masterKeysOf(settings),
      (...keys) => keys.map(keyOf),
    );
  }

  /** A token of these parts: letters, digits, `_` and `-`. */
  sign(...parts: string[]): string {
    if (!parts.every((part) => PART.test(part))) throw new Error('A part of a token has other characters.');
    const body = parts.join('.');
    return `${body}.${macOf(this.keys()[0]!, body).toString('base64url')}`;
  }

  /** The parts of a token, or null when it was not signed here. */
  read(token: string): string[] | null {
    const end = token.lastIndexOf('.');
    const mac = Buffer.from(token.slice(end + 1), 'base64url');
    if (end < 0 || mac.length !== MAC_BYTES) return null;
    const body = token.slice(0, end);
    // Compares with all, in constant time each.
    const matches = this.keys().filter((key) => timingSafeEqual(macOf(key, body), mac));
    return matches.length > 0 ? body.split('.') : null;
  }
}

const macOf = (key: Buffer, body: string): Buffer => createHmac('sha256', key).update(body).digest();
