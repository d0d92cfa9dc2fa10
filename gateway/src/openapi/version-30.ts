import type { OpenApiDocument } from './document.js';
import type { JsonSchema } from './schemas.js';

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
type Schemas = Readonly<Record<string, JsonSchema>>;

const PREFIX = '#/components/schemas/';
const isNull = (value: unknown): boolean => isObject(value) && value.type === 'null';

function typed(type: unknown): JsonSchema {
  if (!Array.isArray(type)) return type === undefined ? {} : { type };
  const types = type.filter((each) => each !== 'null');
  const schema = types.length === 1 ? { type: types[0] } : { anyOf: types.map((each) => ({ type: each })) };
  return types.length < type.length ? { ...schema, nullable: true } : schema;
}

/** Alternatives; what may be null needs a type beside `nullable`, which is that of the schema referred to. */
function either(anyOf: unknown, schemas: Schemas): JsonSchema {
  if (!Array.isArray(anyOf)) return {};
  const values = (anyOf as JsonSchema[]).filter((each) => !isNull(each));
  if (values.length === anyOf.length) return { anyOf };
  const [{ $ref, type } = {} as JsonSchema] = values;
  if (values.length === 1 && !$ref) return { ...values[0], nullable: true };
  return { allOf: values, type: $ref ? schemas[String($ref).slice(PREFIX.length)]?.type : type, nullable: true };
}

/** OpenAPI 3.0 knows no names of members, no conditions, and no schema of what a text contains. */
const UNKNOWN = ['propertyNames', 'if', 'then', 'contentMediaType', 'contentSchema'];

/** A schema as OpenAPI 3.0 writes it. It cannot state text beside a reference. */
function schema30(
  { $ref, type, anyOf, const: only, examples, exclusiveMinimum, ...rest }: JsonSchema,
  schemas: Schemas,
): JsonSchema {
  for (const keyword of UNKNOWN) delete rest[keyword];
  if ($ref !== undefined) return { $ref };
  return {
    ...either(anyOf, schemas),
    ...rest,
    ...typed(type),
    ...(only === undefined ? {} : { enum: [only] }),
    ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    ...(exclusiveMinimum === undefined ? {} : { minimum: exclusiveMinimum, exclusiveMinimum: true }),
  };
}

/** Rewrites a schema and those in it. `isNames`: the keys of `value` are names of the API, not words of JSON Schema. */
function schemasIn(value: unknown, schemas: Schemas, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => schemasIn(each, schemas));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    !isNames && VALUES.has(name) ? member : schemasIn(member, schemas, !isNames && name === 'properties'),
  ]);
  const rewritten = Object.fromEntries(members) as JsonSchema;
  return isNames ? rewritten : schema30(rewritten, schemas);
}

/** These members hold values that a schema permits, and names of them. */
const VALUES = new Set(['enum', 'const', 'default', 'example', 'examples', 'required', 'discriminator', 'type']);

function pathsIn(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((each) => pathsIn(each, schemas));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    if (name === 'schema') return [name, schemasIn(member, schemas)];
    return [name, name === 'example' || name === 'examples' ? member : pathsIn(member, schemas)];
  });
  return Object.fromEntries(members);
}

/** The document in OpenAPI 3.0.3, for generators that do not read 3.1: without webhooks, which 3.0 does not know. */
export function openApi30({ webhooks, info, paths, components, ...rest }: OpenApiDocument): object {
  const { schemas, ...others } = components;
  return {
    ...rest,
    openapi: '3.0.3',
    info: { ...info, license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' } },
    paths: pathsIn(paths, schemas),
    components: { ...(pathsIn(others, schemas) as object), schemas: schemasIn(schemas, schemas, true) },
  };
}
