import type { OpenApiDocument } from '../openapi/document.js';
import type { JsonSchema } from '../openapi/schemas.js';
import { escaped, prose, table } from './html.js';

/** Where the pages of the reference are. */
export const REFERENCE_PATH = '/docs/reference';
const SCHEMAS_PATH = `${REFERENCE_PATH}/objects`;

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
      prose(String(member.description ?? this.describedBy(member))) + this.nestedIn(member),
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
    if (schema.type === 'array') {
      const items = (schema.items ?? {}) as JsonSchema;
      return `list of ${items.properties ? 'objects' : this.typeOf(items)}`;
    }
    const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'anything');
    return escaped(type) + boundsOf(schema);
  }

  /** A table of the members of the objects in a value, also where it is a text of JSON; empty without any. */
  nestedIn(schema: JsonSchema): string {
    const { items, contentSchema, properties } = schema as Record<string, JsonSchema | undefined>;
    if (properties) return this.members(schema);
    const parts = [items, contentSchema, ...alternativesOf(schema)].filter((part) => part !== undefined);
    return parts.map((part) => this.nestedIn(part)).join('');
  }

  /** A link to the description of a shared schema. */
  linkTo(ref: string): string {
    const name = ref.split('/').at(-1)!;
    return `<a href="${SCHEMAS_PATH}#${escaped(name)}">${escaped(name)}</a>`;
  }

  private describedBy({ $ref }: JsonSchema): unknown {
    return typeof $ref === 'string' ? (this.follow($ref).description ?? '') : '';
  }
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
