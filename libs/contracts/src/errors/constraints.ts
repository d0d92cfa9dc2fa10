import { z } from 'zod';

/** What a value may be: the part of a schema that the error of a field states, in members of its own. */
export interface Bounds {
  /** Smallest and largest number. */
  minimum?: number;
  maximum?: number;
  /** The number that the value has to exceed. */
  exclusive_minimum?: number;
  /** Fewest and most characters of a string. */
  min_length?: number;
  max_length?: number;
  /** Fewest and most items of an array, or members of an object. */
  min_items?: number;
  max_items?: number;
  /** The values that are allowed. */
  allowed?: readonly (string | number | boolean)[];
  /** What the value has to be, as a noun: `an identifier that begins with ses_`. */
  expected?: string;
}

/** The names of all bounds. */
export const BOUND_NAMES = [
  'minimum',
  'maximum',
  'exclusive_minimum',
  'min_length',
  'max_length',
  'min_items',
  'max_items',
  'allowed',
  'expected',
] as const satisfies (keyof Bounds)[];

/** What is known of a place in a schema when its value is rejected. */
export interface Constraint extends Bounds {
  /** What a number counts; only the message says it. */
  unit?: string;
  /** Another field, or fields, beside which this one cannot be sent; only the message says it. */
  excludes?: string;
}

/** The place of a value in a schema: its constraint, and the names of its members if it is an object. */
export interface Place {
  readonly type: string | undefined;
  readonly constraint: Constraint;
  readonly members: readonly string[];
}

/** The keywords of JSON Schema that are read here. `expected` and `unit` are metadata of the contracts' own. */
interface Node {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly enum?: Bounds['allowed'];
  readonly const?: string | number | boolean;
  readonly expected?: string;
  readonly unit?: string;
}

interface Nodes {
  /** What is sent, and what it means: the text of a query may mean a number, or JSON. */
  readonly sent: Node;
  readonly meant: Node;
}

const converted = new WeakMap<z.core.$ZodType, Nodes>();

const convert = (schema: z.core.$ZodType, io: 'input' | 'output'): Node =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Node;

/** A schema as JSON Schema; converted once. */
function nodesOf(schema: z.core.$ZodType): Nodes {
  let nodes = converted.get(schema);
  if (!nodes) {
    nodes = { sent: convert(schema, 'input'), meant: convert(schema, 'output') };
    converted.set(schema, nodes);
  }
  return nodes;
}

const isNumeric = ({ type }: Node): boolean => type === 'integer' || type === 'number';

/** The number among the alternatives, or the only one beside null; several others are described by their own keywords. */
function withoutNull(node: Node): Node {
  const alternatives = (node.anyOf ?? node.oneOf ?? []).filter(({ type }) => type !== 'null');
  const one = alternatives.find(isNumeric) ?? (alternatives.length === 1 ? alternatives[0] : undefined);
  return node.type === undefined && one ? { ...withoutNull(one), ...node } : node;
}

function memberOf(node: Node, key: PropertyKey): Node | undefined {
  const { properties, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = node;
  if (properties && Object.hasOwn(properties, key)) return properties[String(key)];
  if (typeof key === 'number' && items) return items;
  if (typeof additionalProperties === 'object') return additionalProperties;
  return [...anyOf, ...oneOf, ...allOf].map((part) => memberOf(part, key)).find((found) => found !== undefined);
}

/** Whether a number bounds anything: JavaScript's own largest integers stand for none. */
export const isBound = (bound: number | undefined): boolean =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function constraintOf(node: Node): Constraint {
  const hasRange = isNumeric(node);
  const allowed = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  return {
    ...(hasRange && isBound(node.minimum) ? { minimum: node.minimum! } : {}),
    ...(hasRange && isBound(node.maximum) ? { maximum: node.maximum! } : {}),
    ...(hasRange && isBound(node.exclusiveMinimum) ? { exclusive_minimum: node.exclusiveMinimum! } : {}),
    ...(node.minLength ? { min_length: node.minLength } : {}),
    ...(isBound(node.maxLength) ? { max_length: node.maxLength! } : {}),
    ...(node.minItems ? { min_items: node.minItems } : {}),
    ...(isBound(node.maxItems ?? node.maxProperties) ? { max_items: (node.maxItems ?? node.maxProperties)! } : {}),
    ...(allowed ? { allowed } : {}),
    ...(node.expected ? { expected: node.expected } : {}),
    ...(node.unit ? { unit: node.unit } : {}),
  };
}

/** What a value at this path of an input may be; no constraint where the schema has no such path. */
export function placeAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): Place {
  const nodes = nodesOf(schema);
  const follow = (root: Node) => path.reduce<Node | undefined>((node, key) => node && memberOf(node, key), root);
  const [sent, meant] = [follow(nodes.sent), withoutNull(follow(nodes.meant) ?? {})];
  const node = sent && !isNumeric(meant) ? withoutNull(sent) : meant;
  return { type: node.type, constraint: constraintOf(node), members: Object.keys(node.properties ?? {}) };
}
