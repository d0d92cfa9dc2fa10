import { z } from 'zod';
import { addsReasons, characterCount, text } from './formats.js';

const MOST_KEYS = 50;
const MOST_KEY_LENGTH = 40;
const MOST_VALUE_LENGTH = 500;
// These keys have a meaning of their own on objects in JavaScript.
const RESERVED = ['__proto__', 'constructor', 'prototype'];
/** What a reserved key of metadata has to be. */
export const OTHER_KEY = 'another key: __proto__, constructor and prototype are reserved';

type Issues = z.core.$ZodRawIssue[];

function addKeyIssues(entries: object, issues: Issues): void {
  const keys = Object.keys(entries);
  if (keys.length > MOST_KEYS)
    issues.push({ code: 'custom', message: 'too_long', input: entries, path: [], params: { max_items: MOST_KEYS } });
  for (const key of keys) {
    const input = key;
    if (RESERVED.includes(key))
      issues.push({ code: 'custom', message: 'invalid_value', input, path: [key], params: { expected: OTHER_KEY } });
    else if (key === '' || characterCount(key) > MOST_KEY_LENGTH)
      issues.push({
        code: 'custom',
        message: key === '' ? 'too_short' : 'too_long',
        input,
        path: [key],
        params: { min_length: 1, max_length: MOST_KEY_LENGTH },
      });
  }
}

const describes = {
  ...addsReasons('too_long', 'too_short', 'invalid_value'),
  description: `Data of the client's own: at most ${MOST_KEYS} keys of at most ${MOST_KEY_LENGTH} characters, with texts of at most ${MOST_VALUE_LENGTH}`,
  maxProperties: MOST_KEYS,
  propertyNames: {
    type: 'string',
    minLength: 1,
    maxLength: MOST_KEY_LENGTH,
    pattern: '^[^\\u0000]*$',
    not: { enum: RESERVED },
  },
  examples: [{ crm_id: '4711' }],
};

/** Data of the client's own on an object (contract, Lists): up to 50 texts by keys of up to 40 characters. */
export const metadata = z
  .record(z.string(), text(MOST_VALUE_LENGTH))
  .check(({ value, issues }) => addKeyIssues(value, issues))
  .meta(describes);
export type Metadata = z.output<typeof metadata>;

/** Metadata in an answer. */
export const metadataAnswer = z.record(z.string(), z.string()).meta({
  description: "Data of the client's own, as the client has set it",
  examples: [{ crm_id: '4711' }],
});

/** A change of metadata: keys are merged into those that exist, and null removes one. */
export const metadataPatch = z
  .record(z.string(), text(MOST_VALUE_LENGTH).nullable())
  .check(({ value, issues }) => addKeyIssues(value, issues))
  .meta({ ...describes, description: `${describes.description}. Keys are merged; null removes one` });

export type MetadataPatch = z.output<typeof metadataPatch>;

/** Metadata after a change; throws nothing: the number of keys is checked by `metadata`. */
export function mergeMetadata(now: Metadata, changes: MetadataPatch): Metadata {
  const merged = Object.entries({ ...now, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(merged);
}
