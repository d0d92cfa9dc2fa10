import { PAGES, type Page } from '../public-pages.js';
import { inputShapeOf, paramsOf } from '../router.js';
import { BASE_PATH, ROUTES, type Route, WEBHOOKS, type Webhook } from '../routes.js';
import { ENVELOPE_SCHEMAS, HEADERS, PARAMETERS, REASON_TABLE } from './components.js';
import { describeFields, textOfParameter } from './described-fields.js';
import type { DocumentedOperation, DocumentedResponse } from './documented-operation.js';
import { withExamples, withSharedExamples } from './examples.js';
import { linksOf, sharedLinks } from './links.js';
import { portable } from './portable.js';
import {
  envelopeSchemas,
  pageResponses,
  responsesOf,
  sharedResponses,
  webhookResponses,
} from './responses/responses.js';
import {
  answerSchema,
  bodySchema,
  inputSchemas,
  isOptional,
  type JsonSchema,
  meantSchema,
  nameOfBody,
  nameOfOperation,
  nameOfOutput,
  sharedObjects,
  sharedSchemas,
} from './schemas.js';
import { SERVERS, type Server } from './servers.js';
import { tagsOf } from './tags.js';
import { type DocumentedWebhook, webhookSchemas, webhooksOf } from './webhooks.js';

/** An OpenAPI 3.1 document, with the members that the gateway writes and reads. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string; license: object; contact: object };
  servers: readonly Server[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, DocumentedWebhook>;
  components: {
    schemas: Record<string, JsonSchema>;
    parameters: typeof PARAMETERS;
    responses: Record<string, DocumentedResponse>;
    [more: string]: unknown;
  };
  'x-reasons': Record<string, { code: string; status: number; message: string }>;
  [more: string]: unknown;
}

const DESCRIPTION = `Find instructors, book swimming lessons without double booking, pay, and receive every change as an event.

Every request carries an API key: \`Authorization: Bearer <API_KEY>\`. Keys of the sandbox begin with \`swl_test_\`, live ones with \`swl_live_\`.

Bodies are JSON in UTF-8, at most 256 KiB and 32 levels deep; unknown fields are rejected. Timestamps need a UTC offset and are answered in UTC. Money is whole minor units with an ISO 4217 code.

An account may make 1000 requests an hour and 100 a minute; 429 names in \`Retry-After\` when to retry. Send an \`Idempotency-Key\` with every POST and PATCH that must not happen twice.

HEAD is answered like GET without its body; every other method that a path does not have, OPTIONS among them, is 405 with \`Allow\`.`;

const literalsOf = (path: string): string[] =>
  path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));

/** The tag of a route: the resource of its path. What an account has a list of is a resource of its own. */
function tagOf(path: string): string {
  const [first, second] = literalsOf(path.slice(BASE_PATH.length));
  const list = `${BASE_PATH}/${first}/{account_id}/${second}`;
  const isOwn = ROUTES.some((route) => route.path === list && route.operation.kind === 'list');
  return first === 'accounts' && isOwn ? second! : first!;
}

/** The id of a route's operation. Of two routes of one operation, the one below an account has a suffix. */
export function operationIdOf({ operation, path, method }: Route): string {
  const name = nameOfOperation(operation);
  const others = ROUTES.filter(
    (other) => other.operation === operation && !(other.path === path && other.method === method),
  );
  return others.length > 0 && path.includes('{account_id}') ? `${name}OfAccount` : name;
}

/** Parameters of a route; those of the query are members of its operation's input. */
export function parametersOf({ method, path, operation, isStream, isFeed }: Route): DocumentedOperation['parameters'] {
  if (isStream) return [{ $ref: '#/components/parameters/LastEventId' }];
  const params = paramsOf(path);
  const schemas = inputSchemas(operation);
  const ofPath = params.map((name) => ({
    name,
    in: 'path',
    required: true,
    description: textOfParameter(name),
    schema: schemas[name] ?? { type: 'string' },
  }));
  if (isFeed) {
    const token = queryParameter('token', schemas.token!, true);
    return [...ofPath, token, { $ref: '#/components/parameters/IfNoneMatch' }];
  }
  if (method !== 'GET') {
    const shared = [{ $ref: '#/components/parameters/DryRun' }];
    return [...ofPath, ...shared, ...(method === 'DELETE' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }])];
  }
  const shape = inputShapeOf(operation);
  const parts = Object.keys(schemas).filter((name) => PART.test(name));
  const wholes = [...new Set(parts.map((name) => name.replace(PART, '')))];
  const simple = Object.entries(schemas).filter(([name]) => ![...params, ...parts, ...wholes].includes(name));
  return [
    ...ofPath,
    ...simple.map(([name, schema]) => queryParameter(name, schema, !isOptional(shape[name]!))),
    ...wholes.map((name) => partsParameter(name, parts, operation)),
  ];
}

