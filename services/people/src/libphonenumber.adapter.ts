import { EXPECTED } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { parsePhoneNumberFromString } from 'libphonenumber-js';

/**
 * The E.164 spelling of a number in international format; `invalid_phone` for anything else. Checks country and length only:
 * tables of assigned ranges are outdated too quickly to reject a contact by them.
 */
export function toE164(text: string, field: string): string {
  const number = parsePhoneNumberFromString(text, { extract: false });
  if (!text.startsWith('+') || !number?.isPossible() || number.ext)
    throw new AppError('invalid_phone', { field, bounds: { expected: EXPECTED.invalid_phone } });
  return number.number;
}
