/** The parts of JSON Schema that zod writes. */
export interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  [keyword: string]: unknown;
}

export interface Difference {
  /** `break` is refused; `order` works when the service that it belongs to is replaced first. */
  readonly level: 'break' | 'order';
  /** Path of the field; empty for the whole. */
  readonly field: string;
  readonly text: string;
}

/** A schema and the definitions that its references lead to. */
interface Resolved {
  readonly schema: JsonSchema;
  readonly of: JsonSchema;
}

// A recursive schema has been compared where it is seen for the second time.
const DEEPEST = 12;
const LOWER_BOUNDS = ['minLength', 'minItems', 'minimum', 'exclusiveMinimum'];
const UPPER_BOUNDS = ['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum'];
const FORMS = ['pattern', 'format'];

function resolve({ schema, of }: Resolved): Resolved {
  const { $ref, ...rest } = schema;
  if ($ref === undefined) return { schema, of };
  const found = $ref === '#' ? of : of.$defs?.[$ref.replace('#/$defs/', '')];
  if (!found) throw new Error(`${$ref} leads nowhere.`);
  return resolve({ schema: { ...found, ...rest }, of });
}

const at = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);

/** The alternatives of a schema; of types, each is one. */
function variantsOf({ schema, of }: Resolved): Resolved[] {
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return union.flatMap((each) => variantsOf(resolve({ schema: each, of })));
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ schema: { ...schema, type }, of }));
  return [{ schema, of }];
}

const valuesOf = ({ schema }: Resolved): unknown[] | null =>
  schema.enum ?? (schema.const === undefined ? null : [schema.const]);

