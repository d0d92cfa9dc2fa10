import type { z } from 'zod';
import { BOUND_NAMES, type Bounds, type Constraint, isBound, type Place, placeAt } from '../errors/constraints.js';
import { completed, type ErrorBody, type FieldError, namingField, WHOLE_BODY } from '../errors/error-body.js';
import { REASONS, type Reason } from '../errors/errors.js';
import { characterCount } from '../formats/formats.js';
import { nearestName } from './near-names.js';

type Issue = z.core.$ZodIssue;

const isReason = (text: string): text is Reason => text in REASONS;

const BOUNDS: Record<string, [string, string]> = {
  string: ['too_short', 'too_long'],
  array: ['too_short', 'too_long'],
};

/** Reason of an issue: its message if that is a reason, otherwise derived from its code. */
export function reasonOf(issue: Issue): Reason {
  if (isReason(issue.message)) return issue.message;
  const [short, long] = BOUNDS['origin' in issue ? issue.origin : ''] ?? ['too_small', 'too_large'];
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'required' : 'invalid_type';
  if (issue.code === 'too_small') return short as Reason;
  if (issue.code === 'too_big') return long as Reason;
  if (issue.code === 'unrecognized_keys') return 'unknown_field';
  if (issue.code === 'invalid_format') return 'invalid_format';
  return issue.input === undefined ? 'required' : 'invalid_value';
}

/** Maximum number of fields in one error, of characters of a field's name, and of values that a message lists. */
const MAX_ERRORS = 20;
const MAX_NAME_LENGTH = 100;
const MAX_LISTED = 30;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** `from 15 to 240`, `at least 1`, `at most 10`. */
function rangeOf(least: number | undefined, most: number | undefined): string | null {
  if (least !== undefined && most !== undefined)
    return least === most ? `exactly ${least}` : `from ${least} to ${most}`;
  if (least === undefined && most === undefined) return null;
  return least === undefined ? `at most ${most}` : `at least ${least}`;
}

function rangeOfNumber({ minimum, maximum, exclusive_minimum: above, unit }: Constraint): string | null {
  const range = rangeOf(minimum, maximum);
  const whole = above === undefined ? range : [`more than ${above}`, ...(range ? [range] : [])].join(' and ');
  return whole && unit ? `${whole} ${unit}` : whole;
}

/** What the value has to be, as a noun; null where the schema does not say. */
function nounOf({ type, constraint }: Place): string | null {
  const { allowed, expected } = constraint;
  if (expected) return expected;
  if (allowed)
    return allowed.length > MAX_LISTED
      ? `one of the ${allowed.length} values in \`allowed\``
      : `one of ${allowed.join(', ')}`;
  const noun = type && TYPES[type];
  if (!noun) return null;
  const range = type === 'integer' || type === 'number' ? rangeOfNumber(constraint) : null;
  return range ? `${noun} ${range}` : noun;
}

const WORD = /^[A-Za-z][A-Za-z_.-]{0,39}$/;
const NUMBER = /^[+-]?\d{1,12}(?:\.\d{1,6})?$/;
const PREFIX = /^([a-z]{2,8}_)/;

/** What was sent, without any content that could be personal or secret. */
function kindOf(input: unknown): string {
  if (input === null) return 'null';
  if (typeof input === 'boolean') return 'a boolean';
  return Array.isArray(input) ? 'an array' : (TYPES[typeof input] ?? 'another type');
}

/** A number, or a single word, as it was sent: neither can be a card number, a key or a sentence. */
const literalOf = (input: unknown): string | null => {
  const text = typeof input === 'number' || typeof input === 'string' ? String(input) : '';
  return WORD.test(text) || NUMBER.test(text) ? text : null;
};

const quoted = (literal: string | null, input: unknown): string | null =>
  literal !== null && typeof input === 'string' ? `"${literal}"` : literal;

/** An instant whose `+` a URL has turned into a space. */
const LOST_PLUS = /^\d{4}-\d\d-\d\dT[\d:.]{4,18} \d\d:?\d\d$/;

/** What was sent, by reason; null where only its content would say it. */
function sentOf(reason: Reason, { type, constraint }: Place, input: unknown): string | null {
  switch (reason) {
    case 'invalid_type':
      return ((type === 'integer' || type === 'number') && quoted(literalOf(input), input)) || kindOf(input);
    case 'invalid_value':
      return constraint.allowed || constraint.expected ? literalOf(input) : null;
    case 'too_small':
    case 'too_large':
    case 'out_of_range':
      return literalOf(input);
    case 'invalid_id': {
      const prefix = typeof input === 'string' ? PREFIX.exec(input)?.[1] : undefined;
      const isOther = prefix !== undefined && !constraint.expected?.includes(prefix);
      return isOther ? `one that begins with ${prefix}` : null;
    }
    case 'invalid_format':
      return typeof input === 'string' && LOST_PLUS.test(input)
        ? 'a space before the offset: write + as %2B in a URL'
        : null;
    case 'offset_required':
      return 'a time without its UTC offset';
    case 'invalid_date':
      return 'a date or a time that does not exist';
    default:
      return null;
  }
}

