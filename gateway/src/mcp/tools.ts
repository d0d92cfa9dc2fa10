import {
  capturePayment,
  closeClass,
  createClosure,
  createPayment,
  createRefund,
  eraseAccount,
  eraseMember,
  type Operation,
} from '@swim/contracts';
import type { OpenApiDocument } from '../openapi/document.js';
import type { DocumentedOperation } from '../openapi/documented-operation.js';
import type { JsonSchema } from '../openapi/schemas.js';
import { type Endpoint, endpointOf } from '../router.js';
import { BASE_PATH, ROUTES, type Route } from '../routes.js';

/** A tool: one operation of the API, as assistants see it. */
export interface Tool {
  /** `create_booking` for the operation `createBooking`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { type: 'object' };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    /** Only writes have this hint and the next one. */
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
  };
  readonly endpoint: Endpoint;
  /** Whether it moves money, cancels the lessons of many families or erases for good, and so needs `confirm: true`. */
  readonly isConfirmed: boolean;
}

/** Operations that move money, cancel the lessons of many families, or erase for good. */
const CONFIRMED: ReadonlySet<Operation> = new Set<Operation>([
  createPayment,
  capturePayment,
  createRefund,
  createClosure,
  closeClass,
  eraseMember,
  eraseAccount,
]);

/** Advice for assistants on some operations, beside their descriptions. */
const ADVICE: Readonly<Record<string, string>> = {
  createBooking:
    'If the time is taken, the error lists free times in `conflicts[].suggestions`: offer them to the person. Nothing is charged.',
  cancelBooking:
    'Call `quote_booking_cancellation` first, and tell the person the fee and the refund before you cancel.',
  cancelSession: 'Call `quote_cancellation` first, and tell the person the fee and the refund before you cancel.',
  createHold: 'Reserves the time while the person decides; book it with `hold_id`.',
  updateSession: 'Moves a lesson when `date` is given; its identifier stays.',
  createPayment: 'Charges the card. Tell the person amount and currency first.',
};

const WRITE_OPTIONS = {
  idempotency_key: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description: 'A text of your own; a call that is repeated with it is done once',
  },
  dry_run: { type: 'boolean', description: 'Checks everything, changes nothing' },
} satisfies Record<string, JsonSchema>;

/** HTTP accepts the header on DELETE as well, and warns. */
const IGNORED_KEY = 'Accepted, without effect: a removal that is repeated removes nothing more.';

const CONFIRM: JsonSchema = {
  type: 'boolean',
  description: 'Must be true: the person has agreed to exactly this. Not needed with `dry_run`.',
};

const SCHEMA_REF = /^#\/components\/schemas\/([\w-]+)$/;

type Schemas = OpenApiDocument['components']['schemas'];

/** What a schema says to checkers rather than to readers; the API checks it itself. A property may have the same name. */
const isForCheckers = (keyword: string, value: unknown): boolean =>
  keyword === 'propertyNames' || (typeof value !== 'object' && keyword === 'pattern');

/** A schema without references to others of the document, and without what assistants do not need. */
function selfContained(node: unknown, schemas: Schemas): unknown {
  if (Array.isArray(node)) return node.map((each) => selfContained(each, schemas));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...own } = node as JsonSchema;
  const [, name] = SCHEMA_REF.exec(String($ref)) ?? [];
  const whole = name === undefined ? own : { ...schemas[name], ...own };
  const kept = Object.entries(whole).filter(([keyword, value]) => !isForCheckers(keyword, value));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, selfContained(value, schemas)]));
}

interface Members {
  properties: Record<string, JsonSchema>;
  required: string[];
}

/** Parameters of the path and the query; that of the key's own account is left out. */
function parameterMembers({ parameters = [] }: DocumentedOperation, { isOfFamily }: Route): Members {
  const all = parameters.filter((each) => 'name' in each);
  const named = all.filter(({ name }) => isOfFamily || name !== 'account_id');
  const entries = named.map(({ name, description, schema }): [string, JsonSchema] => [
    name,
    description ? { ...schema, description } : schema,
  ]);
  return {
    properties: Object.fromEntries(entries),
    required: named.filter(({ required }) => required).map(({ name }) => name),
  };
}

function bodyMembers({ requestBody }: DocumentedOperation, { components }: OpenApiDocument): Members {
  const name = String(requestBody?.content['application/json']?.schema.$ref ?? '')
    .split('/')
    .at(-1)!;
  const { properties = {}, required = [] } = components.schemas[name] ?? {};
  return { properties, required };
}

const writeOptionsOf = ({ method }: Route): Record<string, JsonSchema> => {
  const { dry_run, idempotency_key } = WRITE_OPTIONS;
  return {
    dry_run,
    idempotency_key: method === 'DELETE' ? { ...idempotency_key, description: IGNORED_KEY } : idempotency_key,
  };
};

function inputSchemaOf(documented: DocumentedOperation, route: Route, document: OpenApiDocument): Tool['inputSchema'] {
  const [parameters, body] = [parameterMembers(documented, route), bodyMembers(documented, document)];
  const isRead = route.operation.kind !== 'write';
  const schema = {
    type: 'object' as const,
    properties: {
      ...parameters.properties,
      ...body.properties,
      ...(isRead ? {} : writeOptionsOf(route)),
      ...(CONFIRMED.has(route.operation) ? { confirm: CONFIRM } : {}),
    },
    required: [...parameters.required, ...body.required],
    additionalProperties: false,
  };
  return selfContained(schema, document.components.schemas) as Tool['inputSchema'];
}

/** Tools of other scopes than those of the key are not listed. */
const SCOPE_SENTENCE = / ?Needs the scopes? [^.]+[.]/;

const snakeCase = (name: string): string => name.replace(/([A-Z])/g, (letter) => `_${letter.toLowerCase()}`);

function toolOf(route: Route, documented: DocumentedOperation, document: OpenApiDocument): Tool {
  const { operationId, summary, description = '' } = documented;
  const text = description.replace(SCOPE_SENTENCE, '') || `${summary}.`;
  const advice = ADVICE[operationId];
  const readOnlyHint = route.operation.kind !== 'write';
  return {
    name: snakeCase(operationId),
    title: summary,
    description: advice ? `${text} ${advice}` : text,
    inputSchema: inputSchemaOf(documented, route, document),
    annotations: readOnlyHint
      ? { readOnlyHint }
      : {
          readOnlyHint,
          destructiveHint: route.method === 'DELETE' || /^(?:cancel|revoke|void)/.test(operationId),
          idempotentHint: route.method === 'DELETE',
        },
    endpoint: endpointOf(route),
    isConfirmed: CONFIRMED.has(route.operation),
  };
}

/** The route of an operation that has several: the one that is not restricted to the account. */
const isMain = (route: Route): boolean => {
  const others = ROUTES.filter(({ operation }) => operation === route.operation);
  return route === (others.find(({ path }) => !path.includes('{account_id}')) ?? others[0]);
};

/** The tools: one for each operation that answers one JSON document, described as in the OpenAPI document. */
export function toolsOf(document: OpenApiDocument): Tool[] {
  return ROUTES.filter(({ isExport, isStream, isFeed }) => !isExport && !isStream && !isFeed)
    .filter(isMain)
    .map((route) => {
      const documented = document.paths[route.path.slice(BASE_PATH.length)]![route.method.toLowerCase()]!;
      return toolOf(route, documented, document);
    });
}
