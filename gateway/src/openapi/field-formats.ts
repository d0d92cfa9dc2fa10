import { type IdPrefix, id, timestamp } from '@swim/contracts';
import { convert, type JsonSchema } from './schemas.js';

/** The prefix of the ids in a field, by its name; a list of ids has the name in the plural. */
const PREFIXES: Readonly<Record<string, IdPrefix>> = {
  account_id: 'acct',
  school_id: 'acct',
  assessed_by: 'acct',
  booking_id: 'bkg',
  event_id: 'evt',
  hold_id: 'hold',
  instructor_id: 'ins',
  key_id: 'key',
  replaced_by: 'key',
  makeup_credit_id: 'crd',
  credit_id: 'crd',
  member_id: 'mem',
  payment_id: 'pay',
  payment_method_id: 'pm',
  pool_id: 'pool',
  refund_id: 'rfd',
  review_id: 'rev',
  session_id: 'ses',
  user_id: 'usr',
  waitlist_id: 'wl',
  webhook_delivery_id: 'dlv',
  webhook_endpoint_id: 'whe',
};

/** The prefix of the `id` of an object, by its kind. */
const PREFIXES_OF_KINDS: Readonly<Record<string, IdPrefix>> = {
  account: 'acct',
  access_log_entry: 'alog',
  api_key: 'key',
  booking: 'bkg',
  event: 'evt',
  hold: 'hold',
  instructor: 'ins',
  invitation: 'inv',
  makeup_credit: 'crd',
  member: 'mem',
  message: 'msg',
  payment: 'pay',
  payment_method: 'pm',
  pool: 'pool',
  refund: 'rfd',
  request_log_entry: 'rlog',
  review: 'rev',
  session: 'ses',
  user: 'usr',
  waitlist_entry: 'wl',
  webhook_delivery: 'dlv',
  webhook_endpoint: 'whe',
};

/** Fields with an instant, beside those whose name ends in `_at`. */
const INSTANTS = ['at', 'date', 'date_from', 'date_to', 'end', 'end_date', 'free_until', 'now', 'start', 'timestamp'];
/** Fields of these names that hold something else below that parent. */
const NO_INSTANTS = ['certifications.expires_at', 'certifications.issued_at', 'days.date', 'warnings.date'];

const TIMESTAMP = convert(timestamp, true);

/** The prefix of the `id` of an object without a kind, by the list that contains it. */
const PREFIXES_IN_LISTS: Readonly<Record<string, IdPrefix>> = { sessions: 'ses' };

function prefixOf(name: string, parent: string, properties: Record<string, JsonSchema>): IdPrefix | undefined {
  if (name !== 'id') return PREFIXES[name];
  const kind = properties.object?.const;
  return kind === undefined ? PREFIXES_IN_LISTS[parent] : PREFIXES_OF_KINDS[String(kind)];
}

/** The shared schema of a field with a plain text; undefined where there is none. */
function sharedFormat(name: string, parent: string, properties: Record<string, JsonSchema>): JsonSchema | undefined {
  const prefix = prefixOf(name, parent, properties);
  if (prefix) return convert(id(prefix), true);
  const isInstant = name.endsWith('_at') || INSTANTS.includes(name);
  return isInstant && !NO_INSTANTS.includes(`${parent}.${name}`) ? { $ref: TIMESTAMP.$ref } : undefined;
}

/** Whether a schema says only that the value is a text. */
const isPlain = ({ pattern, format, enum: values, const: value }: JsonSchema): boolean =>
  [pattern, format, values, value].every((keyword) => keyword === undefined);

function formatted(field: JsonSchema, shared: JsonSchema): void {
  const isNullable = Array.isArray(field.type);
  delete field.type;
  delete field.examples;
  Object.assign(field, isNullable ? { anyOf: [shared, { type: 'null' }] } : shared);
}

function formatMembers(schema: JsonSchema, parent: string): void {
  const { properties = {}, items, anyOf, oneOf, allOf, additionalProperties } = schema;
  for (const [name, field] of Object.entries(properties)) {
    const [type] = [field.type].flat();
    const list = type === 'array' ? (field.items as JsonSchema) : null;
    const shared = sharedFormat(list ? name.replace(/s$/, '') : name, parent, properties);
    const place = list ?? field;
    if (shared && [place.type].flat()[0] === 'string' && isPlain(place)) formatted(place, shared);
    else formatMembers(field, name);
  }
  const parts = [items, anyOf, oneOf, allOf, additionalProperties].flat() as JsonSchema[];
  for (const part of parts) if (part && typeof part === 'object') formatMembers(part, parent);
}

/**
 * Has the fields of answers refer to the shared schemas of ids and instants, by their names: contracts of answers say only that
 * they are texts.
 */
export function formatAnswers(schemas: Readonly<Record<string, JsonSchema>>): void {
  for (const [name, schema] of Object.entries(schemas)) formatMembers(schema, name);
}