const counted = (range: string, unit: string): string => `${range} ${unit}${/\b1$/.test(range) ? '' : 's'}`;

type LengthReason = 'too_short' | 'too_long';

/** `member_ids must have at most 10 items; you sent 11.` */
function lengthMessage(
  field: string,
  reason: LengthReason,
  { type, constraint }: Place,
  input: unknown,
): string | null {
  const isShort = reason === 'too_short';
  if (typeof input === 'string') {
    if (input === '') return `${field} must not be empty.`;
    if (isShort && input.trim() === '') return `${field} must be more than spaces.`;
    const range = rangeOf(isShort ? constraint.min_length : undefined, isShort ? undefined : constraint.max_length);
    return range && `${field} must have ${counted(range, 'character')}; you sent ${characterCount(input)}.`;
  }
  if (typeof input !== 'object' || input === null) return null;
  const sent = Array.isArray(input) ? input.length : Object.keys(input).length;
  const range = rangeOf(isShort ? constraint.min_items : undefined, isShort ? undefined : constraint.max_items);
  return range && `${field} must have ${counted(range, type === 'object' ? 'key' : 'item')}; you sent ${sent}.`;
}

/** Reasons by which a value is none of those that its schema describes. */
const OF_SHAPE: ReadonlySet<Reason> = new Set<Reason>([
  'invalid_type',
  'invalid_value',
  'invalid_format',
  'invalid_id',
  'invalid_json',
  'invalid_date',
  'offset_required',
  'unknown_timezone',
  'invalid_phone',
]);
const OF_RANGE: ReadonlySet<Reason> = new Set<Reason>(['too_small', 'too_large', 'out_of_range']);

/** What the value has to be, for a message about something else than its absence or length. */
function targetOf(reason: Reason, place: Place, stated: Constraint): string | null {
  if (OF_RANGE.has(reason)) return rangeOfNumber(place.constraint) ?? nounOf(place);
  return OF_SHAPE.has(reason) ? nounOf(place) : (stated.expected ?? null);
}

function messageOf(field: string, place: Place, issue: Issue, stated: Constraint): string {
  const [{ input }, reason] = [issue, reasonOf(issue)];
  const noun = nounOf(place);
  if (reason === 'required') return noun ? `${field} is required: ${noun}.` : `${field} is required.`;
  const isLength = reason === 'too_short' || reason === 'too_long';
  const length = isLength ? lengthMessage(field, reason, place, input) : null;
  if (length) return length;
  const { excludes } = stated;
  if (excludes) return `${field} and ${excludes} cannot be sent together: leave one out.`;
  const target = targetOf(reason, place, stated);
  if (!target) return namingField(field, REASONS[reason].message);
  const sent = sentOf(reason, place, input);
  return `${field} must be ${target}${sent ? `; you sent ${sent}` : ''}.`;
}

const isRange = (name: (typeof BOUND_NAMES)[number]): boolean => name !== 'allowed' && name !== 'expected';

/** The members of a field's error that say what would be right. A bound that the contracts add in code is the only one. */
function boundsOf(reason: Reason, place: Place, stated: Constraint): Bounds {
  const { excludes, ...own } = stated;
  if (excludes) return { expected: `left out, or sent without ${excludes}` };
  if (Object.keys(own).length > 0) return own;
  const { constraint } = place;
  const hasRange = OF_RANGE.has(reason) || reason === 'too_short' || reason === 'too_long';
  const ranges = hasRange ? BOUND_NAMES.filter((name) => isRange(name) && constraint[name] !== undefined) : [];
  const hasShape = OF_SHAPE.has(reason) || reason === 'required' || (OF_RANGE.has(reason) && ranges.length === 0);
  const expected = hasShape && !constraint.allowed ? nounOf(place) : null;
  return {
    ...Object.fromEntries(ranges.map((name) => [name, constraint[name]])),
    ...(hasShape && constraint.allowed ? { allowed: constraint.allowed } : {}),
    ...(expected ? { expected } : {}),
  };
}

/** The bound that the contracts add in code. */
const addedTo = (issue: Issue): Constraint => (issue.code === 'custom' ? ((issue.params ?? {}) as Constraint) : {});

