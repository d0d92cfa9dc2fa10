import { isUtf8 } from 'node:buffer';
import { AppError } from '@swim/platform';
import { containsCardNumber } from './card-number.rules.js';

/** Most nested objects and arrays that a body may have (contract, HTTP). */
export const MAX_DEPTH = 32;

const FIELD = 'body';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Depth of nesting, found on the text before anything parses it. Counts broken JSON too; that is refused afterwards. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    // { and [ differ from } and ] by two: 0x7b 0x7d, 0x5b 0x5d.
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** Dotted path of the first text or number that `isWrong` says so of; a name counts as part of what it names. */
function findField(value: unknown, isWrong: (text: string) => boolean, path = ''): string | null {
  if (typeof value === 'string') return isWrong(value) ? path : null;
  if (typeof value === 'number') return isWrong(String(value)) ? path : null;
  if (value === null || typeof value !== 'object') return null;
  for (const [name, member] of Object.entries(value)) {
    if (isWrong(name)) return path;
    const found = findField(member, isWrong, path === '' ? name : `${path}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

const isForbidden = (text: string): boolean => text.includes('\0') || !text.isWellFormed();

function checkTexts(text: string, body: object): void {
  // Raw control characters are no JSON and raw surrogates no UTF-8: both can only come as escapes.
  const hasEscapes = text.includes('\\');
  const forbidden = hasEscapes ? findField(body, isForbidden) : null;
  if (forbidden !== null) throw new AppError('forbidden_characters', { field: forbidden });
  const isSuspect = containsCardNumber(text);
  const card = isSuspect || hasEscapes ? findField(body, containsCardNumber) : null;
  if (card !== null || isSuspect) throw new AppError('card_number', { field: card ?? '' });
}

/**
 * Reads the bytes of a body: UTF-8, JSON, an object, not nested too deeply, without NUL, unpaired surrogates and card
 * numbers. No bytes are an empty object. Throws the reason of whatever is wrong.
 */
export function readJsonBody(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new AppError('invalid_json', { field: FIELD });
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (isTooDeep(text)) throw new AppError('too_deep', { field: FIELD });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new AppError('invalid_json', { field: FIELD });
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw new AppError('invalid_body', { field: FIELD });
  checkTexts(text, body);
  return body as Record<string, unknown>;
}
