import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Swim Lessons';
/** Seconds for which a code is shown; one before and one after are accepted, since clocks differ (RFC 6238 section 5.2). */
const PERIOD = 30;
const WINDOW = 1;

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: ISSUER, label, period: PERIOD, digits: 6, algorithm: 'SHA1', secret: Secret.fromBase32(secret) });

/** A new secret: 160 bits (RFC 4226 section 4), base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** What an authenticator app reads from a QR code. */
export const totpUrl = (secret: string, label: string): string => totpOf(secret, label).toString();

/** The time step of a code that is right now; null for a wrong one. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(now.getTime() / 1_000 / PERIOD) + delta;
}
