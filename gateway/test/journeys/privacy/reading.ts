import { readFileSync } from 'node:fs';
import { until } from '@swim/testing';
import type { OpenApiDocument } from '../../../src/openapi/document.js';
import { bodiesOf } from '../../../src/openapi/documented-operation.js';
import type { Customer } from '../fixtures/customer.js';

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument;

export const ID = /\b[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{26}\b/g;
/** Every id in a text. */
export const idsIn = (text: string): string[] => [...new Set(text.match(ID) ?? [])];

/** One operation of the OpenAPI document. */
export interface Operation {
  method: string;
  path: string;
  /** The name under which assistants call it. */
  tool: string;
  parameters: Parameter[];
  /** The example of its body; undefined where it takes none. */
  body: unknown;
}

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  /** The prefix of the ids that it takes; null for other values. */
  prefix: string | null;
}

const PREFIX = /^(?:#.*\/id_|\^\([?]:)([a-z]+)(?:_\[|$)/;
const snakeCase = (name: string): string => name.replace(/([A-Z])/g, (letter) => `_${letter.toLowerCase()}`);

/** Every operation of the document with one of these methods that needs a key or a token, once for each example of its body. */
const operationsBy = (...methods: ('get' | 'post' | 'patch' | 'delete')[]): Operation[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    methods
      .filter((method) => operations[method] !== undefined && path !== '/health' && path !== '/openapi.json')
      .flatMap((method) => {
        const { operationId, parameters = [] } = operations[method]!;
        const bodies = bodiesOf(operations[method]!).map(([, body]) => body);
        return (bodies.length > 0 ? bodies : [undefined]).map((body) => ({
          ...{ method: method.toUpperCase(), path, tool: snakeCase(operationId) },
          parameters: parameters
            .filter((each) => 'name' in each)
            .map(({ name, in: place, required, schema }) => ({
              name,
              in: place as 'path' | 'query',
              required: required === true,
              prefix: PREFIX.exec(String(schema?.$ref ?? schema?.pattern ?? ''))?.[1] ?? null,
            })),
          body,
        }));
      }),
  );

export const READINGS = operationsBy('get');
export const WRITINGS = operationsBy('post', 'patch', 'delete');

/** What an account uses to read: ids that it knows, and values of the parameters that are no ids. */
export interface Means {
  ids: string[];
  values: Record<string, string>;
}

/** One request: an operation, with the values of its parameters, and its body. */
export interface Request {
  operation: Operation;
  values: Record<string, string>;
  body?: unknown;
}

// Free time begins at the instant of the request unless the request says otherwise.
const isFreeTime = ({ path }: Operation) => path.endsWith('/availability');

// A few requests, events, deliveries and mails stand for all.
const MOST_OF_A_KIND = 3;
export const ofPrefix = (ids: string[], prefix: string | null) =>
  ids.filter((id) => id.startsWith(`${prefix}_`)).slice(0, MOST_OF_A_KIND);

/** Requests with each known id in each parameter of the path, and in each of the query. */
export function requestsOf(operation: Operation, { ids, values }: Means): Request[] {
  const inPath = operation.parameters.filter((each) => each.in === 'path');
  const query = operation.parameters.filter((each) => each.in === 'query');
  const fixed = Object.fromEntries(
    query
      .filter(({ name, required }) => required || (isFreeTime(operation) && name.startsWith('date_')))
      .map(({ name }) => [name, values[name]!]),
  );
  const filled = inPath.reduce<Record<string, string>[]>(
    (all, { name, prefix }) =>
      all.flatMap((each) => ofPrefix(ids, prefix).map((id): Record<string, string> => ({ ...each, [name]: id }))),
    [fixed],
  );
  const narrowed = filled.flatMap((each) =>
    query.flatMap(({ name, prefix }) => {
      const given = prefix === null ? [values[name]].filter((value) => value !== undefined) : ofPrefix(ids, prefix);
      return given.map((value) => ({ operation, values: { ...each, [name]: value } }));
    }),
  );
  return [...filled.map((each) => ({ operation, values: each })), ...narrowed];
}

export function urlOf({ operation, values }: Request): string {
  const rest = { ...values };
  const path = operation.path.replace(/{(\w+)}/g, (_, name: string) => {
    const value = rest[name]!;
    delete rest[name];
    return value;
  });
  const query = new URLSearchParams(rest).toString();
  return query === '' ? path : `${path}?${query}`;
}

const bodyOf = (text: string): unknown => {
  try {
    const { meta, ...body } = JSON.parse(text);
    return body;
  } catch {
    return text;
  }
};

/** The answer to a request, which is repeated as long as a busy machine rejects it. */
export function send({ baseUrl, key }: Customer, request: Request): Promise<{ status: number; body: unknown }> {
  const { method } = request.operation;
  const content = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  const headers = { authorization: `Bearer ${key}`, ...(content.body ? { 'content-type': 'application/json' } : {}) };
  const attempt = async () => {
    const response = await fetch(baseUrl + urlOf(request), { method, headers, ...content });
    const answer = { status: response.status, body: bodyOf(await response.text()) };
    return answer.status >= 500 ? null : answer;
  };
  return until(attempt, `${method} ${urlOf(request)} is answered in time`);
}

/** What an assistant gets by the tool of an operation. */
async function call({ baseUrl, key }: Customer, { operation, values }: Request): Promise<unknown> {
  const { account_id, ...given } = values;
  const response = await fetch(baseUrl.replace(/v1$/, 'mcp'), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: operation.tool, arguments: given },
    }),
  });
  const { result, error } = (await response.json()) as { result?: { content: { text: string }[] }; error?: unknown };
  return result?.content.map(({ text }) => bodyOf(text)) ?? error;
}

/** Answers by request. */
export type Answers = Record<string, unknown>;

const AT_ONCE = 8;
/** Does the work for each item, several at once. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

export const requestsWith = (means: Means): Request[] =>
  READINGS.filter(({ path }) => path !== '/events/stream').flatMap((operation) => requestsOf(operation, means));

/** All that an account reads by every GET of the document, with each known id in each parameter; as a tool too, if asked. */
export async function readAll(reader: Customer, means: Means, withTools = false): Promise<Answers> {
  const requests = requestsWith(means);
  // The answers are compared in this order.
  const answers: Answers = Object.fromEntries(requests.map((request) => [urlOf(request), null]));
  await forEach(requests, async (request) => {
    answers[urlOf(request)] = await send(reader, request);
    if (withTools) answers[`tool ${urlOf(request)}`] = await call(reader, request);
  });
  return answers;
}
