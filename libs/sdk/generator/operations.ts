/** A JSON Schema, with the keywords that are read here. */
export interface Schema {
  $ref?: string;
  type?: unknown;
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  /** The alternatives of the members that an object has. */
  then?: { oneOf: { required: string[] }[] };
  /** The schema of what a text of JSON contains. */
  contentSchema?: Schema;
  /** The schema of the items of a text in which they are separated by commas. */
  'x-items'?: Schema;
  /** The formats of which a text has one. */
  'x-formats'?: string[];
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

/** A parameter of an operation of the document. */
export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Documented {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: Content & { required: boolean };
  responses: Record<string, Content & { $ref?: string }>;
}

/** An OpenAPI document, with the members that are read here. */
export interface Document {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, Schema> };
}

/** A method of the client. */
export interface Method {
  readonly operationId: string;
  /** Member of the client: `webhookEndpoints`. */
  readonly resource: string;
  readonly name: string;
  readonly verb: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Parameters of the path, in order: `booking_id`. */
  readonly pathParams: readonly string[];
  readonly hasQuery: boolean;
  readonly needsQuery: boolean;
  /** Name of the schema of the body; null for none, or one without members. */
  readonly body: string | null;
  readonly needsBody: boolean;
  /** Name of the schema of `data`, or of one item; null where nothing is answered. */
  readonly answer: string | null;
  /** Whether a success may also come without `data`. */
  readonly mayBeEmpty: boolean;
  readonly isList: boolean;
}

const JSON_TYPE = 'application/json';
const PATH_PARAM = /\{(\w+)\}/g;

const wordsOf = (name: string): string[] =>
  name
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .split(' ');
const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const camel = (words: readonly string[]): string => words.map((word, at) => (at ? capitalised(word) : word)).join('');
const singular = (word: string): string => word.replace(/(?<=ss)es$|(?<!s)s$/, '');
const refName = (ref: string | undefined): string | null => ref?.split('/').at(-1) ?? null;

/** Member of the client for a tag: `webhookEndpoints` for `webhook-endpoints`. */
const resourceOf = (tag: string): string => camel(tag.split('-'));

/** Name of the method: that of the operation without the words of its resource (`createBooking` of bookings: `create`). */
function methodName(operationId: string, tag: string): string {
  const own = new Set(tag.split('-').map(singular));
  const [verb, ...rest] = wordsOf(operationId);
  return camel([verb!, ...rest.filter((word) => !own.has(singular(word)))]);
}

interface Answer {
  answer: string | null;
  mayBeEmpty: boolean;
  isList: boolean;
}

function answerOf({ responses }: Documented, { components }: Document): Answer {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const envelope = good.map(([, { content }]) => refName(content?.[JSON_TYPE]?.schema.$ref)).find((name) => name);
  const data = envelope ? components.schemas[envelope]?.properties?.data : undefined;
  const item = (data as { items?: Schema } | undefined)?.items;
  return {
    answer: refName((item ?? data)?.$ref),
    mayBeEmpty: good.some(([status]) => status === '204'),
    isList: item !== undefined,
  };
}

/** Whether the client has a method for it: it needs a key, and answers JSON. */
function isCallable({ security, responses }: Documented): boolean {
  const types = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? Object.keys(content ?? {}) : [],
  );
  return security === undefined && (types.length === 0 || types.includes(JSON_TYPE));
}

const hasMembers = (body: string | null, { components }: Document): boolean =>
  body !== null && Object.keys(components.schemas[body]?.properties ?? {}).length > 0;

function methodOf(path: string, verb: string, documented: Documented, document: Document): Method {
  const { operationId, summary, description = '', tags, parameters = [], requestBody } = documented;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body = refName(requestBody?.content?.[JSON_TYPE]?.schema.$ref);
  return {
    operationId,
    resource: resourceOf(tags[0]!),
    name: methodName(operationId, tags[0]!),
    verb: verb.toUpperCase(),
    path,
    summary,
    description,
    pathParams: [...path.matchAll(PATH_PARAM)].map(([, name]) => name!),
    hasQuery: query.length > 0,
    needsQuery: query.some(({ required }) => required),
    body: hasMembers(body, document) ? body : null,
    needsBody: requestBody?.required ?? false,
    ...answerOf(documented, document),
  };
}

/** The methods of the client, one for each operation of the document that needs a key and answers JSON. */
export function methodsOf(document: Document): Method[] {
  const methods = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, documented]) =>
      isCallable(documented) ? [methodOf(path, verb, documented, document)] : [],
    ),
  );
  const seen = new Map<string, string>();
  for (const { resource, name, operationId } of methods) {
    const other = seen.get(`${resource}.${name}`);
    if (other) throw new Error(`${other} and ${operationId} would both be client.${resource}.${name}: rename one.`);
    seen.set(`${resource}.${name}`, operationId);
  }
  return methods;
}