/** The bound that an issue itself states. */
function statedBy(issue: Issue): Constraint {
  if (issue.code === 'custom') return addedTo(issue);
  if (issue.code === 'invalid_value') return { allowed: issue.values as readonly string[] };
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return {};
  // That an integer is beyond JavaScript's own says nothing about the range of the schema.
  if (!isBound(Number(issue.code === 'too_big' ? issue.maximum : issue.minimum))) return {};
  const suffix = { string: '_length', array: '_items' }[issue.origin as string];
  const [least, most] = suffix ? [`min${suffix}`, `max${suffix}`] : ['minimum', 'maximum'];
  if (issue.code === 'too_big') return { [most!]: Number(issue.maximum) };
  return { [issue.inclusive === false ? 'exclusive_minimum' : least!]: Number(issue.minimum) };
}

/** The name of a field, which may end early, but not within a character. */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map(String).join('.').slice(0, MAX_NAME_LENGTH);
  return (/[\ud800-\udbff]$/.test(name) ? name.slice(0, -1) : name) || WHOLE_BODY;
}

function entryOf(path: readonly PropertyKey[], issue: Issue, place: Place): FieldError {
  const [field, reason, added] = [nameOf(path), reasonOf(issue), addedTo(issue)];
  const message = messageOf(field, place, issue, added);
  return completed({ field, reason, message, ...boundsOf(reason, place, added) });
}

function unknownMember(
  issue: Issue,
  key: string,
  members: readonly string[],
  schema: z.core.$ZodType | null,
): FieldError {
  const field = nameOf([...issue.path, key]);
  const meant = nearestName(key, members);
  const { unit } = meant && schema ? placeAt(schema, [...issue.path, meant]).constraint : {};
  const message = unknownFieldMessage(field, unit ? `${meant}, in ${unit}` : meant);
  const isListed = members.length > 0 && members.length <= MAX_LISTED;
  return completed({ field, reason: 'unknown_field', message, ...(isListed ? { allowed: members } : {}) });
}

/** The message of a field or parameter that the operation does not have; `meant` is one that it has. */
export const unknownFieldMessage = (field: string, meant?: string): string =>
  meant ? `${field} is unknown. Did you mean ${meant}?` : `${field} is unknown here. Remove it.`;

function fieldErrors(issue: Issue, schema: z.core.$ZodType | null, hidden: readonly string[]): FieldError[] {
  const place: Place = schema ? placeAt(schema, issue.path) : { type: undefined, constraint: {}, members: [] };
  const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, MAX_ERRORS) : [];
  if (keys.length > 0) {
    const members = issue.path.length > 0 ? place.members : place.members.filter((name) => !hidden.includes(name));
    return keys.map((key) => unknownMember(issue, key, members, schema));
  }
  return [entryOf(issue.path, issue, { ...place, constraint: { ...place.constraint, ...statedBy(issue) } })];
}

const isBelow = ({ path }: Issue, above: Issue): boolean => above.path.every((key, index) => path[index] === key);

const isOfType = ({ code }: Issue): boolean => code === 'invalid_type';

/**
 * The issues without those that follow from others: a patch whose only fields are wrong is not empty, and a value of the wrong
 * type has no length, even if it is an object with a `length`.
 */
function causesOf(issues: readonly Issue[]): readonly Issue[] {
  const follows = (issue: Issue) =>
    issues.some(
      (other) =>
        other !== issue &&
        isBelow(other, issue) &&
        (reasonOf(issue) === 'empty_patch' || (isOfType(other) && !isOfType(issue) && isBelow(issue, other))),
    );
  return issues.filter((issue) => !follows(issue));
}

/**
 * Converts zod's issues to the public `VALIDATION_ERROR`, in which each field has the bounds of the `schema` that rejected the
 * input. Parse with `{ reportInput: true }`, so that an absent field is distinguished from a wrong one. The error repeats no
 * content of the input but numbers, single words, the prefix of an identifier, and names of fields.
 * @param hidden - members of the input that a client cannot send among the others: the parameters of the path.
 */
export function validationErrorOf(
  error: z.ZodError,
  schema: z.core.$ZodType | null = null,
  hidden: readonly string[] = [],
): ErrorBody {
  const issues = causesOf(error.issues).slice(0, MAX_ERRORS);
  const all = issues.flatMap((issue) => fieldErrors(issue, schema, hidden)).slice(0, MAX_ERRORS);
  // Two checks of one schema may find the same.
  const errors = [...new Map(all.map((each) => [`${each.reason} ${each.field}`, each])).values()];
  const [{ field, reason, message }] = errors as [FieldError];
  return { code: 'VALIDATION_ERROR', message, details: { field, reason, errors } };
}
