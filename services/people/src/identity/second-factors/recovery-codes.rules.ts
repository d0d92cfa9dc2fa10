/** How many codes a user gets. */
export const RECOVERY_CODES = 10;
/** Random bytes of one code: 50 bits are used. */
export const RECOVERY_CODE_BYTES = 10;

// Crockford's base32, without letters that look like digits.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A code of ten characters, in two groups, from ten random bytes. */
export function recoveryCodeOf(random: Uint8Array): string {
  const text = [...random.subarray(0, RECOVERY_CODE_BYTES)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

/** A code as it is compared: whatever case and separators it was typed with. */
export const normalizedCode = (typed: string): string => typed.toLowerCase().replace(/[^a-z0-9]/g, '');
