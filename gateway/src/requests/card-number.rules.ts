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

/**
 * Sizes of the groups in which cards and forms have a number, as digits: 465 is four, six and five. Digits with more than one
 * blank or dash between them count in these groups only: otherwise two order numbers in two lines would be a card number.
 */
const GROUPINGS = new Set([4441, 4442, 4443, 4444, 44_441, 44_442, 44_443, 464, 465, 445]);
const MOST_BETWEEN = 8;

const SUSPECT = /\d(?:[ \t\n\v\f\r./-]{0,8}\d){12}/;
const WORD = /[\p{L}\p{N}_+]$/u;
const BEFORE_FRACTION = /\d\.$/;
const BLANKS = /\p{Zs}/u;
const DASHES = /[\p{Pd}\u2212]/u;
const BREAKS = /[\x85\p{Zl}\p{Zp}]/u;
const WORD_NEXT = /^[\p{L}\p{N}_]/u;

// A digest or an id may have any letters beside its digits, but hardly these words. `card_` is a prefix of ids.
const CARD_WORD =
  /(?<![\p{L}\p{N}])(?:(?:visa|master_?card|amex|maestro|unionpay|(?:credit|debit)_?card|card_?(?:no|nr|number))_?|card|pan)$/iu;
const CARD_WORD_NEXT = /^_?(?:exp(?:iry|ires?|iration|date)?|cv[cv]2?|csc|valid)(?!\p{L})/iu;
const MOST_OF_WORD = 16;

const FOREIGN = /[[\p{Nd}\p{Zs}\p{Zl}\p{Zp}\p{Pd}\x85\u2212\uFF0E\uFF0F]--\p{ASCII}]/gv;

/** The decimal digits of other scripts, and full-width ones, by their ASCII digits. */
const ASCII_DIGITS = new Map(
  Intl.supportedValuesOf('numberingSystem').flatMap((system) => {
    const digits = [...new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(9_876_543_210)];
    return digits.length === 10 ? digits.map((digit, index) => [digit, String(9 - index)] as const) : [];
  }),
);

function jointInAscii(char: string): string {
  if (BLANKS.test(char)) return ' ';
  if (DASHES.test(char)) return '-';
  if (BREAKS.test(char)) return '\n';
  if (char === '\uFF0E') return '.';
  return char === '\uFF0F' ? '/' : char;
}

/** The text with all decimal digits and what may be between them in ASCII: an input method may type a card number in others. */
const inAscii = (text: string): string => text.replace(FOREIGN, (char) => ASCII_DIGITS.get(char) ?? jointInAscii(char));

/** Whether a text has as many digits in a row as a card number, apart from what may be between them. */
export const hasLongNumber = (text: string): boolean => SUSPECT.test(inAscii(text));

const isPlain = (code: number): boolean => code === BLANK || code === DASH;
const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;

/** By character code: 1 where a card number may have it between two digits. */
const isJoint = new Uint8Array(0x1_00_00);
for (const joint of ' \t\n\v\f\r./-') isJoint[joint.charCodeAt(0)] = 1;

/** Not after a letter, a digit, `+` (a phone number) or the point of a decimal fraction, but after a word for a card. */
function canBegin(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  if (BEFORE_FRACTION.test(before)) return false;
  return !WORD.test(before) || CARD_WORD.test(text.slice(Math.max(0, index - MOST_OF_WORD), index));
}

/** Not before a letter, a digit or `_`, but before a word that follows a card number. */
const canEnd = (text: string, index: number): boolean =>
  !WORD_NEXT.test(text.slice(index + 1, index + 3)) ||
  CARD_WORD_NEXT.test(text.slice(index + 1, index + 1 + MOST_OF_WORD));

const RING = 32;
const LAST = RING - 1;

/**
 * The digits of a run: digits with at most eight joints between two of them. A piece of it has at most one blank or dash between
 * two. It keeps the last 32 digits.
 */
class Run {
  length = 0;
  /** How many digits are before the latest piece. */
  private beforePiece = 0;
  private readonly places = new Int32Array(RING);
  // Sums of the digits so far, with those at odd places doubled (Luhn), and with those at even places doubled.
  private readonly sums = [new Int32Array(RING), new Int32Array(RING)] as const;

  private text = '';

  start(text: string): void {
    this.text = text;
    this.end();
    // The sums go on from these; without an end they would exceed 32 bits.
    for (const sums of this.sums) sums[LAST] = 0;
  }

  end(): void {
    this.length = 0;
    this.beforePiece = 0;
  }

  add(place: number): void {
    if (this.length > 0) this.addJoints(place);
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

  private addJoints(place: number): void {
    const count = place - this.place(1) - 1;
    if (count > MOST_BETWEEN) this.end();
    else if (count > 1 || (count === 1 && !isPlain(this.text.charCodeAt(place - 1)))) this.beforePiece = this.length;
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
    if (this.length - count < this.beforePiece && !this.isGrouped(count)) return false;
    return canBegin(this.text, first) && canEnd(this.text, this.place(1));
  }

  /** Whether the last digits stand in the groups of a card. */
  private isGrouped(count: number): boolean {
    let [grouping, size] = [0, 1];
    for (let next = count - 1; next > 0; next--) {
      if (this.place(next) - this.place(next + 1) === 1) size++;
      else {
        if (size > 6) return false;
        [grouping, size] = [grouping * 10 + size, 1];
      }
    }
    return size <= 6 && GROUPINGS.has(grouping * 10 + size);
  }
}

// One run for all texts: a search is synchronous.
const run = new Run();

/**
 * Whether this text contains a payment card number: in one piece or with single blanks and dashes anywhere between the digits,
 * or in the groups of a card with up to eight blanks, tabs, line breaks, dashes, dots and slashes between these; also beside
 * other groups of digits: "lane 4 4242 4242 4242 4242". The search reads each character once and tries the seven lengths of a
 * card number at each digit that ends a group, so that its time is linear in the text. All of it counts in any script.
 */
export function containsCardNumber(given: string): boolean {
  if (given.length < MIN_DIGITS) return false;
  const text = inAscii(given);
  if (!SUSPECT.test(text)) return false;
  run.start(text);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      run.add(index);
      const isGroupEnd = !isDigit(text.charCodeAt(index + 1));
      if (isGroupEnd && run.length >= MIN_DIGITS && run.endsCardNumber()) return true;
    } else if (isJoint[code] === 0) run.end();
  }
  return false;
}
