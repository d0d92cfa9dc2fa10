import { filledIn } from './filled-in.ts';

/** An error of the API for a value or a request: a stable reason, and the bounds of a valid value. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
  readonly field?: string | undefined;
  readonly [bound: string]: unknown;
}

type Values = Readonly<Record<string, string | number>>;

const LENGTHS: readonly string[] = ['too_short', 'too_long'];
const SIZES: readonly string[] = ['too_small', 'too_large', 'out_of_range'];

/** The texts that fit a rejection, the closest first. */
function keysOf(rejection: Rejection): string[] {
  const {
    reason,
    field = '',
    min_length: least,
    min_items: fewest,
    max_items: most,
    minimum,
    maximum,
    rule,
  } = rejection;
  const name = field
    .replace(/[.[]\d+]?$/, '')
    .split('.')
    .at(-1)!;
  const own = [`${reason}.${typeof rule === 'string' ? rule : name}`, reason];
  if (LENGTHS.includes(reason) && (fewest ?? most) !== undefined) return [`${reason}.items`];
  // Nothing was typed where something has to be.
  if (reason === 'too_short' && least === 1) return ['required'];
  // Bounds of amounts are in minor units, which nobody types.
  if (SIZES.includes(reason) && name.endsWith('_cents')) return [`${reason}.amount`];
  return SIZES.includes(reason) && minimum !== undefined && maximum !== undefined ? ['range'] : own;
}

const isValue = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/**
 * The sentence about a rejection in the language of the texts; that of the API, in English, where they have none, or where a value
 * that theirs needs is not known.
 */
export function sentenceOf(rejection: Rejection, texts: Readonly<Record<string, string>>, tag: string): string {
  const text = keysOf(rejection)
    .map((key) => texts[`reason.${key}`])
    .find((each) => each !== undefined);
  if (text === undefined) return rejection.message;
  const values = Object.entries(rejection).filter((entry): entry is [string, string | number] => isValue(entry[1]));
  const written = values.map(([name, value]) => [name, typeof value === 'number' ? value.toLocaleString(tag) : value]);
  const sentence = filledIn(text, Object.fromEntries(written) as Values);
  return /\{\w+\}/.test(sentence) ? rejection.message : sentence;
}
