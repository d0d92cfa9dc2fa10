import { FIELD_TEXTS } from './field-texts.js';
import type { JsonSchema } from './schemas.js';

const TEXTS_OF_PARAMETERS: Readonly<Record<string, string>> = {
  booking_id: 'The booking',
  certification: 'Only instructors with this certificate, not expired',
  class_id: 'The class',
  event_id: 'The event',
  kind: 'Only those of this kind',
  object_id: 'Only events of this object',
  request_id: 'Only what this request caused or was, as in `X-Request-Id`',
  user_id: 'Only those of this user of the dashboard',
  request_log_id: 'The entry of the request log',
  status: 'Only those in this state',
  waitlist_id: 'The waitlist entry',
  'stripe-signature': 'Signature of Stripe over the time and the body',
};

/** Names that a schema of a request or of an event shares with the object itself: `Session` for `UpdateSessionBody`. */
const objectOf = (schema: string): string =>
  schema
    .replace(/^(?:Create|Update|Listed)(?=[A-Z])|(?:Body|EventObject|WithText|WithSecret|WithRequest)$/g, '')
    .replace(/^\w+Details$/, 'Details')
    .replace(/^\w+Event$/, 'AccountEvent');

const textOf = (parent: string, name: string): string | undefined =>
  FIELD_TEXTS[`${parent}.${name}`] ?? FIELD_TEXTS[`${objectOf(parent)}.${name}`] ?? FIELD_TEXTS[name];

function mayBeNull({ type, anyOf, oneOf }: JsonSchema): boolean {
  const parts = [anyOf, oneOf].flat() as (JsonSchema | undefined)[];
  return [type].flat().includes('null') || parts.some((part) => part !== undefined && mayBeNull(part));
}

/** What null means is said of values that may be null: fields of several objects share a text. */
const NULL_CLAUSE = /; null .*$/;

function describe(schema: JsonSchema, parent: string): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const text = textOf(parent, name);
    field.description ??= mayBeNull(field) ? text : text?.replace(NULL_CLAUSE, '');
    if (!field.description) throw new Error(`The field ${parent}.${name} has no description.`);
    describe(field, name);
  }
  const { items, additionalProperties, anyOf, oneOf, allOf } = schema as Record<string, unknown>;
  const parts = [items, additionalProperties, anyOf, oneOf, allOf].flat().filter((part) => typeof part === 'object');
  for (const part of parts) if (part) describe(part as JsonSchema, parent);
}

/**
 * Adds a description to each field of the schemas, by their names in the components, that has none. Throws where there is no text
 * for a field.
 */
export function describeFields(schemas: Readonly<Record<string, JsonSchema>>): void {
  for (const [name, schema] of Object.entries(schemas)) describe(schema, name);
}

/** The description of a parameter whose contract has none. Throws where there is no text for it. */
export function textOfParameter(name: string): string {
  const text = TEXTS_OF_PARAMETERS[name] ?? FIELD_TEXTS[name];
  if (!text) throw new Error(`The parameter ${name} has no description.`);
  return text;
}
