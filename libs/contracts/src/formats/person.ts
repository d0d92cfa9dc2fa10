import { z } from 'zod';
import { EXPECTED } from '../errors/error-body.js';
import { expects, notBlank } from './formats.js';

/** Levels of a swimmer, lowest first: levels 1 to 6 of the American Red Cross Learn-to-Swim programme. */
export const SWIMMING_LEVELS = [
  'beginner',
  'advanced_beginner',
  'intermediate',
  'advanced_intermediate',
  'advanced',
  'proficient',
] as const;
export type SwimmingLevel = (typeof SWIMMING_LEVELS)[number];
export const swimmingLevel = z.enum(SWIMMING_LEVELS);

const MOST_EMAIL = 254;

/** An address with its domain in ASCII, as mail servers know it: `user@xn--mller-kva.de` for `user@müller.de`. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII.
  if (/^[\x00-\x7f]*$/.test(domain) || /[/?#:@\\\s%]/.test(domain) || !URL.canParse(`http://${domain}`)) return address;
  return address.slice(0, at) + new URL(`http://${domain}`).hostname;
}

/** An e-mail address, at most 254 characters (RFC 5321 section 4.5.3.1.3); its domain may have letters of any script. */
export const email = z
  .string({ error: (issue) => (issue.input === undefined ? undefined : 'invalid_format') })
  .max(MOST_EMAIL, { error: 'too_long', abort: true })
  .overwrite(withAsciiDomain)
  .check(z.email({ error: 'invalid_format' }))
  .meta(expects('an e-mail address'));

/** A text that is an e-mail address, in what a service answers: `email` without its validation. */
export const emailText = z.string().meta({ format: 'email', maxLength: MOST_EMAIL, pattern: z.regexes.email.source });

/** Phone number in international format with a leading `+`; spaces and punctuation are taken, answers are E.164. */
export const phone = z
  .string()
  .max(40, { error: 'invalid_phone', abort: true })
  .startsWith('+', { error: 'invalid_phone' })
  .meta({
    ...expects(EXPECTED.invalid_phone),
    examples: ['+14155552671'],
  });

/** Free text to search names by. */
export const searchText = notBlank(200).meta({
  description: 'Beginning of any word, whatever its case and accents; taken literally',
});
