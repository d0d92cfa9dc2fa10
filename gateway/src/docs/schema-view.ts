import type { OpenApiDocument } from '../openapi/document.js';
import type { JsonSchema } from '../openapi/schemas.js';
import { escaped, prose, table } from './html.js';

/** Where the pages of the reference are. */
export const REFERENCE_PATH = '/docs/reference';
const SCHEMAS_PATH = `${REFERENCE_PATH}/objects`;
const DEEPEST = 8;

const alternativesOf = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] => (anyOf ?? oneOf ?? []) as JsonSchema[];

/** Writes JSON Schemas of an OpenAPI document as HTML. */
export class SchemaView {
  constructor(private readonly document: OpenApiDocument) {}

  /** The target of a reference (`#/components/…`). */
  follow<T = JsonSchema>(ref: string): T {
    const names = ref.split('/').slice(1);
    return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], this.document) as T;
  }

  /** A table of the members of an object. */
  members(schema: JsonSchema): string {
    const required = new Set(schema.required ?? []);
    const rows = Object.entries(schema.properties ?? {}).map(([name, member]) => [
      `<code>${escaped(name)}</code>${required.has(name) ? '' : ' <small>optional</small>'}`,
      this.typeOf(member),
      prose(String(member.description ?? this.describedBy(member))),
    ]);
    return table(['Field', 'Type', 'Meaning'], rows);
  }

  /** The type of a value, with its bounds. */
  typeOf(schema: JsonSchema): string {
    if (typeof schema.$ref === 'string') return this.linkTo(schema.$ref);
    const alternatives = alternativesOf(schema);
    if (alternatives.length > 0) return alternatives.map((each) => this.typeOf(each)).join(' or ');
    if (schema.const !== undefined) return `<code>${escaped(JSON.stringify(schema.const))}</code>`;
    if (Array.isArray(schema.enum)) return schema.enum.map((value) => `<code>${escaped(value)}</code>`).join(' ');
    if (schema.type === 'array') return `list of ${this.typeOf((schema.items ?? {}) as JsonSchema)}`;
    if (schema.type === 'object' && schema.properties) return this.members(schema);
    const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'anything');
    return escaped(type) + boundsOf(schema);
  }

  /** A link to the description of a shared schema. */
  linkTo(ref: string): string {
    const name = ref.split('/').at(-1)!;
    return `<a href="${SCHEMAS_PATH}#${escaped(name)}">${escaped(name)}</a>`;
  }

  /** A value of the schema: its own example where it has one, else one made of its required members. */
  exampleOf(schema: JsonSchema, depth = 0): unknown {
    const [given] = [
      schema.example,
      (schema.examples as unknown[] | undefined)?.[0],
      schema.const,
      schema.default,
    ].filter((value) => value !== undefined);
    if (given !== undefined) return given;
    if (typeof schema.$ref === 'string')
      return depth > DEEPEST ? {} : this.exampleOf(this.follow(schema.$ref), depth + 1);
    if (Array.isArray(schema.enum)) return schema.enum[0];
    const [first] = alternativesOf(schema);
    if (first) return this.exampleOf(first, depth + 1);
    if (schema.properties) return this.exampleObject(schema, depth);
    return exampleOfType(schema, () => this.exampleOf((schema.items ?? {}) as JsonSchema, depth + 1));
  }

  private exampleObject({ properties = {}, required = [] }: JsonSchema, depth: number): Record<string, unknown> {
    const shown = Object.entries(properties).filter(([name]) => required.includes(name));
    return Object.fromEntries(shown.map(([name, member]) => [name, this.exampleOf(member, depth + 1)]));
  }

  private describedBy({ $ref }: JsonSchema): unknown {
    return typeof $ref === 'string' ? (this.follow($ref).description ?? '') : '';
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2027-03-01T16:00:00Z',
  date: '2027-03-01',
  email: 'ada@example.com',
  uri: 'https://example.com/hooks',
};

function exampleOfType({ type, format, minimum }: JsonSchema, item: () => unknown): unknown {
  const [name] = [type].flat();
  if (name === 'array') return [item()];
  if (name === 'integer' || name === 'number') return minimum ?? 1;
  if (name === 'boolean') return true;
  if (name === 'object') return {};
  return FORMATS[String(format)] ?? 'text';
}

function boundsOf(schema: JsonSchema): string {
  const shown: [string, unknown][] = [
    ['', schema.format],
    ['at least ', schema.minimum],
    ['more than ', schema.exclusiveMinimum],
    ['at most ', schema.maximum],
    ['characters: at most ', schema.maxLength],
    ['entries: at most ', schema.maxItems],
    ['default ', schema.default],
  ];
  const parts = shown
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => label + escaped(typeof value === 'object' ? JSON.stringify(value) : value));
  return parts.length === 0 ? '' : ` <small>(${parts.join(', ')})</small>`;
}
