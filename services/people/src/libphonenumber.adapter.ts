import { AppError } from '@swim/platform';
import { parsePhoneNumberFromString } from 'libphonenumber-js';

/**
 * The E.164 spelling of a number in international format; `invalid_phone` for anything else. A number counts when its
 * country and length exist: whether a range is assigned changes faster than any table, and a contact must not be rejected for it.
 */
export function toE164(text: string, field: string): string {
  const number = parsePhoneNumberFromString(text, { extract: false });
  if (!text.startsWith('+') || !number?.isPossible() || number.ext) throw new AppError('invalid_phone', { field });
  return number.number;
}
