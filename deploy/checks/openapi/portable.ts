/** A JSON value of an OpenAPI document. */
type Json = Record<string, unknown>;

/** A construct of which generators of clients make code that does not compile or decodes wrongly, and where it is, as a JSON pointer. */
export interface Unportable {
  pointer: string;
  message: string;
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
const isNull = ({ type }: Json): boolean => type === 'null';
const PLAIN = new Set<unknown>(['string', 'integer', 'number', 'boolean']);

/** Names of classes that templates of generators, or the languages, use without a package. */
const TAKEN = new Set([
  'Locale',
  'Object',
  'String',
  'List',
  'Map',
  'Set',
  'Date',
  'File',
  'Error',
  'ValidationError',
  'Configuration',
]);

/** What is wrong with a schema. */
function offencesOfSchema(schema: Json): string[] {
  const anyOf = listOf(schema.anyOf);
  const values = anyOf.filter((each) => !isNull(each));
  const alternatives = [...anyOf, ...listOf(schema.oneOf)];
  const isPlain = (each: Json) => PLAIN.has(each.type) && each.enum === undefined;
  return [
    ...(schema.type === 'boolean' && schema.const !== undefined ? ['Java does not compile a constant boolean.'] : []),
    ...(values.length === 1 && values.length < anyOf.length && isPlain(values[0]!)
      ? ['Go and TypeScript decode null as a value: write the type as a list with null.']
      : []),
    ...(values.length > 1 && values.every((each) => each.type === 'string')
      ? ['Go and Python reject what is sent: write alternatives of texts as one text.']
      : []),
    ...(schema.properties !== undefined && alternatives.length > 0
      ? ['Generators drop the members beside alternatives: write the alternatives in an unconditional `then`.']
      : []),
  ];
}

/** What is wrong with a parameter. */
const offencesOfParameter = ({ style, schema, in: place }: Json): string[] => [
  ...(style === 'deepObject' || (place === 'query' && isJson(schema) && schema.type === 'object')
    ? ['Java, Python and TypeScript each spell out an object in another way: write it as a text of JSON.']
    : []),
  ...(place === 'query' && isJson(schema) && (schema.format === 'date' || schema.format === 'date-time')
    ? ['Go and Python send dates in a form of their own: write it as a plain text.']
    : []),
];

/** What is wrong with the name of a component. */
function offencesOfName(name: string, schemas: Json): string[] {
  const constructed = /^New([A-Z].*)$/.exec(name)?.[1];
  const owner = Object.entries(schemas).find(([other, schema]) =>
    Object.entries(isJson(schema) && isJson(schema.properties) ? schema.properties : {}).some(
      ([member, inner]) => isJson(inner) && (inner.const ?? inner.enum) && `${other}${pascal(member)}` === name,
    ),
  )?.[0];
  return [
    ...(TAKEN.has(name) ? [`A class ${name} of a language or a generator is hidden by this name.`] : []),
    ...(constructed && constructed in schemas ? [`In Go ${name} is the constructor of ${constructed}.`] : []),
    ...(owner ? [`oapi-codegen names the type of a member of ${owner} so.`] : []),
  ];
}

const pascal = (name: string): string => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** These members hold values, not schemas. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const', 'contentSchema', 'then']);

function* within(value: unknown, pointer: string): Generator<Unportable> {
  if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* within(each, `${pointer}/${index}`);
  if (!isJson(value)) return;
  const messages = typeof value.in === 'string' && value.schema ? offencesOfParameter(value) : offencesOfSchema(value);
  for (const message of messages) yield { pointer, message };
  for (const [name, member] of Object.entries(value))
    if (!VALUES.has(name)) yield* within(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

/** Every construct of a document that broke a generator: `npm run clients` generates, compiles and runs what they make. */
export function unportableIn(document: Json): Unportable[] {
  const schemas =
    (isJson(document.components) && isJson(document.components.schemas) && document.components.schemas) || {};
  const names = Object.keys(schemas).flatMap((name) =>
    offencesOfName(name, schemas).map((message) => ({ pointer: `#/components/schemas/${name}`, message })),
  );
  return [...names, ...within(document, '#')];
}