const PART = /\[(\w+)\]$/;
const JSON_TYPE = 'application/json';

type Parameter = Exclude<NonNullable<DocumentedOperation['parameters']>[number], { $ref: string }>;

/** A parameter of the query. An object is a text of JSON: generators of clients each spell out its members in a way of their own. */
function queryParameter(name: string, { description, ...schema }: JsonSchema, required: boolean): Parameter {
  return {
    name,
    in: 'query',
    ...(required ? { required } : {}),
    description: description ? String(description) : textOfParameter(name),
    schema: schema.type === 'object' ? { type: 'string', contentMediaType: JSON_TYPE, contentSchema: schema } : schema,
  };
}

/** The parameters `name[part]` as the one object that they spell out. */
function partsParameter(name: string, parts: readonly string[], operation: Route['operation']): Parameter {
  const own = parts.filter((part) => part.startsWith(`${name}[`));
  const properties = Object.fromEntries(own.map((part) => [PART.exec(part)![1]!, meantSchema(operation, part)]));
  const description = `As JSON, or spelled out as \`${own.join('=…&')}=…\`, all of them`;
  const required = Object.keys(properties);
  return queryParameter(
    name,
    { type: 'object', description, properties, required, additionalProperties: false },
    false,
  );
}

const hasBody = ({ method }: Route): boolean => method === 'POST' || method === 'PATCH';

const bodyOfRoute = ({ method, path, operation }: Route): JsonSchema =>
  bodySchema(operation, paramsOf(path), method === 'PATCH');

function bodyOf(route: Route): Pick<DocumentedOperation, 'requestBody'> {
  if (!hasBody(route)) return {};
  const required = route.method === 'PATCH' || (bodyOfRoute(route).required?.length ?? 0) > 0;
  const schema = { $ref: `#/components/schemas/${nameOfBody(route.operation)}` };
  return { requestBody: { required, content: { [JSON_TYPE]: { schema } } } };
}

function neededBy({ scope, alsoNeeds, isFeed, operation: { reveals } }: Route): string {
  if (isFeed) return 'For calendar programs: needs no API key, but the token of the feed.';
  const scopes = alsoNeeds ? `scopes \`${scope}\` and \`${alsoNeeds}\`` : `scope \`${scope}\``;
  const needed = scope === null ? 'Any key may.' : `Needs the ${scopes}.`;
  return reveals ? `${needed} Some of its fields need \`${reveals}\` too, to be read or written.` : needed;
}

/** Summary and description of an operation in its contract. Throws without them. */
function textsOf({ name, summary, description }: Route['operation']): { summary: string; description: string } {
  if (!summary || !description) throw new Error(`The contract of ${name} needs a summary and a description.`);
  return { summary, description };
}

function documented(route: Route): DocumentedOperation {
  const operationId = operationIdOf(route);
  const { summary, description } = textsOf(route.operation);
  return withExamples({
    operationId,
    summary: operationId.endsWith('OfAccount') ? `${summary} of an account` : summary,
    tags: [tagOf(route.path)],
    description: `${description} ${neededBy(route)}`,
    ...(route.isFeed ? { security: [] } : {}),
    parameters: parametersOf(route)!,
    ...bodyOf(route),
    responses: linked(route, responsesOf(route) as DocumentedOperation['responses']),
  });
}

/** The responses with the links of what a request has made, changed or read. */
function linked(route: Route, responses: DocumentedOperation['responses']): DocumentedOperation['responses'] {
  const success = responses[route.status];
  return { ...responses, ...(success ? { [route.status]: { ...success, ...linksOf(route, operationIdOf) } } : {}) };
}

