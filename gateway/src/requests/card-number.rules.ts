/** Digits of the shortest card number. */
const MIN_DIGITS = 13;

// First digits and lengths of the cards in use (ISO/IEC 7812 issuer ranges): Visa, Mastercard, American Express, Diners, JCB,
// Maestro. Discover (6011, 644 to 65) and UnionPay (62) lie within Maestro's 6.
const ISSUERS: readonly [start: RegExp, lengths: readonly number[]][] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|095|[689])/, [14, 15, 16, 17, 18, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6)/, [13, 14, 15, 16, 17, 18, 19]],
];

// Letters and digits beside a number make it an id or a digest, `+` a telephone number, a point before it a decimal fraction.
const BEFORE = String.raw`(?<![\p{L}\p{N}_+]|\d\.)`;
const AFTER = String.raw`(?![\p{L}\p{N}_])`;
const SEARCHES = [
  String.raw`\d{13,19}`,
  // The groups in which cards show digits: 4-4-4-4 and 4-4-4-4-3, 4-6-4 and 4-6-5.
  String.raw`\d{4}(?:[ \-]{1,3}\d{4}){3}`,
  String.raw`\d{4}(?:[ \-]{1,3}\d{4}){3}[ \-]{1,3}\d{3}`,
  String.raw`\d{4}[ \-]{1,3}\d{6}[ \-]{1,3}\d{4,5}`,
  // A look-ahead takes no characters, so that a match hides none that begins within it.
].map((digits) => new RegExp(`${BEFORE}(?=(${digits})${AFTER})`, 'gu'));

const SUSPECT = /\d(?:[ -]{0,3}\d){12}/;
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
const FOREIGN = /[[\p{Nd}\p{Zs}\p{Pd}\u2212]--\p{ASCII}]/gv;
const DIGIT = /\p{Nd}/u;
const BLANK = /\p{Zs}/u;

/** The decimal digits of other scripts, and full-width ones, by their ASCII digits. */
const ASCII_DIGITS = new Map(
  Intl.supportedValuesOf('numberingSystem').flatMap((system) => {
    const digits = [...new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(9_876_543_210)];
    return digits.length === 10 ? digits.map((digit, index) => [digit, String(9 - index)] as const) : [];
  }),
);

function asciiOf(char: string): string {
  if (DIGIT.test(char)) return ASCII_DIGITS.get(char) ?? char;
  return BLANK.test(char) ? ' ' : '-';
}

/** The text with all decimal digits, blanks and dashes in ASCII: an input method may type a card number in others. */
const inAscii = (text: string): string => text.replace(FOREIGN, asciiOf);

/** Whether a text has as many digits in a row as a card number, apart from the blanks and hyphens between them. */
export const hasLongNumber = (text: string): boolean => SUSPECT.test(inAscii(text));

/** Whether the check digit is right (Luhn). */
function hasCheckDigit(number: string): boolean {
  let sum = 0;
  for (let index = 0; index < number.length; index++) {
    const digit = Number(number[number.length - 1 - index]);
    sum += index % 2 === 1 ? DOUBLED[digit]! : digit;
  }
  return sum % 10 === 0;
}

/** Whether these digits are a card number. */
export const isCardNumber = (number: string): boolean =>
  number.length >= MIN_DIGITS &&
  ISSUERS.some(([start, lengths]) => lengths.includes(number.length) && start.test(number)) &&
  hasCheckDigit(number);

/**
 * Whether this text contains a payment card number, in one piece or in the groups in which cards print it, with one to three
 * blanks or hyphens between these. Digits in any other grouping are an order number, a date or an id. The time is linear in the
 * text.
 */
export function containsCardNumber(given: string): boolean {
  if (given.length < MIN_DIGITS) return false;
  const text = inAscii(given);
  if (!SUSPECT.test(text)) return false;
  return SEARCHES.some((search) =>
    [...text.matchAll(search)].some(([, digits]) => isCardNumber(digits!.replace(/[ -]/g, ''))),
  );
}
