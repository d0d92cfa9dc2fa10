/** Digits of the shortest card number. */
export const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
const ZERO = 0x30;
const BLANK = 0x20;
const DASH = 0x2d;

// First four digits and lengths of the cards in use (ISO/IEC 7812 issuer ranges): Visa, Mastercard, American Express,
// Diners, JCB, Maestro. Discover (6011, 644 to 65) and UnionPay (62) lie within Maestro's 6.
const ANY_LENGTH = [13, 14, 15, 16, 17, 18, 19];
const ISSUERS: readonly [from: number, to: number, lengths: readonly number[]][] = [
  [4000, 4999, [13, 16, 19]],
  [2221, 2720, [16]],
  [5100, 5599, [16]],
  [3400, 3499, [15]],
  [3700, 3799, [15]],
  [3000, 3059, [14, 15, 16, 17, 18, 19]],
  [3095, 3095, [14, 15, 16, 17, 18, 19]],
  [3600, 3699, [14, 15, 16, 17, 18, 19]],
  [3800, 3999, [14, 15, 16, 17, 18, 19]],
  [3528, 3589, [16, 17, 18, 19]],
  [5000, 5099, ANY_LENGTH],
  [5600, 5999, ANY_LENGTH],
  [6000, 6999, ANY_LENGTH],
];

/** By the first four digits: bit n is set where a card number with this prefix can have n + MIN_DIGITS digits. */
const LENGTHS_BY_PREFIX = new Uint8Array(10_000);
for (const [from, to, lengths] of ISSUERS)
  for (let prefix = from; prefix <= to; prefix++)
    for (const length of lengths) LENGTHS_BY_PREFIX[prefix]! |= 1 << (length - MIN_DIGITS);

const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];

const SUSPECT = /\d(?:[ -]?\d){12}/;
const WORD = /[\p{L}\p{N}_+]$/u;
const BEFORE_FRACTION = /\d\.$/;
const BLANKS = /\p{Zs}/u;
const DASHES = /[\p{Pd}\u2212]/u;
const WORD_NEXT = /^[\p{L}\p{N}_]/u;

const FOREIGN = /[[\p{Nd}\p{Zs}\p{Pd}\u2212]--\p{ASCII}]/gv;

/** The decimal digits of other scripts, and full-width ones, by their ASCII digits. */
const ASCII_DIGITS = new Map(
  Intl.supportedValuesOf('numberingSystem').flatMap((system) => {
    const digits = [...new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(9_876_543_210)];
    return digits.length === 10 ? digits.map((digit, index) => [digit, String(9 - index)] as const) : [];
  }),
);

/** The text with all decimal digits, blanks and dashes in ASCII: an input method may type a card number in others. */
const inAscii = (text: string): string =>
  text.replace(FOREIGN, (char) => ASCII_DIGITS.get(char) ?? (BLANKS.test(char) ? ' ' : DASHES.test(char) ? '-' : char));

/** Whether a text has as many digits in a row as a card number, apart from blanks and dashes between them. */
export const hasLongNumber = (text: string): boolean => SUSPECT.test(inAscii(text));

const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;

/** Not after a letter, a digit, `+` (a phone number) or the point of a decimal fraction. */
function canBegin(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  return !WORD.test(before) && !BEFORE_FRACTION.test(before);
}

const canEnd = (text: string, index: number): boolean => !WORD_NEXT.test(text.slice(index + 1, index + 3));

const RING = 32;
const LAST = RING - 1;

/** The digits of a run: digits with at most one blank or dash between two of them. It keeps the last 32. */
class Run {
  length = 0;
  private readonly places = new Int32Array(RING);
  // Sums of the digits so far, with those at odd places doubled (Luhn), and with those at even places doubled.
  private readonly sums = [new Int32Array(RING), new Int32Array(RING)] as const;

  private text = '';

  start(text: string): void {
    this.text = text;
    this.length = 0;
  }

  add(place: number): void {
    const slot = this.length & LAST;
    const before = (this.length - 1) & LAST;
    const digit = this.text.charCodeAt(place) - ZERO;
    const isOdd = (this.length & 1) === 1;
    const [plainAtEven, plainAtOdd] = this.sums;
    plainAtEven[slot] = plainAtEven[before]! + (isOdd ? DOUBLED[digit]! : digit);
    plainAtOdd[slot] = plainAtOdd[before]! + (isOdd ? digit : DOUBLED[digit]!);
    this.places[slot] = place;
    this.length++;
  }

  /** Whether a card number ends with the last digit, which ends a group, and starts with the first digit of a group. */
  endsCardNumber(): boolean {
    const sums = this.sums[(this.length - 1) & 1]!;
    const total = sums[(this.length - 1) & LAST]!;
    const most = Math.min(this.length, MAX_DIGITS);
    for (let count = MIN_DIGITS; count <= most; count++) {
      const before = sums[(this.length - count - 1) & LAST]!;
      if ((total - before) % 10 === 0 && this.isCardNumber(count)) return true;
    }
    return false;
  }

  private place(fromEnd: number): number {
    return this.places[(this.length - fromEnd) & LAST]!;
  }

  private isCardNumber(count: number): boolean {
    const first = this.place(count);
    if (isDigit(this.text.charCodeAt(first - 1))) return false;
    let prefix = 0;
    for (let next = count; next > count - 4; next--)
      prefix = prefix * 10 + this.text.charCodeAt(this.place(next)) - ZERO;
    if (((LENGTHS_BY_PREFIX[prefix]! >> (count - MIN_DIGITS)) & 1) === 0) return false;
    return canBegin(this.text, first) && canEnd(this.text, this.place(1));
  }
}

// One run for all texts: a search is synchronous.
const run = new Run();

/**
 * Whether this text contains a payment card number, in one piece or in groups, also beside other groups of digits:
 * "lane 4 4242 4242 4242 4242". The search reads each character once and tries the seven lengths of a card number at each
 * digit that ends a group, so that its time is linear in the text. Digits, blanks and dashes count in any script.
 */
export function containsCardNumber(given: string): boolean {
  if (given.length < MIN_DIGITS) return false;
  const text = inAscii(given);
  if (!SUSPECT.test(text)) return false;
  run.start(text);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isNextDigit = isDigit(text.charCodeAt(index + 1));
    if (isDigit(code)) {
      run.add(index);
      if (!isNextDigit && run.length >= MIN_DIGITS && run.endsCardNumber()) return true;
    } else if (!isNextDigit || (code !== BLANK && code !== DASH) || !isDigit(text.charCodeAt(index - 1)))
      run.length = 0;
  }
  return false;
}
