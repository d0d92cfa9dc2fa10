const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

// First digits and lengths of the cards in use (ISO/IEC 7812 issuer ranges): Visa, Mastercard, American Express, Diners,
// Discover, JCB, UnionPay, Maestro.
const ISSUERS: readonly [RegExp, readonly number[]][] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|095|6|8|9)/, [14, 15, 16, 17, 18, 19]],
  [/^(?:6011|64[4-9]|65)/, [16, 17, 18, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6)/, [13, 14, 15, 16, 17, 18, 19]],
];

// Digits with at most a blank or dash between two of them; not after a letter, a digit, `+` (a phone number) or the point
// of a decimal fraction, and not before a letter or digit.
const RUN = /(?<![\p{L}\p{N}_+]|\d\.)\d(?:[ -]?\d){12,}(?![\p{L}\p{N}_])/gu;

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const hasIssuer = (digits: string): boolean =>
  ISSUERS.some(([start, lengths]) => lengths.includes(digits.length) && start.test(digits));

// A card number may stand beside other groups of digits: "lane 4 4242 4242 4242 4242".
function holdsCardNumber(run: string): boolean {
  const groups = run.split(/[ -]/);
  return groups.some((group, first) => {
    if (group < '2' || group >= '7') return false;
    let digits = '';
    for (let next = first; next < groups.length && digits.length < MAX_DIGITS; next++) {
      digits += groups[next];
      // The check digit first: it is cheap, and this text may be long.
      if (digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS && passesLuhn(digits) && hasIssuer(digits))
        return true;
    }
    return false;
  });
}

/** Whether a payment card number stands anywhere in this text, written in one piece or in groups. */
export function containsCardNumber(text: string): boolean {
  for (const [run] of text.matchAll(RUN)) if (holdsCardNumber(run)) return true;
  return false;
}
