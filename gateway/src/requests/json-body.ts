import { isUtf8 } from 'node:buffer';
import { AppError } from '@swim/platform';
import { containsCardNumber, hasLongNumber, MIN_DIGITS as MIN_CARD_DIGITS } from './card-number.rules.js';

/** Most nested objects and arrays that a body may have (contract, HTTP). */
export const MAX_DEPTH = 32;

/** Most members that an object in a body may have: no operation takes nearly as many, and reading them is slow. */
const MAX_MEMBERS = 1_000;

const FIELD = 'body';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LOWER_E = 0x65;
/** By character code: what a number may go on with. */
const isInNumber = new Uint8Array(0x1_00_00);
for (const character of '0123456789.+-eE') isInNumber[character.charCodeAt(0)] = 1;

interface Scanned {
  /** A number that is a card number as it is spelled: some are too long for JavaScript's numbers. */
  cardNumber: number | null;
  /** A number is spelled with an exponent, which hides its digits. */
  hasExponent: boolean;
}

/** What is found on the text before anything parses it. Reads broken JSON too; that is rejected afterwards. */
function scan(text: string): Scanned {
  const found: Scanned = { cardNumber: null, hasExponent: false };
  const members = new Int32Array(MAX_DEPTH + 1);
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === COLON) {
      if (++members[depth]! > MAX_MEMBERS) throw tooManyMembers();
    } else if (code === 0x7b || code === 0x5b) {
      // { and [ differ from } and ] by two.
      if (++depth > MAX_DEPTH) throw new AppError('too_deep', { field: FIELD });
      members[depth] = 0;
    } else if (code === 0x7d || code === 0x5d) depth = Math.max(0, depth - 1);
    else if (code >= 0x30 && code <= 0x39) index += scanNumber(text, index, found) - 1;
  }
  return found;
}

const tooManyMembers = () =>
  new AppError('invalid_body', {
    field: FIELD,
    message: `An object in the body has more than ${MAX_MEMBERS} fields; no operation takes so many.`,
  });

/** Length of the number that begins here. */
function scanNumber(text: string, start: number, found: Scanned): number {
  let end = start + 1;
  for (let code = text.charCodeAt(end); isInNumber[code] === 1; code = text.charCodeAt(++end))
    if ((code | 0x20) === LOWER_E) found.hasExponent = true;
  const length = end - start;
  if (length >= MIN_CARD_DIGITS) {
    const number = text.slice(start, end);
    if (containsCardNumber(number)) found.cardNumber ??= Number(number);
  }
  return length;
}

/** Index of the quote that ends the string which begins here; that of the last character without one. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    index += code === BACKSLASH ? 2 : 1;
  }
  return index;
}

type Fault = 'forbidden_characters' | 'card_number';

interface Found {
  reason: Fault;
  path: string[];
}

function faultOf(text: string): Fault | null {
  if (text.includes('\0') || !text.isWellFormed()) return 'forbidden_characters';
  return containsCardNumber(text) ? 'card_number' : null;
}

/** The first text or number that is at fault, and its dotted path; a name counts as part of what it names. */
function findFault(value: unknown, cardNumber: number | null): Found | null {
  if (typeof value === 'number' && value === cardNumber) return { reason: 'card_number', path: [] };
  if (typeof value === 'string' || typeof value === 'number') {
    const reason = faultOf(String(value));
    return reason && { reason, path: [] };
  }
  if (value === null || typeof value !== 'object') return null;
  return Array.isArray(value) ? findInList(value, cardNumber) : findInObject(value, cardNumber);
}

function findInList(list: unknown[], cardNumber: number | null): Found | null {
  for (let index = 0; index < list.length; index++) {
    const found = findFault(list[index], cardNumber);
    if (found) return { reason: found.reason, path: [String(index), ...found.path] };
  }
  return null;
}

function findInObject(object: object, cardNumber: number | null): Found | null {
  for (const name of Object.keys(object)) {
    const reason = faultOf(name);
    if (reason) return { reason, path: [] };
    const found = findFault((object as Record<string, unknown>)[name], cardNumber);
    if (found) return { reason: found.reason, path: [name, ...found.path] };
  }
  return null;
}

function checkTexts(text: string, body: object, { cardNumber, hasExponent }: Scanned): void {
  // Raw control characters are no JSON and raw surrogates no UTF-8: both can only come as escapes. Most bodies have
  // neither escapes nor long numbers, and nothing of them need be looked at.
  if (!hasExponent && !text.includes('\\') && !hasLongNumber(text)) return;
  const fault = findFault(body, cardNumber);
  if (fault) throw new AppError(fault.reason, { field: fault.path.join('.') || FIELD });
}

/**
 * Reads the bytes of a body: UTF-8, JSON, an object, not nested too deeply, without NUL, unpaired surrogates and card
 * numbers. No bytes are an empty object. Throws the reason of whatever is wrong. The time grows with the bytes and with
 * nothing else, whatever they are: meanwhile no other request is served.
 */
export function readJsonBody(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new AppError('invalid_json', { field: FIELD });
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const scanned = scan(text);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new AppError('invalid_json', { field: FIELD });
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw new AppError('invalid_body', { field: FIELD });
  checkTexts(text, body, scanned);
  return body as Record<string, unknown>;
}
