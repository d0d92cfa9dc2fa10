import { isUtf8 } from 'node:buffer';
import { AppError } from '@swim/platform';
import { containsCardNumber, hasLongNumber, isCardNumber } from './card-number.rules.js';

/** Maximum depth of nested objects and arrays in a body (contract, HTTP). */
export const MAX_DEPTH = 32;

/** Maximum of members in one object of a body: every operation needs far fewer, and reading them is slow. */
const MAX_MEMBERS = 1_000;

const FIELD = 'body';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LOWER_E = 0x65;
/** By character code: 1 where a number can continue with it. */
const isInNumber = new Uint8Array(0x1_00_00);
for (const character of '0123456789.+-eE') isInNumber[character.charCodeAt(0)] = 1;

interface Scanned {
  /** A number whose digits are a card number: some are too long for JavaScript's numbers. */
  cardNumber: number | null;
  /** Whether a number has an exponent, which hides its digits. */
  hasExponent: boolean;
}

/** Scans the text before it is parsed. Invalid JSON is scanned too, and rejected afterwards. */
function scan(text: string): Scanned {
  const found: Scanned = { cardNumber: null, hasExponent: false };
  const names: (Set<string> | undefined)[] = [];
  let depth = 0;
  let name = '';
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const start = index + 1;
      index = endOfString(text, index);
      name = text.slice(start, index);
    } else if (code === COLON) addName(names, depth, name);
    else if (code === 0x7b || code === 0x5b) {
      // { and [ differ from } and ] by two.
      if (++depth > MAX_DEPTH) throw new AppError('too_deep', { field: FIELD, bounds: { maximum: MAX_DEPTH } });
      names[depth] = undefined;
    } else if (code === 0x7d || code === 0x5d) depth = Math.max(0, depth - 1);
    else if (code >= 0x30 && code <= 0x39) index += scanNumber(text, index, found) - 1;
  }
  return found;
}

/** Adds a member of an object; names with escapes are compared by what they stand for. Throws `duplicate_field`. */
function addName(names: (Set<string> | undefined)[], depth: number, written: string): void {
  const known = names[depth] ?? new Set();
  names[depth] = known;
  const name = written.includes('\\') ? unescaped(written) : written;
  if (known.has(name)) throw new AppError('duplicate_field', { field: name.isWellFormed() && name ? name : FIELD });
  if (known.add(name).size > MAX_MEMBERS) throw tooManyMembers();
}

/** The name that a JSON text means; what is no JSON stays as it is, and is rejected with the body. */
function unescaped(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}

const tooManyMembers = () =>
  new AppError('invalid_body', {
    field: FIELD,
    message: `An object in the body has more than ${MAX_MEMBERS} fields; no operation takes so many.`,
    bounds: { max_items: MAX_MEMBERS },
  });

/** Length of the number that starts here. */
function scanNumber(text: string, start: number, found: Scanned): number {
  let end = start + 1;
  for (let code = text.charCodeAt(end); isInNumber[code] === 1; code = text.charCodeAt(++end))
    if ((code | 0x20) === LOWER_E) found.hasExponent = true;
  const number = text.slice(start, end);
  if (isCardNumber(number)) found.cardNumber ??= Number(number);
  return end - start;
}

/** Index of the closing quote of the string that starts here; the end of the text without one. */
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

/** The first wrong text or number, and its path; a wrong name has the path of its object. */
function findFault(value: unknown, cardNumber: number | null): Found | null {
  if (typeof value === 'number' && (value === cardNumber || isCardNumber(String(Math.abs(value)))))
    return { reason: 'card_number', path: [] };
  // All digits of an integer are in one piece: a list of many needs no search in each.
  if (Number.isInteger(value)) return null;
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
  // JSON has no raw control characters and UTF-8 no raw surrogates: both can only be escapes. Most bodies have neither
  // escapes nor long numbers, and need no check.
  if (!hasExponent && !text.includes('\\') && !hasLongNumber(text)) return;
  const fault = findFault(body, cardNumber);
  if (fault) throw new AppError(fault.reason, { field: fault.path.join('.') || FIELD });
}

/**
 * Reads the bytes of a body: UTF-8, JSON, an object, not nested too deeply, without NUL, unpaired surrogates and card
 * numbers. No bytes are an empty object. Throws the reason of the first error. The time is linear in the bytes for every
 * input: meanwhile no other request is served.
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
