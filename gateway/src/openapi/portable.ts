import type { JsonSchema } from './schemas.js';

const PRIMITIVES = new Set<unknown>(['string', 'integer', 'number', 'boolean']);
const DATES = new Set<unknown>(['date', 'date-time']);
const PREFIX = '#/components/schemas/';
const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether generators have a type of the language for a schema, which needs no class. */
const isPlain = ({ type, enum: values, const: only }: JsonSchema): boolean =>
  PRIMITIVES.has(type) && values === undefined && only === undefined;

/**
 * Rewrites schemas that generators of clients in Java, Go, Python or C# make wrong code of as equal ones that they understand: a constant
 * boolean becomes a boolean, a plain value or null a type with null, an instant or a date a text whose `x-formats` are both, and the
 * alternatives of an object's members a condition.
 */
export function portable<T>(document: T, schemas: Readonly<Record<string, JsonSchema>>): T {
  const resolved = (node: JsonSchema): JsonSchema =>
    typeof node.$ref === 'string' ? (schemas[node.$ref.slice(PREFIX.length)] ?? node) : node;

  /** The alternatives of plain values and null as one schema; null where there are others. */
  function merged(alternatives: readonly JsonSchema[]): JsonSchema | null {
    const values = alternatives.filter(({ type }) => type !== 'null').map(resolved);
    const [value] = values;
    if (!value || !values.every(isPlain)) return null;
    const isNullable = values.length < alternatives.length;
    if (values.length === 1) return isNullable ? { ...value, type: [value.type, 'null'] } : null;
    const isText = values.every(({ type }) => type === 'string');
    return isText && !isNullable ? { type: 'string', 'x-formats': values.map(({ format }) => format) } : null;
  }

  function rewritten(node: JsonSchema): JsonSchema {
    if (node.type === 'boolean' && node.const !== undefined) delete node.const;
    const { anyOf, ...rest } = node;
    const one = Array.isArray(anyOf) ? merged(anyOf as JsonSchema[]) : null;
    const portableNode = one ? { ...one, ...rest } : node;
    // Generators turn alternatives beside members into classes that lack the members. They ignore an unconditional `then`.
    if (portableNode.properties && Array.isArray(portableNode.oneOf)) {
      const { oneOf, ...object } = portableNode;
      // biome-ignore lint/suspicious/noThenProperty: this is a keyword of JSON Schema.
      return { ...object, if: {}, then: { oneOf } };
    }
    // The generator for Python forgets to import what checks the pattern of a date, which its format states already.
    if (DATES.has(portableNode.format)) delete portableNode.pattern;
    return portableNode;
  }

  function visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visit);
    if (!isSchema(value)) return value;
    const members = Object.entries(value).map(([name, member]) => [
      name,
      name === 'example' || name === 'examples' ? member : visit(member),
    ]);
    return rewritten(Object.fromEntries(members) as JsonSchema);
  }

  return visit(document) as T;
}