function documentedWebhook({ operation, signatureHeader }: Webhook): DocumentedOperation {
  const operationId = nameOfOperation(operation);
  const signature = {
    name: signatureHeader,
    in: 'header',
    required: true,
    description: textOfParameter(signatureHeader),
    schema: { type: 'string' },
  };
  return withExamples({
    operationId,
    ...textsOf(operation),
    tags: ['service'],
    security: [],
    parameters: [signature],
    requestBody: { required: true, content: { [JSON_TYPE]: { schema: { type: 'object' } } } },
    responses: webhookResponses(operation) as DocumentedOperation['responses'],
  });
}

const PAGE_TEXTS: Partial<Record<Page['page'], { summary: string; description: string }>> = {
  health: {
    summary: 'Check the service',
    description: 'Whether requests can be served, as each service has found it within the last second. Any client may.',
  },
  openapi: { summary: 'Get this document', description: 'The OpenAPI document of the API. Any client may.' },
  openapi30: {
    summary: 'Get this document in OpenAPI 3.0',
    description: 'The same in OpenAPI 3.0.3, without webhooks, for generators that do not read 3.1. Any client may.',
  },
};

function pathsOf(): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const route of ROUTES) {
    const path = route.path.slice(BASE_PATH.length);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: documented(route) };
  }
  for (const webhook of WEBHOOKS) paths[webhook.path.slice(BASE_PATH.length)] = { post: documentedWebhook(webhook) };
  for (const { path, page } of PAGES.filter((each) => each.path.startsWith(`${BASE_PATH}/`))) {
    const texts = PAGE_TEXTS[page];
    if (!texts) throw new Error(`The page ${path} needs a summary and a description.`);
    const get = { operationId: page, ...texts, tags: ['service'], security: [] as never[] };
    const responses = pageResponses(page) as DocumentedOperation['responses'];
    const parameters = page.startsWith('openapi') ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : [];
    paths[path.slice(BASE_PATH.length)] = { get: withExamples({ ...get, parameters, responses }) };
  }
  return paths;
}

/** Schema of what a route answers: that of its operation, with what the gateway always adds. */
function answerOfRoute({ operation, hasLimits }: Route): JsonSchema {
  const schema = answerSchema(operation);
  return hasLimits ? { ...schema, required: [...schema.required!, 'limits'] } : schema;
}

function schemasOf(): Record<string, JsonSchema> {
  const answering = ROUTES.filter(({ status, isStream, isFeed }) => status !== 204 && !isStream && !isFeed);
  const ofRoutes = answering.map((route) => [nameOfOutput(route.operation), answerOfRoute(route)]);
  const ofWebhooks = WEBHOOKS.map(({ operation }) => [nameOfOutput(operation), answerSchema(operation)]);
  const outputs = Object.fromEntries([...ofRoutes, ...ofWebhooks]);
  const bodies = Object.fromEntries(
    ROUTES.filter(hasBody).map((route) => [nameOfBody(route.operation), bodyOfRoute(route)]),
  );
  const envelope = ENVELOPE_SCHEMAS as Record<string, JsonSchema>;
  const webhooks = webhookSchemas();
  const schemas = {
    ...sharedObjects(),
    ...envelope,
    ...outputs,
    ...webhooks,
    ...bodies,
    ...envelopeSchemas([...answering, ...WEBHOOKS]),
    // After all others: it contains what they use.
    ...sharedSchemas(),
  };
  describeFields(schemas);
  return schemas;
}

/** The whole public API as an OpenAPI 3.1 document, derived from routes and contracts. */
export function openApiDocument(): OpenApiDocument {
  const document = derivedDocument();
  return portable(document, document.components.schemas);
}

const derivedDocument = (): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: 'Swim Lesson Scheduling API',
    version: '1.0.0',
    description: DESCRIPTION,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    contact: { name: 'The operator, as GET /.well-known/security.txt says' },
  },
  servers: SERVERS,
  security: [{ apiKey: [] }],
  tags: tagsOf(new Set([...ROUTES.map(({ path }) => tagOf(path)), 'service', 'webhooks'])),
  // Before the schemas: `sharedSchemas` contains what the paths use.
  paths: pathsOf(),
  webhooks: webhooksOf(),
  components: {
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'swl_live_… or swl_test_…' } },
    parameters: PARAMETERS,
    headers: HEADERS,
    responses: withSharedExamples(sharedResponses() as Record<string, DocumentedResponse>),
    links: sharedLinks(),
    schemas: schemasOf(),
  },
  'x-reasons': REASON_TABLE,
});
