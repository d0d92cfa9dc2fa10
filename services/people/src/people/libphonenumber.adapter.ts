import { EXPECTED } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { type CountryCode, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js';

/** What is wrong with the length of a number whose country code exists, as what it has to be; null where that is not the fault. */
function expectedLength(number: ReturnType<typeof parsePhoneNumberFromString>): string | null {
  if (!number || number.isPossible()) return null;
  const metadata = new Metadata();
  // It takes calling codes too, which its types do not say.
  metadata.selectNumberingPlan(number.countryCallingCode as CountryCode);
  const lengths = metadata.numberingPlan?.possibleLengths() ?? [];
  const digits = number.nationalNumber.length;
  if (lengths.length === 0 || lengths.includes(digits)) return null;
  const needed = `${lengths.slice(0, -1).join(', ')}${lengths.length > 1 ? ' or ' : ''}${lengths.at(-1)}`;
  return `a phone number with ${needed} digits after +${number.countryCallingCode}; this one has ${digits}`;
}

/**
 * The E.164 spelling of a number in international format; `invalid_phone` for anything else. Checks country and length only:
 * tables of assigned ranges are outdated too quickly to reject a contact by them.
 */
export function toE164(text: string, field: string): string {
  const number = parsePhoneNumberFromString(text, { extract: false });
  if (!text.startsWith('+') || !number?.isPossible() || number.ext)
    throw new AppError('invalid_phone', {
      field,
      bounds: { expected: expectedLength(number) ?? EXPECTED.invalid_phone },
    });
  return number.number;
}