const NARROWING = ['type', 'properties', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'];
const isAnything = (schema: JsonSchema): boolean => NARROWING.every((name) => schema[name] === undefined);

const described = ({ schema }: Resolved): string => String(schema.const ?? schema.enum ?? schema.type ?? 'a value');

type Compare = (base: Resolved, head: Resolved, field: string, depth: number) => Difference[];

const broken = (field: string, text: string): Difference => ({ level: 'break', field, text });
const breaks = (differences: readonly Difference[]) => differences.filter(({ level }) => level === 'break');

/** Compares with the variant that fits best: one without a break, or else the one with the fewest. */
function bestOf(candidates: Difference[][]): Difference[] {
  return candidates.toSorted((a, b) => breaks(a).length - breaks(b).length)[0] ?? [];
}

const includesType = (wide: JsonSchema, narrow: JsonSchema): boolean =>
  isAnything(wide) || wide.type === narrow.type || (wide.type === 'number' && narrow.type === 'integer');

/** Compares each of some variants with the best of the others. */
function eachAmong(
  some: Resolved[],
  others: Resolved[],
  compare: (one: Resolved, other: Resolved) => Difference[],
  missing: (one: Resolved) => Difference,
): Difference[] {
  return some.flatMap((one) => {
    const alike = others.filter((other) => includesType(other.schema, one.schema));
    return alike.length === 0 ? [missing(one)] : bestOf(alike.map((other) => compare(one, other)));
  });
}

const WORDS = /\(\?:([^()]*\|[^()]*)\)/g;

/** Whether a pattern differs from another one in having more words to choose from, as in a list of types. */
function hasMoreWords(pattern: string, former: string): boolean {
  const wordsOf = (of: string) => [...of.matchAll(WORDS)].map(([, words = '']) => words.split('|'));
  const [words, formerWords] = [wordsOf(pattern), wordsOf(former)];
  return (
    pattern.replace(WORDS, '') === former.replace(WORDS, '') &&
    formerWords.every((each, index) => each.every((word) => words[index]?.includes(word)))
  );
}

function boundsOf(base: JsonSchema, head: JsonSchema, field: string): Difference[] {
  const isTighter = (name: string, sign: 1 | -1) =>
    head[name] !== undefined && (base[name] === undefined || sign * (Number(head[name]) - Number(base[name])) > 0);
  const isOther = (name: string) => head[name] !== undefined && !hasMoreWords(String(head[name]), String(base[name]));
  const bounds = [
    ...LOWER_BOUNDS.filter((name) => isTighter(name, 1)),
    ...UPPER_BOUNDS.filter((name) => isTighter(name, -1)),
  ];
  return [
    ...bounds.map((name) =>
      broken(field, `accepts less: ${name} is ${head[name]}, and was ${base[name] ?? 'not limited'}`),
    ),
    ...FORMS.filter(isOther).map((name) => broken(field, `has another ${name}, which may accept less`)),
  ];
}

/** Whatever a caller of BASE sends, a service of HEAD has to accept. */
const compareInput: Compare = (base, head, field, depth) => {
  if (depth > DEEPEST || isAnything(head.schema)) return [];
  if (isAnything(base.schema)) return [broken(field, `accepted anything, and is now ${described(head)}`)];
  const compare = (one: Resolved, other: Resolved) => oneInput(one, other, field, depth);
  const missing = (one: Resolved) => broken(field, `does not accept ${described(one)} any more`);
  return eachAmong(variantsOf(base), variantsOf(head), compare, missing);
};

function oneInput(base: Resolved, head: Resolved, field: string, depth: number): Difference[] {
  if (isAnything(head.schema)) return [];
  const [was, is] = [valuesOf(base), valuesOf(head)];
  if (is) {
    const lost = was ? was.filter((value) => !is.includes(value)) : ['other values'];
    const added = was ? is.filter((value) => !was.includes(value)) : [];
    return [
      ...lost.map((value) => broken(field, `does not accept ${String(value)} any more`)),
      ...added.map((value): Difference => ({ level: 'order', field, text: `accepts ${String(value)} too` })),
    ];
  }
  const inner: Difference[] = boundsOf(base.schema, head.schema, field);
  if (base.schema.items && head.schema.items)
    inner.push(...compareInput(itemsOf(base), itemsOf(head), `${field}[]`, depth + 1));
  return [...inner, ...inputProperties(base, head, field, depth)];
}

const itemsOf = ({ schema, of }: Resolved): Resolved => resolve({ schema: schema.items!, of });

function inputProperties(base: Resolved, head: Resolved, field: string, depth: number): Difference[] {
  const [was, is] = [base.schema.properties ?? {}, head.schema.properties ?? {}];
  const [demanded, demands] = [base.schema.required ?? [], head.schema.required ?? []];
  const differences: Difference[] = [];
  for (const [name, schema] of Object.entries(is)) {
    const path = at(field, name);
    if (demands.includes(name) && !demanded.includes(name)) differences.push(broken(path, 'is required, and was not'));
    const former = was[name];
    if (!former) {
      if (!demands.includes(name)) differences.push({ level: 'order', field: path, text: 'is new' });
      continue;
    }
    const [from, to] = [resolve({ schema: former, of: base.of }), resolve({ schema, of: head.of })];
    differences.push(...compareInput(from, to, path, depth + 1));
  }
  if (head.schema.additionalProperties !== false) return differences;
  const removed = Object.keys(was).filter((name) => !(name in is));
  return [...differences, ...removed.map((name) => broken(at(field, name), 'is not accepted any more'))];
}

/**
 * Whatever HEAD answers or publishes, a reader of BASE has to understand. Readers do not validate it: they parse JSON and take
 * what they know, so that additions, and values that are new to an enumeration, are not rejected.
 */
const compareOutput: Compare = (base, head, field, depth) => {
  if (depth > DEEPEST || isAnything(base.schema)) return [];
  const compare = (one: Resolved, other: Resolved) => oneOutput(other, one, field, depth);
  const missing = (one: Resolved) => broken(field, `may be ${described(one)}, which it never was`);
  return eachAmong(variantsOf(head), variantsOf(base), compare, missing);
};

function oneOutput(base: Resolved, head: Resolved, field: string, depth: number): Difference[] {
  const [was, is] = [base.schema.properties ?? {}, head.schema.properties ?? {}];
  const [promised, promises] = [base.schema.required ?? [], head.schema.required ?? []];
  const differences: Difference[] = [];
  if (base.schema.items && head.schema.items)
    differences.push(...compareOutput(itemsOf(base), itemsOf(head), `${field}[]`, depth + 1));
  for (const [name, schema] of Object.entries(was)) {
    const path = at(field, name);
    const latter = is[name];
    if (!latter) {
      differences.push(broken(path, 'is removed'));
      continue;
    }
    if (promised.includes(name) && !promises.includes(name)) differences.push(broken(path, 'may be absent'));
    const [from, to] = [resolve({ schema, of: base.of }), resolve({ schema: latter, of: head.of })];
    differences.push(...compareOutput(from, to, path, depth + 1));
  }
  const added = Object.keys(is).filter((name) => !(name in was));
  return [
    ...differences,
    ...added.map((name): Difference => ({ level: 'order', field: at(field, name), text: 'is new' })),
  ];
}

const whole = (schema: JsonSchema): Resolved => resolve({ schema, of: schema });

export const inputDifferences = (base: JsonSchema, head: JsonSchema): Difference[] =>
  compareInput(whole(base), whole(head), '', 0);

export const outputDifferences = (base: JsonSchema, head: JsonSchema): Difference[] =>
  compareOutput(whole(base), whole(head), '', 0);
